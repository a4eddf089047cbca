// Bookkeeping of first and last rows.
#include "event/snapshot_markers.h"

namespace cdc {

SnapshotMarkers::SnapshotMarkers(const SnapshotPlan& plan, bool parallel, const std::set<std::size_t>& done)
    : parallel_(parallel), tables_(plan.tables.size()) {
  for (std::size_t i = 0; i < plan.tables.size(); ++i)
    started_.push_back(std::make_unique<std::atomic<bool>>(false));
  for (std::size_t i = 0; i < plan.units.size(); ++i)
    if (!done.contains(i)) ++tables_[plan.units[i].table].units_left;
}

SnapshotMarkers::Claim SnapshotMarkers::claim(std::size_t table) {
  Claim claim;
  std::atomic<bool>& started = *started_[table];
  if (started.load(std::memory_order_acquire)) return claim;
  std::unique_lock lock(first_mutex_);
  if (started.load(std::memory_order_relaxed)) return claim;  // another worker was first meanwhile
  claim.first_of_table = true;
  // In one thread only the first table of the plan can have the first row; chunks go by what comes first.
  claim.first_of_all = !any_started_.load(std::memory_order_relaxed) && (parallel_ || table == 0);
  any_started_.store(true, std::memory_order_relaxed);
  claim.started = &started;
  claim.held = std::move(lock);
  return claim;
}

std::vector<SnapshotMarkers::Release> SnapshotMarkers::rows_go_on(std::size_t table) {
  std::vector<Release> out;
  std::lock_guard lock(mutex_);
  if (table_end_ != nullptr) {
    const SnapshotMarker marker = table_end_marker(*table_end_);
    out.push_back({std::move(table_end_), marker});
  }
  if (auto& parked = tables_[table].parked; parked != nullptr) {
    const SnapshotMarker marker = first_marker(*parked);
    out.push_back({std::move(parked), marker});
  }
  return out;
}

SnapshotMarker SnapshotMarkers::table_end_marker(const HeldRow& row) {
  return row.first_of_all ? SnapshotMarker::first : SnapshotMarker::last_in_data_collection;
}

SnapshotMarker SnapshotMarkers::first_marker(const HeldRow& row) {
  if (row.first_of_all) return SnapshotMarker::first;
  return row.first_of_table ? SnapshotMarker::first_in_data_collection : SnapshotMarker::middle;
}

std::vector<SnapshotMarkers::Release> SnapshotMarkers::end_unit(const SnapshotUnit& unit,
                                                                std::unique_ptr<HeldRow> last) {
  std::vector<Release> out;
  std::lock_guard lock(mutex_);
  TableState& table = tables_[unit.table];
  if (table.units_left > 0) --table.units_left;
  if (last != nullptr) {
    if (table.parked != nullptr) {
      const SnapshotMarker marker = first_marker(*table.parked);
      out.push_back({std::move(table.parked), marker});
    }
    table.parked = std::move(last);
  }
  if (table.units_left > 0 || table.parked == nullptr) return out;
  if (table_end_ != nullptr) {
    const SnapshotMarker marker = table_end_marker(*table_end_);
    out.push_back({std::move(table_end_), marker});
  }
  table_end_ = std::move(table.parked);
  return out;
}

std::unique_ptr<HeldRow> SnapshotMarkers::take_last() {
  std::lock_guard lock(mutex_);
  return std::move(table_end_);
}

}  // namespace cdc
