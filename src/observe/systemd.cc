// The socket of the service manager: a path, or a name in the abstract namespace (leading '@').
#include "observe/systemd.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>

namespace cdc::observe {
namespace {

std::optional<std::uint64_t> number(const char* text) {
  if (text == nullptr) return std::nullopt;
  std::uint64_t n = 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, n);
  if (error != std::errc() || stop != end) return std::nullopt;
  return n;
}

int connect_to(std::string_view address) {
  sockaddr_un to{};
  to.sun_family = AF_UNIX;
  if (address.size() < 2 || address.size() >= sizeof to.sun_path) return -1;
  if (address.front() != '/' && address.front() != '@') return -1;
  std::memcpy(to.sun_path, address.data(), address.size());
  if (address.front() == '@') to.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  // An abstract name has no terminator: its length is part of it.
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&to), size) == 0) return fd;
  ::close(fd);
  return -1;
}

}  // namespace

ServiceManager::ServiceManager(const Environment& environment) {
  const auto get = [&](const char* name) { return environment ? environment(name) : std::getenv(name); };
  if (const char* address = get("NOTIFY_SOCKET"); address != nullptr) fd_ = connect_to(address);
  if (fd_ < 0) return;
  const auto deadline_us = number(get("WATCHDOG_USEC"));
  const auto pid = number(get("WATCHDOG_PID"));
  const bool for_us = !pid || *pid == static_cast<std::uint64_t>(getpid());
  if (deadline_us && *deadline_us > 0 && for_us)
    watchdog_period_ = std::chrono::milliseconds(std::max<std::uint64_t>(*deadline_us / 2000, 1));
}

ServiceManager::~ServiceManager() {
  if (fd_ >= 0) ::close(fd_);
}

void ServiceManager::send(const std::string& message) const {
  // Best effort: a service manager that does not read must not stop the capture.
  if (fd_ >= 0) [[maybe_unused]]
    const auto sent = ::send(fd_, message.data(), message.size(), MSG_NOSIGNAL);
}

}  // namespace cdc::observe
