// Reading and writing under the lock.
#include "signals/signal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace cdc {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

class LockedFile {
 public:
  static Result<LockedFile> open(const std::string& path, int flags) {
    int fd = ::open(path.c_str(), flags | O_CLOEXEC, 0644);
    if (fd < 0 && errno == ENOENT) return LockedFile(-1);
    if (fd < 0)
      return fail(ErrorKind::usage,
                  fmt::format("cannot open the signal file {}: {}", path, std::strerror(errno)));
    LockedFile file(fd);
    while (::flock(fd, LOCK_EX) != 0)
      if (errno != EINTR)
        return fail(ErrorKind::usage,
                    fmt::format("cannot lock the signal file {}: {}", path, std::strerror(errno)));
    return file;
  }
  explicit LockedFile(int fd) : fd_(fd) {}
  LockedFile(LockedFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  LockedFile(const LockedFile&) = delete;
  ~LockedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  int fd_;
};

}  // namespace

Result<std::string> take_signals(const std::string& path) {
  CDC_TRY(const LockedFile file, LockedFile::open(path, O_RDWR));
  std::string text;
  if (file.fd() < 0) return text;
  std::array<char, 8192> part;
  while (text.size() < kMostBytes) {
    const ssize_t n = ::read(file.fd(), part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return fail(ErrorKind::usage,
                  fmt::format("cannot read the signal file {}: {}", path, std::strerror(errno)));
    if (n == 0) break;
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  if (!text.empty() && ::ftruncate(file.fd(), 0) != 0)
    return fail(ErrorKind::usage,
                fmt::format("cannot empty the signal file {}: {}", path, std::strerror(errno)),
                "its signals are not carried out, they would come again and again");
  return text;
}

Result<void> add_signal(const std::string& path, std::string_view line) {
  CDC_TRY(const LockedFile file, LockedFile::open(path, O_RDWR | O_CREAT | O_APPEND));
  std::string text(line);
  text.push_back('\n');
  // A line that somebody left without its end must not swallow ours.
  char last = '\n';
  if (const off_t size = ::lseek(file.fd(), 0, SEEK_END);
      size > 0 && ::pread(file.fd(), &last, 1, size - 1) == 1 && last != '\n')
    text.insert(0, 1, '\n');
  const ssize_t n = ::write(file.fd(), text.data(), text.size());
  if (n != static_cast<ssize_t>(text.size()))
    return fail(ErrorKind::usage, fmt::format("cannot write to the signal file {}: {}", path,
                                              n < 0 ? std::strerror(errno) : "no room"));
  return {};
}

}  // namespace cdc
