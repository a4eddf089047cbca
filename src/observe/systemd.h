// systemd's notification protocol, spoken directly: one datagram to the socket that NOTIFY_SOCKET
// names. What is told when is decided by the observer.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cdc::observe {

// Thread-safe after construction. Does nothing when no service manager waits for messages.
class ServiceManager {
 public:
  using Environment = std::function<const char*(const char*)>;
  // Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. The default asks getenv.
  explicit ServiceManager(const Environment& environment = {});
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  bool present() const { return fd_ >= 0; }
  // How often a sign of life is due (half of the deadline); nothing when none is expected of this process.
  std::optional<std::chrono::milliseconds> watchdog_period() const { return watchdog_period_; }

  void ready() const { send("READY=1"); }
  void stopping() const { send("STOPPING=1"); }
  void alive() const { send("WATCHDOG=1"); }
  void status(std::string_view one_line) const { send("STATUS=" + std::string(one_line)); }
  // The start takes longer than TimeoutStartSec (a snapshot runs): it goes on for at least `time`.
  void extend_timeout(std::chrono::microseconds time) const {
    send("EXTEND_TIMEOUT_USEC=" + std::to_string(time.count()));
  }

 private:
  void send(const std::string& message) const;
  int fd_ = -1;
  std::optional<std::chrono::milliseconds> watchdog_period_;
};

}  // namespace cdc::observe
