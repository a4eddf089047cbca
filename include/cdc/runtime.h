// What every room may need of its surroundings, handed down instead of being global: the log, the
// stop request, the counters. One per process run; outlives all threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cdc/error.h"
#include "cdc/lag_meter.h"
#include "cdc/run_details.h"

namespace cdc {

enum class Level : std::uint8_t { trace, debug, info, warn, error, off };

// The log of one run: lines on stderr, as text or as one JSON object a line (`ts`, `level`, `event`,
// `message` and the event's own members). Thread-safe. Implemented in src/observe/log.cc.
class Log {
 public:
  using Member = std::pair<std::string_view, std::string>;  // a value that parses as a JSON number, true,
                                                            // false or object is written as such in JSON form
  virtual ~Log() = default;
  virtual bool enabled(Level level) const = 0;
  virtual void write(Level level, std::string_view event, std::string_view message,
                     std::initializer_list<Member> members = {}) = 0;
  // `warning` once per key; repetitions are counted and the counts reported when the run ends.
  virtual void warn_once(std::string_view key, std::string_view message) = 0;

  void debug(std::string_view message) { write(Level::debug, "debug", message); }
  void info(std::string_view message) { write(Level::info, "info", message); }
  void warn(std::string_view message) { write(Level::warn, "warning", message); }
};

// A stop request that blocking waits can poll together with their sockets. `fd()` becomes readable
// when stop was asked for. Signal-safe to request.
class StopToken {
 public:
  StopToken();
  ~StopToken();
  StopToken(const StopToken&) = delete;
  StopToken& operator=(const StopToken&) = delete;
  void request(std::string_view reason);  // the first reason wins; must point to static storage
  bool requested() const { return requested_.load(std::memory_order_relaxed); }
  std::string_view reason() const;
  int fd() const { return fd_; }
  // Sleeps up to `time`; true when stop was requested.
  bool wait_for(std::chrono::milliseconds time) const;

 private:
  std::atomic<bool> requested_{false};
  std::atomic<const char*> reason_{nullptr};
  int fd_ = -1;
};

// Counters that the reader and the writer keep and that progress, --stats and metrics show.
struct Stats {
  std::atomic<std::uint64_t> events{0}, creates{0}, updates{0}, deletes{0}, reads{0}, truncates{0},
      messages{0};
  std::atomic<std::uint64_t> filtered{0}, unchanged{0}, erroneous{0}, transactions{0};
  std::atomic<std::uint64_t> bytes_written{0}, events_written{0}, commits{0};
  std::atomic<std::int64_t> last_commit_ms{0};  // wall clock
  std::atomic<std::int64_t> last_event_ms{0};   // wall clock at which the last event was built; 0: none
  std::atomic<std::int64_t> last_source_ms{0};  // source timestamp of the last event
  std::atomic<std::uint64_t> queue_events{0}, queue_bytes{0}, queue_capacity_bytes{0};
  std::atomic<std::uint64_t> tables_captured{0}, tables_total{0}, tables_done{0}, rows_estimated{0},
      rows_scanned{0};
  std::atomic<bool> snapshot_running{false}, streaming{false};
  LagMeter lag;  // of streamed events
  RunDetails details;
};

struct Runtime {
  Log& log;
  StopToken& stop;
  Stats& stats;
};

}  // namespace cdc
