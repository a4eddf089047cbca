// One call runs a whole capture: decides between snapshot and stream, drives the source, the writer,
// the state and the retries, and ends with a reason. The command line does nothing but call it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/runtime.h"

namespace cdc {

struct CaptureOptions {
  bool snapshot_only = false;       // `cdc snapshot`: read the tables and end
  bool resume = true;               // `cdc snapshot --no-resume` starts an unfinished one over
  bool dry_run = false;             // connect, validate, tell what would be captured; change nothing
  bool plan_only = false;           // `cdc snapshot --plan`: print the units as NDJSON on stdout
  std::vector<std::string> chunks;  // `cdc snapshot --chunk ID`: only these units of the plan
  std::string from;                 // --from now|beginning|POSITION
  std::string until;                // --until now|POSITION|timestamp
  std::optional<std::uint64_t> max_events;
  std::optional<std::chrono::milliseconds> max_time, idle_exit;
};

struct CaptureOutcome {
  std::string
      reason;  // "signal", "until", "max-events", "max-time", "idle", "snapshot completed", "nothing to do"
  std::string position;  // the last stored offset (JSON), empty: none
  std::uint64_t events = 0;
};

// Emits the log events of product.md (`starting` ... `stopped` / `failed`).
Result<CaptureOutcome> run_capture(const Config& config, const CaptureOptions& options, Runtime& runtime);

}  // namespace cdc
