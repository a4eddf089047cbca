// The inside of a Connection, shared by the files that implement it; nobody else includes this.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "source/postgres/control/connection.h"

namespace cdc::pg {

using Clock = std::chrono::steady_clock;

// No deadline is the far future, so that there is one kind of wait.
inline Clock::time_point deadline_in(milliseconds time) {
  return time.count() <= 0 ? Clock::time_point::max() : Clock::now() + time;
}

enum class Wakeup : std::uint8_t { ready, timeout, stopped, failed };
enum class CopyMode : std::uint8_t { none, out, both };

struct Connection::State {
  pg_conn* conn = nullptr;
  Runtime* runtime = nullptr;
  Subject subject;
  milliseconds query_timeout{0};
  bool ignore_stop = false;
  bool dead = false;  // given up although libpq has not noticed (no answer to a cancel)
  CopyMode copy = CopyMode::none;
  bool first_row_pending = false;
  Clock::time_point first_row_deadline;
  std::string copy_attempted;
  milliseconds slow_after{0};
  std::function<void()> when_slow;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();
  bool stop_wanted() const { return !ignore_stop && runtime->stop.requested(); }
  // Waits for the socket (POLLIN, POLLOUT), the stop request or the deadline.
  Wakeup wait(short events, Clock::time_point deadline) const;
  // Sends what libpq has buffered; reads meanwhile, so that neither side blocks the other.
  Wakeup flush(Clock::time_point deadline);
  // Asks the server to cancel what runs. Does not wait: the request needs a connection of its own, which
  // may hang where the server does.
  void cancel() const;
};

}  // namespace cdc::pg
