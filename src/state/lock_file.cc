// flock, and the pid as text for people.
#include "state/lock_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

#include "state/disk.h"

namespace cdc {
namespace {

std::string holder_of(int fd) {
  char text[24];
  const ssize_t n = ::pread(fd, text, sizeof text, 0);
  std::string_view pid(text, n > 0 ? static_cast<std::size_t>(n) : 0);
  pid = pid.substr(0, pid.find('\n'));
  if (pid.empty() || pid.find_first_not_of("0123456789") != std::string_view::npos) return "another process";
  return fmt::format("process {}", pid);
}

}  // namespace

Result<LockFile> LockFile::take(const std::string& state_path) {
  const std::string path = state_path + ".lock";
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0) return state_fail("open the lock file", path, errno);
  LockFile lock(fd);
  int failed = 0;
  do failed = ::flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
  while (failed == EINTR);
  if (failed == EWOULDBLOCK)
    return fail(ErrorKind::usage, fmt::format("the state {} is used by {}", state_path, holder_of(fd)),
                "Stop that process, or give this capture a --name or --state of its own");
  if (failed != 0) return state_fail("lock", path, failed);
  const std::string pid = fmt::format("{}\n", ::getpid());
  if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, pid.data(), pid.size(), 0) < 0) {
    // A full disk: the lock holds all the same, only nobody can read whose it is.
  }
  return lock;
}

LockFile::~LockFile() {
  if (fd_ >= 0) ::close(fd_);
}
LockFile::LockFile(LockFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
LockFile& LockFile::operator=(LockFile&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

}  // namespace cdc
