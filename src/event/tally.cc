// Telling the run's statistics.
#include "event/tally.h"

#include <utility>

namespace cdc {
namespace {

// Returns what was added, and starts anew.
std::uint64_t move_to(std::atomic<std::uint64_t>& total, std::uint64_t& count) {
  const std::uint64_t added = std::exchange(count, 0);
  if (added != 0) total.fetch_add(added, std::memory_order_relaxed);
  return added;
}

}  // namespace

void Tally::publish() {
  const std::uint64_t events = move_to(stats_.creates, creates_) + move_to(stats_.updates, updates_) +
                               move_to(stats_.deletes, deletes_) + move_to(stats_.reads, reads_) +
                               move_to(stats_.truncates, truncates_) + move_to(stats_.messages, messages_);
  move_to(stats_.rows_scanned, scanned_);
  if (events == 0) return;
  stats_.events.fetch_add(events, std::memory_order_relaxed);
  stats_.last_event_ms.store(built_ns_ / 1'000'000, std::memory_order_relaxed);
  if (source_us_ != 0) stats_.last_source_ms.store(source_us_ / 1'000, std::memory_order_relaxed);
}

}  // namespace cdc
