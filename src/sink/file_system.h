// The calls that the file sink makes to the operating system, and nothing else, so that tests can put
// a disk in their place that fills up, writes short or dies. Every call returns a negative errno when
// it fails, and never retries by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cdc {

struct FileInfo {
  enum class Kind : std::uint8_t { regular, folder, fifo, character, other };
  Kind kind = Kind::regular;
  std::uint64_t size = 0;
  std::uint64_t device = 0;  // of the file system it lies on
};

class FileSystem {
 public:
  enum class Open : std::uint8_t { read, append, append_or_create };

  virtual ~FileSystem() = default;
  virtual int open(const std::string& path, Open how) = 0;  // a descriptor
  virtual int close(int fd) = 0;
  // One process at a time may write a file; the lock goes with the descriptor. -EWOULDBLOCK: taken.
  virtual int lock(int fd) = 0;
  virtual std::int64_t write(int fd, const char* data, std::size_t size) = 0;  // may write less
  virtual std::int64_t read(int fd, char* data, std::size_t size, std::uint64_t offset) = 0;
  virtual int truncate(int fd, std::uint64_t length) = 0;
  virtual int sync(int fd) = 0;                          // data and length of one file
  virtual int sync_device(int fd) = 0;                   // everything on the file system that holds fd
  virtual int sync_folder(const std::string& path) = 0;  // names in a folder
  virtual int stat(const std::string& path, FileInfo& info) = 0;
  virtual int rename_new(const std::string& from,
                         const std::string& to) = 0;  // -EEXIST rather than replacing
  virtual int rename_over(const std::string& from, const std::string& to) = 0;  // replaces a file
  virtual int remove(const std::string& path) = 0;
  virtual int may_write(const std::string& path) = 0;  // into a file, or entries of a folder; 0: yes
  virtual int make_folder(const std::string& path) = 0;
  virtual int list(const std::string& path, std::vector<std::string>& names) = 0;
  virtual std::uint64_t free_bytes(const std::string& path) = 0;  // where `path` lies; 0 when unknown
};

FileSystem& posix_file_system();

// "/a/b" of "/a/b/c"; "." when there is no slash.
std::string folder_of(const std::string& path);

}  // namespace cdc
