// The change sink of one snapshot worker: rows of op `r`, each held back until it is known whether it
// is the last of its table or of all (CORE-SNAP-13, -14).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cdc/change_sink.h"
#include "event/batch_writer.h"
#include "event/envelope.h"
#include "event/event_room.h"
#include "event/notification.h"
#include "event/snapshot_markers.h"

namespace cdc {

class SnapshotEvents final : public ChangeSink {
 public:
  // `resumable`: batches tell how far the units are (UnitMark).
  SnapshotEvents(EventRoom& room, SnapshotMarkers& markers, bool resumable, bool parallel);

  Result<void> begin_unit(std::size_t index, const SnapshotUnit& unit);
  // The worker's position writer and source block must still be set.
  Result<void> end_unit();
  // Whether this worker has read anything: only such a one can write the last row.
  bool has_read() const { return block_ != nullptr; }
  std::uint64_t unit_rows() const { return unit_rows_; }  // read of the newest unit
  bool notifies() const { return notifier_.on(); }
  Result<void> notify(const Notification& notification) {
    return notifier_.send(notification, position_, batch_);
  }
  void notify_log(const Notification& notification) { notifier_.send_to_log(notification); }
  // A table of the snapshot, with rows or without: the sink hears that it was read.
  void mention(const TableId& id) { batch_.mention(room_.tables->destination(id).number); }
  // Called on one worker after all units are done: writes the very last row, a heartbeat and a
  // notification where they are on, and hands over the offset of the completed snapshot.
  Result<void> finish(const PositionWriter& completed);

  bool captured(const TableId& id) const override { return room_.tables->collections().in_snapshot(id); }
  Result<TableHandle> table(TableShape shape) override;
  void set_source_block(const SourceBlock* block) override { block_ = block; }
  void set_position_writer(const PositionWriter* writer) override { position_ = writer; }
  void set_wait_hook(std::function<void()> hook) override { batch_.set_wait_hook(std::move(hook)); }
  Result<void> row(const RowChange& change) override;
  Result<void> truncate(const CompiledTable&) override { return {}; }
  Result<void> message(std::string_view, std::string_view, bool) override { return {}; }
  Result<void> begin_transaction() override { return {}; }
  Result<void> end_transaction() override { return {}; }
  void filtered(std::uint64_t) override {}
  Result<void> flush(bool must_store) override;
  bool all_durable() const override {
    return batch_.empty() && room_.queue.pushed() == room_.queue.durable();
  }
  bool finished() const override { return room_.finished(); }

 private:
  Result<void> tell_end(const PositionWriter& completed);  // heartbeat and notification
  Result<void> write_held(HeldRow& held, SnapshotMarker marker);
  Result<void> release(HeldRow& held);  // a row that is not the last of anything
  Result<void> seal_if_full();
  void mark_progress();
  void tell_rows();  // for metrics

  EventRoom& room_;
  SnapshotMarkers& markers_;
  const bool resumable_, parallel_;
  BatchWriter batch_;
  Envelope envelope_;
  TickClock clock_;
  Notifier notifier_;
  const SourceBlock* block_ = nullptr;
  const PositionWriter* position_ = nullptr;
  TableHandle table_;  // the newest shape, kept alive for held rows
  SnapshotUnit unit_;
  std::size_t unit_index_ = 0;
  std::unique_ptr<HeldRow> held_, spare_;
  bool holds_ = false;  // held_ has a row
  std::uint64_t unit_rows_ = 0, told_rows_ = 0;
  bool begun_ = false;  // this unit has had its first row
  Buffer source_;
  std::vector<std::string> written_key_;  // of the row of this unit written last
  bool progressed_ = false;               // since the last mark
};

}  // namespace cdc
