// Renames NAME.new where NAME does not exist, else appends it to NAME.
#include "sink/file_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "sink/io_error.h"

namespace cdc {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 18;

// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor(FileSystem& fs, const std::string& path, FileSystem::Open how)
      : fs_(fs), fd_(fs.open(path, how)) {}
  ~Descriptor() {
    if (fd_ >= 0) fs_.close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  FileSystem& fs_;
  int fd_;
};

// Up to `size` bytes; fewer only at the end of the file.
Result<std::string_view> read_block(FileSystem& fs, int fd, const std::string& path, std::uint64_t offset,
                                    std::size_t size, std::vector<char>& buffer) {
  buffer.resize(size);
  std::size_t got = 0;
  while (got < size) {
    const std::int64_t n = fs.read(fd, buffer.data() + got, size - got, offset + got);
    if (n == -EINTR) continue;
    if (n < 0) return io_fail(fs, "read", path, static_cast<int>(n));
    if (n == 0) break;
    got += static_cast<std::size_t>(n);
  }
  return std::string_view(buffer.data(), got);
}

Result<void> write_block(FileSystem& fs, int fd, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const std::int64_t n = fs.write(fd, bytes.data(), bytes.size());
    if (n == -EINTR) continue;
    if (n <= 0) return io_fail(fs, "write to", path, n == 0 ? ENOSPC : static_cast<int>(n));
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return {};
}

// What follows byte `base` of the old file can only be what an earlier, unfinished join put there.
Result<void> check_earlier_join(FileSystem& fs, const FilePosition& file, int from, std::uint64_t size) {
  const Descriptor old(fs, file.final_path, FileSystem::Open::read);
  if (old.get() < 0) return io_fail(fs, "read", file.final_path, old.get());
  std::vector<char> left, right;
  for (std::uint64_t at = 0; file.sequence + at < size;) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, size - file.sequence - at));
    CDC_TRY(const std::string_view ours, read_block(fs, from, file.path, at, want, left));
    CDC_TRY(const std::string_view theirs,
            read_block(fs, old.get(), file.final_path, file.sequence + at, want, right));
    if (ours != theirs || ours.empty())
      return tl::unexpected<Error>(changed_file(file.final_path, size, file.sequence));
    at += ours.size();
  }
  return {};
}

Result<void> append_new(FileSystem& fs, const FilePosition& file, std::uint64_t size, bool sync) {
  const Descriptor from(fs, file.path, FileSystem::Open::read);
  if (from.get() < 0) return io_fail(fs, "read", file.path, from.get());
  CDC_CHECK(check_earlier_join(fs, file, from.get(), size));
  const Descriptor to(fs, file.final_path, FileSystem::Open::append);
  if (to.get() < 0) return io_fail(fs, "open", file.final_path, to.get());
  if (const int failed = fs.lock(to.get()); failed != 0) return io_fail(fs, "lock", file.final_path, failed);
  if (const int failed = fs.truncate(to.get(), file.sequence); failed != 0)
    return io_fail(fs, "cut", file.final_path, failed);
  std::vector<char> buffer;
  for (std::uint64_t at = 0; at < file.length;) {
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, file.length - at));
    CDC_TRY(const std::string_view block, read_block(fs, from.get(), file.path, at, want, buffer));
    if (block.empty()) return tl::unexpected<Error>(changed_file(file.path, at, file.length));
    CDC_CHECK(write_block(fs, to.get(), file.final_path, block));
    at += block.size();
  }
  if (sync)
    if (const int failed = fs.sync(to.get()); failed != 0)
      return io_fail(fs, "sync", file.final_path, failed);
  if (const int failed = fs.remove(file.path); failed != 0) return io_fail(fs, "remove", file.path, failed);
  return {};
}

}  // namespace

Error changed_file(const std::string& path, std::uint64_t size, std::uint64_t expected) {
  return Error{ErrorKind::sink,
               fmt::format("{} has {} bytes where {} were stored as written: something else has changed it",
                           path, size, expected),
               "Restore the file, or go on in another one with a new --output; the events that it lost are "
               "not written again",
               {},
               false};
}

Result<void> cut_file(FileSystem& fs, const std::string& path, std::uint64_t length, bool sync) {
  const Descriptor file(fs, path, FileSystem::Open::append);
  if (file.get() < 0) return io_fail(fs, "open", path, file.get());
  if (const int failed = fs.lock(file.get()); failed != 0) return io_fail(fs, "lock", path, failed);
  if (const int failed = fs.truncate(file.get(), length); failed != 0)
    return io_fail(fs, "cut", path, failed);
  if (sync)
    if (const int failed = fs.sync(file.get()); failed != 0) return io_fail(fs, "sync", path, failed);
  return {};
}

Result<FilePosition> join_new(FileSystem& fs, const FilePosition& file, bool sync) {
  FileInfo old;
  const int found = fs.stat(file.final_path, old);
  FileInfo fresh;
  if (const int failed = fs.stat(file.path, fresh); failed != 0)
    return io_fail(fs, "look at", file.path, failed);
  if (fresh.size < file.length)
    return tl::unexpected<Error>(changed_file(file.path, fresh.size, file.length));
  if (found == -ENOENT && file.sequence == 0) {
    if (fresh.size > file.length) CDC_CHECK(cut_file(fs, file.path, file.length, sync));
    if (const int failed = fs.rename_new(file.path, file.final_path); failed != 0)
      return io_fail(fs, "rename " + file.path + " to", file.final_path, failed);
  } else {
    if (found != 0) return io_fail(fs, "look at", file.final_path, found);
    if (old.size < file.sequence || old.size > file.sequence + fresh.size)
      return tl::unexpected<Error>(changed_file(file.final_path, old.size, file.sequence));
    CDC_CHECK(append_new(fs, file, old.size, sync));
  }
  if (sync) {
    const std::string folder = folder_of(file.final_path);
    if (const int failed = fs.sync_folder(folder); failed != 0)
      return io_fail(fs, "sync the folder", folder, failed);
  }
  FilePosition whole = file;
  whole.path = file.final_path;
  whole.length = file.sequence + file.length;
  whole.sequence = 0;
  return whole;
}

}  // namespace cdc
