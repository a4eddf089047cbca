// RunFacts: what the log events of a run tell that the counters do not: when the snapshot began and
// ended, whether the server is connected. Filled by the observer, read by metrics and /healthz.
#pragma once

#include <atomic>
#include <cstdint>

namespace cdc::observe {

enum class Phase : std::uint8_t { starting, snapshot, streaming, reconnecting, stopping };

struct RunFacts {
  std::atomic<Phase> phase{Phase::starting};
  std::atomic<bool> snapshot_completed{false};
  std::atomic<bool> snapshot_skipped{false};         // streaming began and no snapshot had been asked for
  std::atomic<std::int64_t> snapshot_started_ms{0};  // wall clock; 0: never
  std::atomic<std::int64_t> snapshot_ended_ms{0};    // wall clock; 0: not yet
};

}  // namespace cdc::observe
