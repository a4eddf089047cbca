// LagMeter: how far events were behind their source when they were built: least, most, average and
// percentiles over the run (CORE-MET-04, statistics.metrics.enabled). Percentiles come from a sketch with
// buckets that grow by a factor, so that each is right to 1 %, however many events there were.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace cdc {

class LagMeter {
 public:
  struct Summary {
    std::int64_t least = 0, most = 0, average = 0, p50 = 0, p95 = 0, p99 = 0;  // ms
  };

  void enable(bool on) { on_.store(on, std::memory_order_relaxed); }  // before the run
  // For each event, by the one thread that reads the stream. Events of one millisecond mostly have one lag:
  // only another one costs more than a comparison.
  void add(std::int64_t ms) {
    if (!on_.load(std::memory_order_relaxed)) return;
    const std::uint64_t same = same_.load(std::memory_order_relaxed);
    if (same != 0 && ms == value_.load(std::memory_order_relaxed))
      same_.store(same + 1, std::memory_order_relaxed);
    else
      change_to(ms);
  }
  // None: nothing was measured. From any thread.
  std::optional<Summary> summary() const;

 private:
  struct Sketch {
    void add(std::int64_t ms, std::uint64_t times);
    std::int64_t quantile(double q) const;
    std::vector<std::uint64_t> negative, positive;  // by bucket
    std::uint64_t zeros = 0, count = 0;
    std::int64_t least = 0, most = 0;
    double sum = 0;
  };
  void change_to(std::int64_t ms);

  std::atomic<bool> on_{false};
  std::atomic<std::int64_t> value_{0};  // the lag of the last `same_` events, which are not in the sketch yet
  std::atomic<std::uint64_t> same_{0};
  mutable std::mutex mutex_;  // of the sketch, and of changes of value_
  Sketch sketch_;
};

}  // namespace cdc
