// The open files of the file sink: few descriptors for any number of files, small buffers, compression,
// syncing. Knows nothing of names, rotation or commits. Used by one thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/buffer.h"
#include "cdc/error.h"
#include "sink/file_system.h"
#include "sink/zstd_frames.h"

namespace cdc {

// One file that is being appended to. Belongs to its user, who must not move it while it is in a pool.
struct PooledFile {
  std::string path;
  std::uint64_t length = 0;  // bytes handed to the operating system
  bool fresh = false;        // to be made, or emptied, when it is opened next

 private:
  friend class FilePool;
  Buffer waiting;  // lines not handed over yet
  int fd = -1;
  std::uint64_t device = 0;
  bool dirty = false;                       // handed over since the last sync
  std::list<PooledFile*>::iterator recent;  // place in the list of open files; valid while fd >= 0
};

class FilePool {
 public:
  // `zstd_level` 0: no compression. `max_waiting`: bytes of all the buffers together.
  FilePool(FileSystem& fs, std::size_t max_open, std::size_t max_waiting, int zstd_level);
  ~FilePool();  // closes descriptors; what was not settled is dropped
  FilePool(const FilePool&) = delete;
  FilePool& operator=(const FilePool&) = delete;

  Result<void> append(PooledFile& file, std::string_view bytes);
  // Makes a file that has no line, now.
  Result<void> make_empty(PooledFile& file);
  Result<void> make_folders(const std::string& folder);
  // Bytes that the file has or will have on disk, as far as can be told before they are compressed.
  std::uint64_t size(const PooledFile& file) const;
  Result<void> settle(PooledFile& file);  // hands everything over, closes the zstd frame
  Result<void> settle_all();
  Result<void> sync_all();      // makes everything handed over durable, new names included
  Result<void> sync_folders();  // only the names
  // Settles, syncs if asked to, and closes. The pool does not know the file afterwards.
  Result<void> release(PooledFile& file, bool sync);
  // The folder of this path has a new, renamed or removed entry.
  void touched_folder_of(const std::string& path) { folders_.insert(folder_of(path)); }

 private:
  Result<void> open(PooledFile& file);
  Result<void> open_descriptor(PooledFile& file);
  Result<void> hand_over(PooledFile& file, std::string_view bytes);  // as they are
  Result<void> store(PooledFile& file, std::string_view lines);      // compresses where asked to
  Result<void> end_frame();
  Result<void> take_waiting(PooledFile& file);
  void close_descriptor(PooledFile& file);

  FileSystem& fs_;
  std::size_t max_open_;
  std::size_t max_waiting_;
  std::unique_ptr<ZstdFrames> zstd_;  // null: no compression
  PooledFile* frame_of_ = nullptr;    // whose frame is open
  std::list<PooledFile*> open_;       // most recently used first
  std::set<PooledFile*> with_waiting_;
  std::set<PooledFile*> dirty_;
  std::set<std::string> folders_;  // to be synced
  std::size_t waiting_ = 0;
};

}  // namespace cdc
