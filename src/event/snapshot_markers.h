// Who is first and who is last (CORE-SNAP-13/14, CORE-PAR-05): shared by the workers of one snapshot.
// Each worker holds back its newest row; at the end of a unit it parks it here, and a parked row is
// released with its marker once it is known whether anything follows.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "cdc/position.h"
#include "cdc/snapshot.h"
#include "event/event.h"

namespace cdc {

// A row that waits for its marker.
struct HeldRow {
  TableHandle table;
  EncodedRow row;
  Buffer key;
  bool keyed = false;
  std::vector<std::string> resume_key;  // raw key texts, only in resumable snapshots
  std::size_t unit = 0;
  bool ends_unit = false;       // its release makes the unit done
  bool first_of_table = false;  // claimed when the row was taken
  bool first_of_all = false;
};

class SnapshotMarkers {
 public:
  // `done`: units of the plan (by index) that an earlier run has finished; nobody will end them here.
  SnapshotMarkers(const SnapshotPlan& plan, bool parallel, const std::set<std::size_t>& done = {});

  // Called by a worker before it writes any row of `table`: decides whether this row is the first of
  // its table / of all. While a first row is on its way, other workers of that scope wait in claim().
  struct Claim {
    bool first_of_table = false, first_of_all = false;
    std::unique_lock<std::mutex> held;
    std::atomic<bool>* started = nullptr;
    // To be called after the row was handed to the queue: lets the other workers of the table go on.
    void finish() {
      if (started == nullptr) return;
      started->store(true, std::memory_order_release);
      held.unlock();
      started = nullptr;
    }
  };
  Claim claim(std::size_t table);

  // A unit of `table` has its first row, so rows that wait for "is anything behind me?" have their
  // answer: the last row of an earlier table, and that of an earlier unit of this table. To be written
  // before the unit's own rows, in this order.
  struct Release {
    std::unique_ptr<HeldRow> row;
    SnapshotMarker marker = SnapshotMarker::middle;
  };
  std::vector<Release> rows_go_on(std::size_t table);

  // End of a unit; `last` is the worker's held row, or null when the unit was empty. Returns rows to
  // write now, each with its marker (at most two).
  std::vector<Release> end_unit(const SnapshotUnit& unit, std::unique_ptr<HeldRow> last);
  // All units are done: the very last row, or null when no table had rows.
  std::unique_ptr<HeldRow> take_last();

  static SnapshotMarker first_marker(const HeldRow& row);
  static SnapshotMarker table_end_marker(const HeldRow& row);

 private:
  struct TableState {
    std::uint32_t units_left = 0;
    std::unique_ptr<HeldRow> parked;  // last row of a finished unit while others of the table run
  };
  const bool parallel_;
  std::mutex mutex_;
  std::mutex first_mutex_;
  std::vector<TableState> tables_;
  std::vector<std::unique_ptr<std::atomic<bool>>> started_;
  std::atomic<bool> any_started_{false};
  std::unique_ptr<HeldRow> table_end_;  // last row of a finished table, while no later row is known
};

}  // namespace cdc
