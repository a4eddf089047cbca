// Snapshot rows.
#include "event/snapshot_events.h"

#include "event/conversion_trouble.h"
#include "event/other_records.h"
#include "event/row_encoder.h"

namespace cdc {

SnapshotEvents::SnapshotEvents(EventRoom& room, SnapshotMarkers& markers, bool resumable, bool parallel)
    : room_(room),
      markers_(markers),
      resumable_(resumable),
      parallel_(parallel),
      batch_(room),
      envelope_(room),
      notifier_(room),
      held_(std::make_unique<HeldRow>()),
      spare_(std::make_unique<HeldRow>()) {}

Result<TableHandle> SnapshotEvents::table(TableShape shape) {
  CDC_TRY(table_, room_.tables->compile(std::move(shape)));
  return table_;
}

Result<void> SnapshotEvents::begin_unit(std::size_t index, const SnapshotUnit& unit) {
  unit_ = unit;
  unit_index_ = index;
  begun_ = false;
  unit_rows_ = told_rows_ = 0;
  if (resumable_ && !unit.ordered) batch_.add_mark({index, UnitMark::Kind::opened, {}});
  return {};
}

Result<void> SnapshotEvents::seal_if_full() {
  if (!batch_.full()) return {};
  return flush(false);
}

void SnapshotEvents::tell_rows() {
  if (table_ == nullptr || told_rows_ == unit_rows_) return;
  const auto rows = static_cast<std::int64_t>(unit_rows_ - std::exchange(told_rows_, unit_rows_));
  room_.runtime.stats.details.change(
      [&](RunDetails::Facts& facts) { facts.rows[table_->collection_id] += rows; });
}

Result<void> SnapshotEvents::flush(bool must_store) {
  tell_rows();
  if (batch_.empty() && !must_store) return {};
  mark_progress();
  return batch_.seal(position_ == nullptr ? Checkpoint{} : position_->checkpoint(), must_store);
}

// Every batch that holds rows of an ordered unit says how far it goes: a stored file length and a
// stored key must fit each other.
void SnapshotEvents::mark_progress() {
  if (!progressed_) return;
  batch_.add_mark({unit_index_, UnitMark::Kind::progress, written_key_});
  progressed_ = false;
}

Result<void> SnapshotEvents::row(const RowChange& change) {
  if (room_.finished()) return fail(ErrorKind::cancelled, "the wanted number of events was reached");
  if (!begun_) {
    begun_ = true;
    for (auto& waiting : markers_.rows_go_on(unit_.table))
      CDC_CHECK(write_held(*waiting.row, waiting.marker));
  }
  if (holds_) {
    CDC_CHECK(release(*held_));
    CDC_CHECK(seal_if_full());
  }
  batch_.tally().row_scanned();
  ++unit_rows_;
  HeldRow& next = *spare_;
  encode_row(*change.table, change.after, next.row);
  if (next.row.troubled)
    CDC_CHECK(report_trouble(*change.table, change.after, next.row, room_.options.converting, room_.runtime));
  next.key.clear();
  next.keyed = change.table->keyed && encode_key(*change.table, change.after, &next.row, next.key);
  if (next.table.get() != change.table) next.table = table_;
  next.unit = unit_index_;
  next.ends_unit = next.first_of_table = next.first_of_all = false;
  if (resumable_ && unit_.ordered) {
    const auto& key = change.table->shape.key;
    next.resume_key.resize(key.size());
    for (std::size_t i = 0; i < key.size(); ++i) next.resume_key[i].assign(change.after[key[i]].data);
  }
  std::swap(held_, spare_);
  holds_ = true;
  return {};
}

Result<void> SnapshotEvents::release(HeldRow& held) {
  auto claim = markers_.claim(unit_.table);
  held.first_of_table = claim.first_of_table;
  held.first_of_all = claim.first_of_all;
  CDC_CHECK(write_held(held, SnapshotMarkers::first_marker(held)));
  if (claim.started != nullptr) {
    // The first row of a table must be in the queue before any other row of it (CORE-PAR-05).
    if (parallel_) CDC_CHECK(flush(false));
    claim.finish();
  }
  return {};
}

Result<void> SnapshotEvents::write_held(HeldRow& held, SnapshotMarker marker) {
  source_.clear();
  block_->append(source_, held.table->shape.id, marker);
  Envelope::Parts parts;
  parts.table = held.table.get();
  parts.op = Op::read;
  parts.after = &held.row;
  if (held.keyed) parts.key = held.key.view();
  parts.source = source_.view();
  parts.transaction = "null";
  parts.position = position_;
  envelope_.set_clock(clock_.now_ns());
  CDC_CHECK(envelope_.emit(parts, batch_));
  batch_.tally().count(Op::read, envelope_.built_ns(), 0);
  if (!resumable_) return {};
  if (held.ends_unit) {
    batch_.add_mark({held.unit, UnitMark::Kind::done, {}});
  } else if (unit_.ordered) {
    std::swap(written_key_, held.resume_key);
    progressed_ = true;
  }
  return {};
}

Result<void> SnapshotEvents::end_unit() {
  tell_rows();
  // What this worker wrote of the unit goes first: another worker may write its last row.
  if (parallel_) CDC_CHECK(flush(false));
  mark_progress();
  std::unique_ptr<HeldRow> last;
  if (holds_) {
    auto claim = markers_.claim(unit_.table);
    held_->first_of_table = claim.first_of_table;
    held_->first_of_all = claim.first_of_all;
    held_->ends_unit = true;
    last = std::exchange(held_, std::make_unique<HeldRow>());
    holds_ = false;
    claim.finish();
  } else if (resumable_) {
    batch_.add_mark({unit_index_, UnitMark::Kind::done, {}});
  }
  for (auto& out : markers_.end_unit(unit_, std::move(last))) CDC_CHECK(write_held(*out.row, out.marker));
  return parallel_ ? flush(false) : seal_if_full();
}

Result<void> SnapshotEvents::finish(const PositionWriter& completed) {
  position_ = &completed;
  if (auto last = markers_.take_last()) CDC_CHECK(write_held(*last, SnapshotMarker::last));
  if (auto told = tell_end(completed); !told) {
    std::ignore = flush(false);  // all rows are written: they go out, whatever became of the rest
    return told;
  }
  return batch_.seal(completed.checkpoint(), true, true);
}

Result<void> SnapshotEvents::tell_end(const PositionWriter& completed) {
  if (room_.options.heartbeat.count() > 0) {
    OtherRecords others(room_);
    CDC_CHECK(others.heartbeat(&completed, batch_));
  }
  Notification done;
  done.aggregate = notify::initial;
  done.type = "COMPLETED";
  return notify(done);
}

}  // namespace cdc
