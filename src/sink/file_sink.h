// The sink for files: which file a line goes to, when a file is finished, and the two steps of a commit
// (flush gives positions, committed() gives finished files their names). How bytes get to the disk is
// file_pool.h; what happens at the start is file_recovery.h.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cdc/sink.h"
#include "sink/file_pool.h"
#include "sink/file_system.h"
#include "sink/options.h"
#include "sink/path_template.h"

namespace cdc {

class FileSink final : public Sink {
 public:
  using Clock = std::function<std::int64_t()>;  // wall clock, milliseconds since 1970
  FileSink(PathTemplate name, const SinkOptions& options, Runtime& runtime, FileSystem& fs, Clock clock);

  Result<void> open(const std::vector<FilePosition>& committed) override;
  Result<void> write(const Destination& to, std::string_view lines, std::uint64_t count) override;
  Result<std::vector<FilePosition>> flush() override;
  Result<void> committed() override;
  Result<std::vector<FilePosition>> close() override;
  bool is_files() const override { return true; }

 private:
  // The files of one key, one after the other.
  struct Channel {
    std::string key;
    FilePosition position;  // of the active file, else of the last one
    bool active = false;    // `file` is being written
    bool retired = false;   // not active, and `position` still waits in retired_
    PooledFile file;
  };
  struct Retired {
    FilePosition position;
    Channel* channel;
  };
  struct Room {
    std::uint64_t bytes, lines;
  };

  Channel& channel(const Destination& to);
  Result<void> write_lines(Channel& channel, std::string_view lines, std::uint64_t count);
  Result<void> begin(Channel& channel);
  Result<void> begin_numbered(Channel& channel, std::int64_t now);
  Result<void> begin_in_place(Channel& channel, std::int64_t now);
  Result<void> begin_replacement(Channel& channel, std::int64_t now);
  Result<void> begin_empty(Channel& channel);
  Result<void> check_place();
  Result<void> retire(Channel& channel);
  Result<void> name_finished(Retired& file);
  Result<void> join(Channel& channel);
  Result<std::vector<FilePosition>> settle_and_list();
  Room room(const Channel& channel) const;
  bool outdated(const FilePosition& position) const;
  std::vector<FilePosition> positions() const;
  // A file takes the place of the one that an earlier run has left, when it is complete.
  bool replaces() const {
    return options_.mode != FileMode::grow && !name_.has_sequence() && !name_.has_date();
  }
  bool syncs() const { return options_.fsync != FsyncPolicy::never; }
  // After a failed write or sync nobody knows what is on disk: no position may be given out any more.
  template <class Outcome>
  Outcome lasting(Outcome result) {
    if (!result && !failed_) failed_ = result.error();
    return result;
  }

  PathTemplate name_;
  SinkOptions options_;
  Runtime& runtime_;
  FileSystem& fs_;
  Clock clock_;
  std::optional<Error> failed_;
  std::map<std::string, std::unique_ptr<Channel>, std::less<>> channels_;  // by key
  std::vector<Channel*> by_number_;                                        // by Destination::number
  std::vector<Retired> retired_;                                           // finished, not yet committed
  std::size_t announced_ = 0;                                              // of these, told by the last flush
  std::vector<Channel*> new_;  // active files that still lie in NAME.new
  std::size_t announced_new_ = 0;
  bool closed_ = false;
  FilePool pool_;  // after the channels: it looks at their files when it goes
};

}  // namespace cdc
