// Reading the tables once: plan, workers, markers, completion.
#pragma once

#include <vector>

#include "capture/session.h"
#include "cdc/snapshot.h"
#include "event/stream_observer.h"

namespace cdc {

// Prints the plan's units on stdout, one JSON object a line (`--plan`).
Result<void> print_plan(const SnapshotPlan& plan);

// `resumable`: an interrupted run goes on where it was stored (keyed tables, key order).
Result<void> run_snapshot(Session& session, bool resumable);

// Reads some tables while the stream waits at a place between events (CORE-BLK): its link is kept alive,
// what it wrote goes before, and its position stays what it is.
Result<void> run_blocking_snapshot(Session& session, const std::vector<OnDemandTable>& tables,
                                   StreamOutput& out);

}  // namespace cdc
