// Their order and data.
#include "capture/snapshot_notices.h"

#include "filter/collection_filter.h"

namespace cdc {

SnapshotNotices::SnapshotNotices(const SnapshotPlan& plan, bool chunked,
                                 const std::vector<std::string>& beside)
    : plan_(plan), chunked_(chunked), has_units_(plan.tables.size()), begun_(plan.tables.size()) {
  for (const PlannedTable& table : plan.tables) {
    names_.push_back(collection_id(table.id));
    all_ += (all_.empty() ? "" : ",") + names_.back();
  }
  scanned_ = all_;
  for (const std::string& name : beside) scanned_ += (scanned_.empty() ? "" : ",") + name;
  for (const SnapshotUnit& unit : plan.units) has_units_[unit.table] = true;
}

Result<void> SnapshotNotices::send(std::string_view type, Data data, SnapshotEvents& out) const {
  Notification notification;
  notification.aggregate = notify::initial;
  notification.type = type;
  notification.data = std::move(data);
  return out.notify(notification);
}

Result<void> SnapshotNotices::started(SnapshotEvents& out) {
  return out.notifies() ? send("STARTED", {}, out) : Result<void>{};
}

Result<void> SnapshotNotices::in_progress(std::size_t table, SnapshotEvents& out) {
  return send("IN_PROGRESS", {{"data_collections", all_}, {"current_collection_in_progress", names_[table]}},
              out);
}

Result<void> SnapshotNotices::scan_completed(std::size_t table, std::uint64_t rows, SnapshotEvents& out) {
  return send("TABLE_SCAN_COMPLETED",
              {{"scanned_collection", names_[table]},
               {"data_collections", scanned_},
               {"total_rows_scanned", std::to_string(rows)},
               {"status", "SUCCEEDED"}},
              out);
}

// Tables that are known to be empty have no units: they are begun and done in their turn.
Result<void> SnapshotNotices::pass_empty_tables(std::size_t until, SnapshotEvents& out) {
  for (; passed_ < until; ++passed_) {
    if (has_units_[passed_]) continue;
    CDC_CHECK(in_progress(passed_, out));
    CDC_CHECK(scan_completed(passed_, 0, out));
  }
  return {};
}

Result<void> SnapshotNotices::unit_begins(const SnapshotUnit& unit, SnapshotEvents& out) {
  if (!out.notifies()) return {};
  std::lock_guard lock(mutex_);
  CDC_CHECK(pass_empty_tables(unit.table, out));
  if (!begun_[unit.table]) {
    begun_[unit.table] = true;
    CDC_CHECK(in_progress(unit.table, out));
  }
  if (!chunked_) return {};
  return send("TABLE_CHUNK_IN_PROGRESS",
              {{"current_collection_in_progress", names_[unit.table]},
               {"chunk_index", std::to_string(unit.number)},
               {"total_chunks", std::to_string(unit.total)},
               {"total_rows_scanned", "0"}},
              out);
}

Result<void> SnapshotNotices::unit_ended(const SnapshotUnit& unit, std::uint64_t rows, bool table_done,
                                         SnapshotEvents& out) {
  if (!out.notifies()) return {};
  std::lock_guard lock(mutex_);
  if (chunked_)
    CDC_CHECK(send("TABLE_CHUNK_COMPLETED",
                   {{"scanned_collection", names_[unit.table]},
                    {"data_collections", all_},
                    {"chunk_index", std::to_string(unit.number)},
                    {"total_chunks", std::to_string(unit.total)},
                    {"status", "SUCCEEDED"}},
                   out));
  return table_done ? scan_completed(unit.table, rows, out) : Result<void>{};
}

Result<void> SnapshotNotices::all_read(SnapshotEvents& out) {
  if (!out.notifies()) return {};
  std::lock_guard lock(mutex_);
  return pass_empty_tables(plan_.tables.size(), out);
}

Result<void> SnapshotNotices::aborted(const SnapshotUnit* unit, bool run_ends, SnapshotEvents& out) {
  if (!out.notifies()) return {};
  const auto tell = [&](std::string_view type, Data data) -> Result<void> {
    if (!run_ends) return send(type, std::move(data), out);
    Notification notification;
    notification.aggregate = notify::initial;
    notification.type = type;
    notification.data = std::move(data);
    out.notify_log(notification);
    return {};
  };
  if (unit != nullptr)
    CDC_CHECK(tell("TABLE_SCAN_COMPLETED",
                   {{"scanned_collection", names_[unit->table]}, {"status", "SQL_EXCEPTION"}}));
  return tell("ABORTED", {});
}

}  // namespace cdc
