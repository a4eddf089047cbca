// The change sink of a stream: rows, truncates, messages and transaction borders become events in the
// order of CORE-DSP-03.
#pragma once

#include <chrono>
#include <string>

#include "cdc/change_sink.h"
#include "event/batch_writer.h"
#include "event/envelope.h"
#include "event/event_room.h"
#include "event/other_records.h"
#include "event/reselect.h"
#include "event/stream_observer.h"
#include "event/transactions.h"
#include "text/regex.h"

namespace cdc {

class StreamEvents final : public ChangeSink, private PositionWriter, private StreamOutput {
 public:
  // `offset`: the stored one that the stream goes on from (transaction counters), or empty.
  static Result<std::unique_ptr<StreamEvents>> make(EventRoom& room, std::string_view offset);

  bool captured(const TableId& id) const override { return room_.tables->collections().captured(id); }
  Result<TableHandle> table(TableShape shape) override;
  void set_source_block(const SourceBlock* block) override { block_ = block; }
  void set_position_writer(const PositionWriter* writer) override { source_position_ = writer; }
  void set_wait_hook(std::function<void()> hook) override { batch_.set_wait_hook(std::move(hook)); }
  void received() override { envelope_.set_clock(now_ns()); }
  Result<void> row(const RowChange& change) override;
  Result<void> truncate(const CompiledTable& table) override;
  Result<void> message(std::string_view prefix, std::string_view content, bool transactional) override;
  Result<void> begin_transaction() override;
  Result<void> end_transaction() override;
  void filtered(std::uint64_t count) override;
  Result<std::chrono::milliseconds> idle() override;
  Result<void> flush(bool must_store) override;
  bool all_durable() const override {
    return batch_.empty() && room_.queue.pushed() == room_.queue.durable();
  }
  bool finished() const override { return room_.finished(); }

  // Signals and incremental snapshots; null: none. Must outlive all pushes that follow.
  void set_observer(StreamObserver* observer) { observer_ = observer; }
  // For post-processors: the reader of the source that pushes next.
  void set_rows(RowReader* rows) {
    if (reselect_ != nullptr) reselect_->attach(rows);
  }
  // What it may write outside of pushes.
  StreamOutput& output() { return *this; }
  // The position of now, transaction counters included (for a restart of the source in this process).
  Checkpoint checkpoint() const override;
  // A heartbeat whatever the timer says, as at the end of a snapshot (CORE-HB-01).
  Result<void> force_heartbeat();

 private:
  StreamEvents(EventRoom& room, text::RegexList include, text::RegexList exclude);
  Checkpoint checkpoint_of_current() const override;
  Checkpoint complete(Checkpoint checkpoint) const;  // members of other rooms added
  Result<void> write_read(const CompiledTable& table, const EncodedRow& row, std::string_view key) override;
  Result<void> write_notification(const Notification& notification) override;
  Result<void> hand_over() override;
  const std::function<void()>& wait_hook() const override { return batch_.wait_hook(); }
  ChangeSink& sink() override { return *this; }
  Checkpoint position() const override { return checkpoint(); }

  Result<void> guarded(Result<void> done);
  Result<void> before_push();
  Result<void> write_row(const RowChange& change);
  Result<void> write_update(const RowChange& change, Envelope::Parts& parts);
  Result<void> emit(Envelope::Parts& parts);
  Result<void> read_again(const RowChange& change);
  Result<void> transaction_block(std::string_view collection);
  Result<void> heartbeat_if_due();
  void beat();
  void render_source(const TableId& table);
  void count(Op op);

  // For what an observer writes: it stands before the event under way.
  class Settled final : public PositionWriter {
   public:
    explicit Settled(const StreamEvents& events) : events_(events) {}
    Checkpoint checkpoint() const override { return events_.checkpoint(); }

   private:
    const StreamEvents& events_;
  };

  EventRoom& room_;
  BatchWriter batch_;
  Envelope envelope_;
  OtherRecords others_;
  Notifier notifier_;
  Settled settled_{*this};
  StreamObserver* observer_ = nullptr;
  const RowChange* change_ = nullptr;   // the one under way
  std::unique_ptr<Reselect> reselect_;  // null: no post-processors
  bool read_again_ = false;             // cells of the row under way have to be read again
  TransactionTracker transactions_;
  text::RegexList message_include_, message_exclude_;
  const SourceBlock* block_ = nullptr;
  const PositionWriter* source_position_ = nullptr;
  EncodedRow before_, after_;
  Result<void> failed_beat_;  // the heartbeat after the last event
  Buffer old_key_, new_key_, old_header_key_, new_header_key_, source_, read_source_, transaction_id_,
      transaction_;
  bool moved_ = false;  // the position moved since the last seal although nothing was printed
  std::chrono::steady_clock::time_point last_seal_, last_heartbeat_;
};

}  // namespace cdc
