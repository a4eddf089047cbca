// poll and write. A pipe or terminal is opened once more through /proc to get a description of our own
// that may be made non-blocking: O_NONBLOCK on the inherited one would change it for the shell, too.
#include "sink/stream_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sink/io_error.h"

namespace cdc {
namespace {
constexpr useconds_t kFirstLookUs = 20, kLastLookUs = 10'000;
constexpr std::chrono::milliseconds kStandsStill{1000};
}  // namespace

std::size_t unread_bytes(int pipe) {
  int bytes = 0;
  return ::ioctl(pipe, FIONREAD, &bytes) == 0 && bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

StreamWriter::StreamWriter(const StopToken& stop, std::chrono::milliseconds drain, std::string name)
    : stop_(stop), drain_(drain), name_(std::move(name)) {}

StreamWriter::~StreamWriter() { detach(); }

void StreamWriter::detach() {
  if (own_ && fd_ >= 0) ::close(fd_);
  fd_ = -1;
  own_ = pipe_ = false;
}

void StreamWriter::attach(int fd, bool own) {
  detach();
  fd_ = fd;
  own_ = own;
  way_ = Way::regular;
  struct stat st {};
  if (::fstat(fd, &st) != 0) return;  // the first write tells
  pipe_ = S_ISFIFO(st.st_mode);
  if (S_ISSOCK(st.st_mode)) {
    way_ = Way::socket;
  } else if (pipe_ || (S_ISCHR(st.st_mode) && ::isatty(fd) == 1)) {
    if ((::fcntl(fd, F_GETFL) & O_NONBLOCK) != 0) {
      way_ = Way::nonblocking;
      return;
    }
    const int mine =
        ::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    way_ = mine < 0 ? Way::chunked : Way::nonblocking;
    if (mine < 0) return;
    if (own_) ::close(fd_);
    fd_ = mine;
    own_ = true;
  }
}

long StreamWriter::write_some(std::string_view data) const {
  switch (way_) {
    case Way::socket:
      return ::send(fd_, data.data(), data.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    case Way::chunked: {
      pollfd p{fd_, POLLOUT, 0};
      if (::poll(&p, 1, 0) == 0) {
        errno = EAGAIN;
        return -1;
      }
      return ::write(fd_, data.data(), std::min<std::size_t>(data.size(), PIPE_BUF));
    }
    default:
      return ::write(fd_, data.data(), data.size());
  }
}

Result<void> StreamWriter::write(std::string_view data, std::size_t& written) {
  written = 0;
  while (written < data.size()) {
    const long n = write_some(data.substr(written));
    if (n > 0) {
      written += static_cast<std::size_t>(n);
      continue;
    }
    const int code = n == 0 ? ENOSPC : errno;
    if (code == EINTR) continue;
    if (code == EAGAIN || code == EWOULDBLOCK) {
      CDC_CHECK(wait(POLLOUT, std::chrono::hours(1)));
      continue;
    }
    if (code == EPIPE || code == ECONNRESET)
      return fail(ErrorKind::sink_gone, fmt::format("the reader of {} went away", name_));
    return tl::unexpected<Error>(stream_error("write to", name_, code));
  }
  return {};
}

Result<bool> StreamWriter::wait_until_read() const {
  using std::chrono::steady_clock;
  if (!pipe_) return true;
  std::size_t left = unread_bytes(fd_);
  auto moved = steady_clock::now();
  // Pipes tell nobody that they are empty, so we look again, less and less often.
  for (useconds_t pause = kFirstLookUs; left != 0; pause = std::min(pause * 2, kLastLookUs)) {
    pollfd p{fd_, 0, 0};
    if (::poll(&p, 1, 0) > 0 && (p.revents & POLLERR) != 0)
      return fail(ErrorKind::sink_gone, fmt::format("the reader of {} went away", name_));
    if (steady_clock::now() - moved > kStandsStill) return false;
    ::usleep(pause);
    const std::size_t now = unread_bytes(fd_);
    if (now < left) moved = steady_clock::now();
    left = now;
  }
  return true;
}

Result<void> StreamWriter::wait(short events, std::chrono::milliseconds at_most) {
  using std::chrono::steady_clock;
  const auto until = steady_clock::now() + at_most;
  for (;;) {
    const auto now = steady_clock::now();
    if (stop_.requested() && !deadline_) deadline_ = now + drain_;
    if (deadline_ && now >= *deadline_)
      return fail(ErrorKind::cancelled,
                  fmt::format("stopped while the reader of {} did not take any more", name_));
    if (now >= until) return {};
    const auto end = deadline_ ? std::min(*deadline_, until) : until;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - now).count();
    // Once stop was seen its descriptor is readable for ever: only the deadline counts then.
    pollfd p[2] = {{fd_, events, 0}, {stop_.fd(), POLLIN, 0}};
    const int ready = ::poll(p, deadline_ ? 1 : 2, static_cast<int>(std::min<long long>(left, 60'000)));
    if (ready < 0 && errno != EINTR) return tl::unexpected<Error>(stream_error("wait for", name_, errno));
    if (ready > 0 && p[0].revents != 0) return {};
  }
}

}  // namespace cdc
