// Plain system calls, each error with its path.
#include "state/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace cdc {
namespace {

constexpr int kMostLinks = 40;  // as the kernel follows

struct Row {
  int code;
  ErrorKind kind;
  std::string_view hint;
};
constexpr std::array kErrors{
    Row{ENOSPC, ErrorKind::sink, "Free some space and start again: the last stored position is still good"},
    Row{EDQUOT, ErrorKind::sink,
        "Raise the disk quota and start again: the last stored position is still good"},
    Row{EIO, ErrorKind::sink, "The disk reports an error; see the kernel log"},
    Row{EACCES, ErrorKind::usage,
        "Give the user that runs cdc the right to it, or choose another place with --state"},
    Row{EPERM, ErrorKind::usage,
        "Give the user that runs cdc the right to it, or choose another place with --state"},
    Row{EROFS, ErrorKind::usage, "The file system is mounted read-only; choose another place with --state"},
    Row{EISDIR, ErrorKind::usage, "Name a file, not a folder, with --state"},
    Row{ENOTDIR, ErrorKind::usage,
        "A part of the path is a file where a folder is needed; choose another place with --state"},
    Row{ENAMETOOLONG, ErrorKind::usage, "Choose a shorter path with --state"},
    Row{ELOOP, ErrorKind::usage, "Its symbolic links lead in a circle; choose another place with --state"},
};

// Closes itself; close() tells whether that went well.
class File {
 public:
  File(const std::string& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)), error_(errno) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return fd_ >= 0; }
  int open_error() const { return error_; }
  int fd() const { return fd_; }
  bool close() { return fd_ < 0 || ::close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
  int error_;
};

std::string folder_of_path(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0 ? ENOSPC : errno;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

tl::unexpected<Error> state_fail(std::string_view attempt, const std::string& path, int code) {
  const std::string message = fmt::format("cannot {} {}: {}", attempt, path,
                                          std::error_code(code, std::generic_category()).message());
  for (const Row& row : kErrors)
    if (row.code == code) return fail(row.kind, message, std::string(row.hint));
  return fail(ErrorKind::sink, message);
}

Result<std::optional<std::string>> read_file(const std::string& path) {
  const File file(path, O_RDONLY);
  if (!file.is_open()) {
    if (file.open_error() == ENOENT) return std::nullopt;
    return state_fail("read", path, file.open_error());
  }
  std::string content;
  for (char block[1 << 16];;) {
    const ssize_t n = ::read(file.fd(), block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return state_fail("read", path, errno);
    if (n == 0) return content;
    content.append(block, static_cast<std::size_t>(n));
  }
}

Result<void> sync_folder_of(const std::string& path) {
  const std::string folder = folder_of_path(path);
  const File file(folder, O_RDONLY | O_DIRECTORY);
  if (!file.is_open()) return state_fail("open the folder", folder, file.open_error());
  if (::fsync(file.fd()) != 0 && errno != EINVAL) return state_fail("sync the folder", folder, errno);
  return {};
}

std::string behind_links(const std::string& path) {
  std::string to = path;
  std::error_code failed;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(to, failed); ++links) {
    const std::filesystem::path target = std::filesystem::read_symlink(to, failed);
    if (failed) break;
    to = (std::filesystem::path(to).parent_path() / target).string();
  }
  return to;
}

Result<void> replace_file(const std::string& link, std::string_view content) {
  const std::string path = behind_links(link);
  std::error_code unseen;
  // The superuser may rename over anything, devices included.
  const auto there = std::filesystem::status(path, unseen);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    return fail(ErrorKind::usage, fmt::format("cannot write {}: it is no regular file", link),
                "Name a file, or a path where nothing is yet");
  const std::string temporary = path + ".tmp";
  int failed = 0;
  {
    File file(temporary, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file.is_open()) return state_fail("write", temporary, file.open_error());
    failed = write_all(file.fd(), content);
    if (failed == 0 && ::fsync(file.fd()) != 0) failed = errno;
    if (!file.close() && failed == 0) failed = errno;
  }
  if (failed == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) failed = errno;
  if (failed != 0) {
    ::unlink(temporary.c_str());
    return state_fail("write", path, failed);
  }
  return sync_folder_of(path);
}

Result<void> make_folders_above(const std::string& path) {
  const std::string folder = folder_of_path(path);
  struct stat st {};
  if (::stat(folder.c_str(), &st) == 0) return {};
  if (errno != ENOENT) return state_fail("look at the folder", folder, errno);
  CDC_CHECK(make_folders_above(folder));
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return state_fail("make the folder", folder, errno);
  return {};
}

}  // namespace cdc
