// Notifications of initial and blocking snapshots (CORE-SNAP-19, CORE-NOT-04): which are due when a unit
// begins or ends. Thread-safe; a snapshot without notifications pays one test.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "cdc/snapshot.h"
#include "event/snapshot_events.h"

namespace cdc {

class SnapshotNotices {
 public:
  // `chunked`: tables are read in parts by several workers.
  // `beside`: captured tables that are not read (signal tables); Debezium lists them with the scanned ones.
  SnapshotNotices(const SnapshotPlan& plan, bool chunked, const std::vector<std::string>& beside);

  Result<void> started(SnapshotEvents& out);
  Result<void> unit_begins(const SnapshotUnit& unit, SnapshotEvents& out);
  // `rows`: of the table so far; `table_done`: it was its last unit.
  Result<void> unit_ended(const SnapshotUnit& unit, std::uint64_t rows, bool table_done, SnapshotEvents& out);
  // Tables behind the last one with rows.
  Result<void> all_read(SnapshotEvents& out);
  // `unit`: the one that failed; null where none did. `run_ends`: with an error; Debezium's records of that
  // never leave its queue, and so only the log is told.
  Result<void> aborted(const SnapshotUnit* unit, bool run_ends, SnapshotEvents& out);

 private:
  using Data = std::vector<std::pair<std::string_view, std::string>>;
  Result<void> send(std::string_view type, Data data, SnapshotEvents& out) const;
  Result<void> pass_empty_tables(std::size_t until, SnapshotEvents& out);
  Result<void> in_progress(std::size_t table, SnapshotEvents& out);
  Result<void> scan_completed(std::size_t table, std::uint64_t rows, SnapshotEvents& out);

  const SnapshotPlan& plan_;
  const bool chunked_;
  std::mutex mutex_;
  std::vector<std::string> names_;
  std::string all_, scanned_;  // lists of names: of the plan, and with those beside it
  std::vector<bool> has_units_, begun_;
  std::size_t passed_ = 0;  // tables before it were looked at
};

}  // namespace cdc
