// The service manager's datagrams, the ticker, and what the observer makes of log events.
#include "observe/observer.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace cdc;
using namespace cdc::observe;
using namespace std::chrono_literals;

namespace {

// A NOTIFY_SOCKET in the abstract namespace, as systemd makes it, and what was sent to it.
struct Manager {
  int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  std::string name = "@cdc-test-" + std::to_string(getpid());
  Manager() {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::memcpy(at.sun_path + 1, name.data() + 1, name.size() - 1);
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&at), size) == 0);
  }
  ~Manager() { ::close(fd); }
  std::vector<std::string> messages() const {
    std::vector<std::string> all;
    char chunk[512];
    for (ssize_t n; (n = ::recv(fd, chunk, sizeof chunk, 0)) > 0;)
      all.emplace_back(chunk, static_cast<std::size_t>(n));
    return all;
  }
};

struct Environment {
  explicit Environment(std::map<std::string, std::string> values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const auto& [name, value] : values_) ::unsetenv(name.c_str());
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  std::map<std::string, std::string> values_;
};

struct Run {
  int ends[2] = {-1, -1};
  Stats stats;
  std::unique_ptr<Console> console;
  std::unique_ptr<RunLog> log;
  Run() {
    REQUIRE(::pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
    console = std::make_unique<Console>(ends[1]);
    log = make_log(Level::error, LogFormat::json, *console);
  }
  ~Run() { ::close(ends[0]), ::close(ends[1]); }
  std::string printed() const {
    char chunk[65536];
    const ssize_t n = ::read(ends[0], chunk, sizeof chunk);
    return n > 0 ? std::string(chunk, static_cast<std::size_t>(n)) : std::string();
  }
};

}  // namespace

TEST_CASE("systemd: READY, STATUS, WATCHDOG, STOPPING reach the socket") {
  const Manager manager;
  const ServiceManager service([&](const char* name) -> const char* {
    if (std::strcmp(name, "NOTIFY_SOCKET") == 0) return manager.name.c_str();
    if (std::strcmp(name, "WATCHDOG_USEC") == 0) return "3000000";
    return nullptr;
  });
  REQUIRE(service.present());
  CHECK(service.watchdog_period() == 1500ms);
  service.ready();
  service.status("all well");
  service.alive();
  service.extend_timeout(30s);
  service.stopping();
  CHECK(manager.messages() == std::vector<std::string>{"READY=1", "STATUS=all well", "WATCHDOG=1",
                                                       "EXTEND_TIMEOUT_USEC=30000000", "STOPPING=1"});
}

TEST_CASE("systemd: absent, odd or foreign settings are harmless") {
  const auto with = [](std::map<std::string, std::string> values) {
    return [values = std::move(values)](const char* name) {
      const auto found = values.find(name);
      return found == values.end() ? nullptr : found->second.c_str();
    };
  };
  CHECK_FALSE(ServiceManager(with({})).present());
  for (const auto* path : {"", "relative", "/nowhere/at/all", "@", "vsock:2:1234"})
    CHECK_FALSE(ServiceManager(with({{"NOTIFY_SOCKET", path}})).present());
  CHECK_FALSE(ServiceManager(with({{"NOTIFY_SOCKET", "/" + std::string(200, 'x')}})).present());
  const Manager manager;
  CHECK_FALSE(ServiceManager(with({{"NOTIFY_SOCKET", manager.name}, {"WATCHDOG_USEC", "x1"}}))
                  .watchdog_period()
                  .has_value());
  CHECK_FALSE(ServiceManager(
                  with({{"NOTIFY_SOCKET", manager.name}, {"WATCHDOG_USEC", "1000"}, {"WATCHDOG_PID", "1"}}))
                  .watchdog_period()
                  .has_value());
  ServiceManager(with({})).ready();
}

TEST_CASE("observer: READY=1 comes with the event `streaming`, once; STOPPING=1 with `stopped`") {
  const Manager manager;
  const Environment environment({{"NOTIFY_SOCKET", manager.name}, {"WATCHDOG_USEC", "20000"}});
  Run run;
  Observer observer({}, *run.console, *run.log, run.stats);
  REQUIRE(observer.start().has_value());
  run.log->write(Level::info, "starting", "");
  run.log->write(Level::info, "snapshot_started", "");
  auto messages = manager.messages();
  CHECK(std::count(messages.begin(), messages.end(), "READY=1") == 0);
  run.log->write(Level::info, "streaming", "");
  run.log->write(Level::info, "reconnecting", "");
  run.log->write(Level::info, "streaming", "");
  ::usleep(60'000);
  run.log->write(Level::info, "stopped", "");
  messages = manager.messages();
  CHECK(std::count(messages.begin(), messages.end(), "READY=1") == 1);
  CHECK(std::count(messages.begin(), messages.end(), "STOPPING=1") == 1);
  CHECK(std::count(messages.begin(), messages.end(), "WATCHDOG=1") >= 2);
}

TEST_CASE("observer: a run that only takes a snapshot is ready when it reads") {
  const Manager manager;
  const Environment environment({{"NOTIFY_SOCKET", manager.name}});
  Run run;
  ObserverOptions options;
  options.snapshot_only = true;
  Observer observer(options, *run.console, *run.log, run.stats);
  run.log->write(Level::info, "snapshot_started", "");
  CHECK(manager.messages() == std::vector<std::string>{"READY=1"});
}

TEST_CASE("observer: stats lines come at their pace and once more at the end; phases follow the events") {
  Run run;
  ObserverOptions options;
  options.stats_every = 30ms;
  Observer observer(options, *run.console, *run.log, run.stats);
  REQUIRE(observer.start().has_value());
  run.log->write(Level::info, "streaming", "");
  CHECK(observer.facts().phase == Phase::streaming);
  CHECK(observer.facts().snapshot_skipped);
  run.stats.streaming = true;  // a blocking snapshot in between
  run.log->write(Level::info, "snapshot_started", "");
  CHECK(observer.facts().phase == Phase::snapshot);
  run.log->write(Level::info, "snapshot_completed", "");
  CHECK(observer.facts().phase == Phase::streaming);
  ::usleep(100'000);
  observer.finish();
  observer.finish();
  const std::string text = run.printed();
  const auto lines = std::count(text.begin(), text.end(), '\n');
  CHECK(lines >= 2);
  CHECK(lines <= 5);
  CHECK(text.starts_with("{\"ts_ms\":"));
}

TEST_CASE("ticker: jobs run at their pace, none after stop") {
  std::atomic<int> fast{0}, slow{0};
  Ticker ticker;
  ticker.every(10ms, [&] { ++fast; });
  ticker.every(1h, [&] { ++slow; });
  ticker.start();
  ::usleep(80'000);
  ticker.stop();
  const int seen = fast;
  CHECK(seen >= 3);
  CHECK(seen <= 9);
  CHECK(slow == 0);
  ::usleep(20'000);
  CHECK(fast == seen);
}
