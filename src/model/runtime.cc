// The stop request: an eventfd, so that it can be polled together with sockets and set from a signal handler.
#include "cdc/runtime.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>

namespace cdc {

StopToken::StopToken() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
StopToken::~StopToken() {
  if (fd_ >= 0) close(fd_);
}

void StopToken::request(std::string_view reason) {
  const char* none = nullptr;
  reason_.compare_exchange_strong(none, reason.data());
  requested_.store(true, std::memory_order_release);
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(fd_, &one, sizeof one);
}

std::string_view StopToken::reason() const {
  const char* reason = reason_.load();
  return reason == nullptr ? std::string_view() : std::string_view(reason);
}

bool StopToken::wait_for(std::chrono::milliseconds time) const {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!requested()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return requested();
    pollfd p{fd_, POLLIN, 0};
    if (poll(&p, 1, static_cast<int>(left.count() > 60000 ? 60000 : left.count())) < 0 && errno != EINTR)
      break;
  }
  return requested();
}

}  // namespace cdc
