// Progress: the status line of a run, from its counters. Pure text; the console shows it.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "cdc/runtime.h"
#include "observe/run_facts.h"

namespace cdc::observe {

// How fast a counter has grown over the last ten seconds or so.
class RateMeter {
 public:
  using Clock = std::chrono::steady_clock;
  void add(std::uint64_t count, Clock::time_point now);
  double per_second() const;
  void reset() { used_ = 0; }

 private:
  struct Point {
    std::uint64_t count = 0;
    Clock::time_point when;
  };
  std::array<Point, 50> points_{};  // a ring
  std::size_t next_ = 0, used_ = 0;
};

// What one status line says.
struct ProgressView {
  Phase phase = Phase::starting;
  std::uint64_t rows = 0, rows_estimated = 0;  // snapshot
  std::uint64_t tables_done = 0, tables_total = 0;
  std::uint64_t events = 0;  // streaming
  std::uint64_t bytes = 0;
  double per_second = 0;               // rows or events
  std::optional<std::int64_t> lag_ms;  // streaming; nothing while no event came
};

// At most `width` columns; what matters least is left away first. `utf8`: with block characters.
std::string progress_line(const ProgressView& view, unsigned width, bool utf8);

// Short forms for people: "1,234", "12.3k", "4.6 MB", "1:02:03".
std::string grouped(std::uint64_t n);
std::string short_count(double n);
std::string short_bytes(std::uint64_t n);
std::string clock_time(std::chrono::seconds time);

// Follows the counters and makes views of them. One thread.
class Progress {
 public:
  Progress(const Stats& stats, const RunFacts& facts) : stats_(stats), facts_(facts) {}
  ProgressView look(RateMeter::Clock::time_point now);

 private:
  const Stats& stats_;
  const RunFacts& facts_;
  RateMeter rate_;
  Phase last_phase_ = Phase::starting;
};

}  // namespace cdc::observe
