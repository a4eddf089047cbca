// Reading and writing under the lock.
#include "signals/signal_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace cdc {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;
// Nobody holds the lock for longer than a write; who does (a stopped process) must not hold up the stream.
constexpr int kLockTries = 100;
constexpr std::chrono::milliseconds kLockPause{10};

tl::unexpected<Error> failed(std::string_view attempt, const std::string& path, std::string_view why,
                             std::string_view hint = {}) {
  return fail(ErrorKind::usage, fmt::format("cannot {} the signal file {}: {}", attempt, path, why),
              std::string(hint));
}

class LockedFile {
 public:
  // One that is not there is no error, unless the flags make it; then fd() is negative.
  static Result<LockedFile> open(const std::string& path, int flags) {
    LockedFile file(::open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0644));
    if (file.fd_ < 0 && errno == ENOENT && (flags & O_CREAT) == 0) return file;
    if (file.fd_ < 0) return failed("open", path, std::strerror(errno));
    struct stat facts {};
    if (::fstat(file.fd_, &facts) != 0) return failed("open", path, std::strerror(errno));
    if (!S_ISREG(facts.st_mode)) return failed("use", path, "it is no regular file");
    for (int tries = 0; ::flock(file.fd_, LOCK_EX | LOCK_NB) != 0;) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) return failed("lock", path, std::strerror(errno));
      if (++tries == kLockTries) return failed("lock", path, "another process has locked it");
      std::this_thread::sleep_for(kLockPause);
    }
    return file;
  }
  LockedFile(LockedFile&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  LockedFile(const LockedFile&) = delete;
  ~LockedFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  int fd() const { return fd_; }

 private:
  explicit LockedFile(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace

Result<std::string> take_signals(const std::string& path) {
  CDC_TRY(const LockedFile file, LockedFile::open(path, O_RDWR));
  std::string text;
  if (file.fd() < 0) return text;
  std::array<char, 8192> part;
  for (;;) {
    const ssize_t n = ::read(file.fd(), part.data(), part.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failed("read", path, std::strerror(errno));
    if (n == 0) break;
    text.append(part.data(), static_cast<std::size_t>(n));
    if (text.size() > kMostBytes) return failed("use", path, "it is larger than 16 MiB");
  }
  if (!text.empty() && ::ftruncate(file.fd(), 0) != 0)
    return failed("empty", path, std::strerror(errno),
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
    return failed("write to", path, n < 0 ? std::strerror(errno) : "no room");
  return {};
}

}  // namespace cdc
