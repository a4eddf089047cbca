// Reading the tables once: plan, workers, markers, completion.
#pragma once

#include "capture/session.h"

namespace cdc {

// Prints the plan's units on stdout, one JSON object a line (`--plan`).
Result<void> print_plan(const SnapshotPlan& plan);

// `resumable`: an interrupted run goes on where it was stored (keyed tables, key order).
Result<void> run_snapshot(Session& session, bool resumable);

}  // namespace cdc
