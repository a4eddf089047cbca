// The time of day as events, states and logs store it. Waits and deadlines take the steady clock instead.
#pragma once

#include <chrono>
#include <cstdint>

namespace cdc {

// Microseconds since 1970, UTC.
inline std::int64_t wall_clock_us() {
  using namespace std::chrono;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

// Milliseconds since 1970, UTC.
inline std::int64_t wall_clock_ms() { return wall_clock_us() / 1'000; }

}  // namespace cdc
