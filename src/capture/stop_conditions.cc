// Watching the clock.
#include "capture/stop_conditions.h"

#include <algorithm>
#include <chrono>

namespace cdc {

StopConditions::StopConditions(const CaptureOptions& options, Runtime& runtime) {
  if (options.max_time || options.idle_exit)
    thread_ = std::thread([this, &options, &runtime] { watch(options, runtime); });
}

StopConditions::~StopConditions() {
  {
    std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void StopConditions::watch(const CaptureOptions& options, Runtime& runtime) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  auto last_change = start;
  std::uint64_t events = 0;
  std::unique_lock lock(mutex_);
  while (!over_) {
    const auto now = Clock::now();
    const std::uint64_t seen = runtime.stats.events.load();
    // Idle counts from the moment the stream is reached: a long snapshot is not idleness.
    if (seen != events || !runtime.stats.streaming) {
      events = seen;
      last_change = now;
    }
    if (options.max_time && now - start >= *options.max_time) return runtime.stop.request("max-time");
    if (options.idle_exit && now - last_change >= *options.idle_exit) return runtime.stop.request("idle");
    auto next = now + std::chrono::seconds(1);
    if (options.max_time) next = std::min(next, start + *options.max_time);
    if (options.idle_exit) next = std::min(next, last_change + *options.idle_exit);
    ended_.wait_until(lock, std::max(next, now + std::chrono::milliseconds(5)));
  }
}

}  // namespace cdc
