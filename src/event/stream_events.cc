// Streamed changes.
#include "event/stream_events.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/conversion_trouble.h"
#include "event/row_encoder.h"

namespace cdc {
namespace {

using Clock = std::chrono::steady_clock;
// A position that moved without an event is stored at most this often.
constexpr auto kQuietSeal = std::chrono::milliseconds(500);
constexpr std::string_view kMessageCollection = "LOGICAL_DECODING_MESSAGE";  // PG-MSG-05

}  // namespace

StreamEvents::StreamEvents(EventRoom& room, text::RegexList include, text::RegexList exclude)
    : room_(room),
      batch_(room),
      envelope_(room),
      others_(room),
      notifier_(room),
      message_include_(std::move(include)),
      message_exclude_(std::move(exclude)),
      last_seal_(Clock::now()),
      last_heartbeat_(Clock::now()) {}

Result<std::unique_ptr<StreamEvents>> StreamEvents::make(EventRoom& room, std::string_view offset) {
  CDC_TRY(auto include, text::RegexList::parse("message.prefix.include.list",
                                               room.config.text("message.prefix.include.list")));
  CDC_TRY(auto exclude, text::RegexList::parse("message.prefix.exclude.list",
                                               room.config.text("message.prefix.exclude.list")));
  auto writer = std::unique_ptr<StreamEvents>(new StreamEvents(room, std::move(include), std::move(exclude)));
  if (room.options.transaction_metadata) writer->transactions_.restore(offset);
  CDC_TRY(writer->reselect_, Reselect::make(room.config, room.runtime));
  return writer;
}

Result<TableHandle> StreamEvents::table(TableShape shape) {
  CDC_TRY(auto compiled, room_.tables->compile(std::move(shape)));
  if (reselect_ != nullptr) CDC_CHECK(reselect_->learn(*compiled));
  return compiled;
}

Checkpoint StreamEvents::complete(Checkpoint checkpoint) const {
  if (!(room_.options.transaction_metadata || observer_ != nullptr) || checkpoint.offset.size() <= 2)
    return checkpoint;
  checkpoint.offset.pop_back();
  if (room_.options.transaction_metadata) transactions_.append_offset(checkpoint.offset);
  if (observer_ != nullptr) observer_->append_offset(checkpoint.offset);
  checkpoint.offset.push_back('}');
  return checkpoint;
}

Checkpoint StreamEvents::checkpoint() const {
  return source_position_ == nullptr ? Checkpoint{} : complete(source_position_->checkpoint());
}
Checkpoint StreamEvents::checkpoint_of_current() const {
  return source_position_ == nullptr ? Checkpoint{} : complete(source_position_->checkpoint_of_current());
}

// Batches are handed over between pushes only: then the position fits what was written.
Result<void> StreamEvents::before_push() {
  if (!failed_beat_) return failed_beat_;
  if (observer_ != nullptr) CDC_CHECK(observer_->between(*this));
  if (batch_.full()) {
    CDC_CHECK(batch_.seal(checkpoint(), false));
    last_seal_ = Clock::now();
    moved_ = false;
  }
  batch_.mark();
  return {};
}

Result<void> StreamEvents::guarded(Result<void> done) {
  if (done) return done;
  batch_.rollback();
  if (done.error().kind != ErrorKind::event) return done;
  done.error().message += fmt::format(" (at {})", block_->place());
  if (room_.options.processing == FailureMode::fail) return done;
  room_.runtime.stats.erroneous.fetch_add(1, std::memory_order_relaxed);
  if (room_.options.processing == FailureMode::warn)
    room_.runtime.log.warn("event left out (event.processing.failure.handling.mode=warn): " +
                           done.error().message);
  return {};
}

void StreamEvents::render_source(const TableId& table) {
  source_.clear();
  block_->append(source_, table, SnapshotMarker::streaming);
}

void StreamEvents::count(Op op) {
  const std::int64_t built_ns = envelope_.built_ns(), source_us = block_->timestamp_us();
  batch_.tally().count(op, built_ns, source_us);
  if (op != Op::read && source_us != 0) room_.runtime.stats.lag.add(built_ns / 1'000'000 - source_us / 1'000);
}

// The `transaction` block of the next record; an event that belongs to no transaction ends an open one.
Result<void> StreamEvents::transaction_block(std::string_view collection) {
  transaction_.clear();
  if (!room_.options.transaction_metadata) {
    transaction_.append("null");
    return {};
  }
  const std::string_view group = block_->transaction_group();
  if (group.empty()) {
    transactions_.end();
    transaction_.append("null");
    return {};
  }
  transaction_id_.clear();
  block_->append_transaction_id(transaction_id_);
  if (!transactions_.is_open(group)) CDC_CHECK(begin_transaction());
  transactions_.count(collection, transaction_id_.view(), transaction_);
  return {};
}

Result<void> StreamEvents::emit(Envelope::Parts& parts) {
  if (room_.options.skips(static_cast<char>(parts.op))) {
    room_.runtime.stats.filtered.fetch_add(1, std::memory_order_relaxed);
    moved_ = true;
    return {};
  }
  CDC_CHECK(transaction_block(parts.table->collection_id));
  if (observer_ != nullptr && change_ != nullptr) CDC_CHECK(observer_->event(*change_, parts.key, *this));
  if (read_again_ && parts.after != nullptr) CDC_CHECK(read_again(*change_));
  parts.transaction = transaction_.view();
  CDC_CHECK(envelope_.emit(parts, batch_));
  count(parts.op);
  // A keyed delete whose key the log did not carry has no tombstone: it would delete nothing, or anything
  // (PG-KEY-04).
  const bool key_unknown = parts.table->keyed && parts.key.empty();
  if (parts.op == Op::remove && room_.options.tombstones && !key_unknown)
    CDC_CHECK(envelope_.emit_tombstone(parts, batch_));
  return {};
}

// Post-processors come last (CORE-DSP-03, step 10): what is not written is not read again.
Result<void> StreamEvents::read_again(const RowChange& change) {
  CDC_TRY(const auto cells, reselect_->read(change));
  encode_row(*change.table, cells, after_);
  if (after_.troubled)
    return report_trouble(*change.table, cells, after_, room_.options.converting, room_.runtime);
  return {};
}

Result<void> StreamEvents::row(const RowChange& change) {
  CDC_CHECK(before_push());
  change_ = &change;
  auto done = guarded(write_row(change));
  change_ = nullptr;
  if (!done) return done;
  beat();
  return {};
}

Result<void> StreamEvents::write_row(const RowChange& change) {
  const CompiledTable& table = *change.table;
  before_.clear();
  after_.clear();
  if (!change.before.empty()) {
    encode_row(table, change.before, before_);
    if (before_.troubled)
      CDC_CHECK(report_trouble(table, change.before, before_, room_.options.converting, room_.runtime));
  }
  read_again_ = reselect_ != nullptr && reselect_->wants(change);
  if (change.op != Op::remove) {
    encode_row(table, change.after, after_);
    if (after_.troubled && !read_again_)
      CDC_CHECK(report_trouble(table, change.after, after_, room_.options.converting, room_.runtime));
  }
  if (room_.options.skip_unchanged && change.op == Op::update && before_.present() &&
      before_.json() == after_.json()) {
    room_.runtime.stats.unchanged.fetch_add(1, std::memory_order_relaxed);
    moved_ = true;
    return {};
  }
  if (observer_ != nullptr) CDC_CHECK(observer_->row(change, *this));
  render_source(table.shape.id);

  old_key_.clear();
  new_key_.clear();
  bool old_key_known = false;
  if (table.keyed) {
    if (!change.before.empty()) old_key_known = encode_key(table, change.before, &before_, old_key_);
    if (change.op != Op::remove) encode_key(table, change.after, &after_, new_key_);
  }
  Envelope::Parts parts{.table = &table,
                        .op = change.op,
                        .before = &before_,
                        .after = &after_,
                        .key = new_key_.view(),
                        .source = source_.view(),
                        .transaction = {},
                        .newkey = {},
                        .oldkey = {},
                        .position = this};
  if (change.op == Op::remove) {
    parts.key = old_key_known ? old_key_.view() : std::string_view();
    return emit(parts);
  }
  if (change.op == Op::update && old_key_known && old_key_.view() != new_key_.view())
    return write_update(change, parts);
  return emit(parts);
}

// A change of the key is a delete of the old and a create of the new one (CORE-DSP-05).
Result<void> StreamEvents::write_update(const RowChange& change, Envelope::Parts& parts) {
  std::string_view old_key = old_key_.view(), new_key = new_key_.view();
  if (!parts.table->header_key.empty()) {
    old_header_key_.clear();
    new_header_key_.clear();
    encode_key(*parts.table, change.before, &before_, old_header_key_, KeyPlace::header);
    encode_key(*parts.table, change.after, &after_, new_header_key_, KeyPlace::header);
    old_key = old_header_key_.view();
    new_key = new_header_key_.view();
  }
  Envelope::Parts gone = parts;
  gone.op = Op::remove;
  gone.after = nullptr;
  gone.key = old_key_.view();
  gone.newkey = new_key;
  CDC_CHECK(emit(gone));
  parts.op = Op::create;
  parts.before = nullptr;
  parts.oldkey = old_key;
  return emit(parts);
}

Result<void> StreamEvents::truncate(const CompiledTable& table) {
  CDC_CHECK(before_push());
  render_source(table.shape.id);
  before_.clear();
  after_.clear();
  Envelope::Parts parts;
  parts.table = &table;
  parts.op = Op::truncate;
  parts.source = source_.view();
  parts.position = this;
  RowChange change;
  change.table = &table;
  change.op = Op::truncate;
  change_ = &change;
  auto done = guarded(emit(parts));
  change_ = nullptr;
  if (!done) return done;
  beat();
  return {};
}

Result<void> StreamEvents::message(std::string_view prefix, std::string_view content, bool transactional) {
  const bool wanted = message_include_.empty()
                          ? message_exclude_.empty() || !message_exclude_.matches(prefix).value_or(false)
                          : message_include_.matches(prefix).value_or(false);
  if (!wanted) {
    filtered(1);
    return {};
  }
  CDC_CHECK(before_push());
  render_source(TableId{});
  if (transactional) {
    CDC_CHECK(guarded(transaction_block(kMessageCollection)));
  } else {
    transactions_.end();
    transaction_.clear();
    transaction_.append("null");
  }
  CDC_CHECK(guarded(others_.message(prefix, content, source_.view(), transaction_.view(), this, batch_)));
  count(Op::message);
  beat();
  return {};
}

Result<void> StreamEvents::begin_transaction() {
  if (!room_.options.transaction_metadata) return {};
  const std::string_view group = block_->transaction_group();
  if (transactions_.is_open(group)) return {};  // a restart went on in the middle of it (CORE-TX-06)
  transaction_id_.clear();
  block_->append_transaction_id(transaction_id_);
  transactions_.begin(group);
  Buffer value;
  transactions_.append_begin(transaction_id_.view(), block_->timestamp_us() / 1000, value);
  return others_.transaction(transaction_id_.view(), value.view(), this, batch_);
}

Result<void> StreamEvents::end_transaction() {
  moved_ = true;
  room_.runtime.stats.transactions.fetch_add(1, std::memory_order_relaxed);
  if (observer_ != nullptr) CDC_CHECK(observer_->commit(*this));
  if (!failed_beat_) return failed_beat_;
  CDC_CHECK(heartbeat_if_due());  // before END, as Debezium has it (PG-TRAP-OFF-05)
  if (!room_.options.transaction_metadata || !transactions_.open()) return {};
  transaction_id_.clear();
  block_->append_transaction_id(transaction_id_);
  Buffer value;
  transactions_.append_end(transaction_id_.view(), block_->timestamp_us() / 1000, value);
  CDC_CHECK(others_.transaction(transaction_id_.view(), value.view(), this, batch_));
  transactions_.end();
  return {};
}

void StreamEvents::filtered(std::uint64_t count) {
  room_.runtime.stats.filtered.fetch_add(count, std::memory_order_relaxed);
  moved_ = true;
}

Result<void> StreamEvents::heartbeat_if_due() {
  if (room_.options.heartbeat.count() <= 0 || Clock::now() - last_heartbeat_ < room_.options.heartbeat)
    return {};
  return force_heartbeat();
}

// After an event was pushed, which must count although this fails: the failure is that of what follows.
void StreamEvents::beat() {
  if (auto done = heartbeat_if_due(); !done) failed_beat_ = std::move(done);
}

Result<void> StreamEvents::force_heartbeat() {
  if (room_.options.heartbeat.count() <= 0 || checkpoint().offset.empty()) return {};
  last_heartbeat_ = Clock::now();
  return others_.heartbeat(this, batch_);
}

Result<std::chrono::milliseconds> StreamEvents::idle() {
  std::chrono::milliseconds wait(1000);
  if (observer_ != nullptr) {
    CDC_TRY(wait, observer_->idle(*this));
  }
  CDC_CHECK(heartbeat_if_due());  // CORE-HB-01, PG-HB-01: also where nothing happens
  if (room_.options.heartbeat.count() > 0) {
    const auto due = last_heartbeat_ + room_.options.heartbeat - Clock::now();
    wait = std::min(
        wait, std::max(std::chrono::ceil<std::chrono::milliseconds>(due), std::chrono::milliseconds(1)));
  }
  if (!batch_.empty()) CDC_CHECK(flush(false));
  return wait;
}

Result<void> StreamEvents::write_read(const CompiledTable& table, const EncodedRow& row,
                                      std::string_view key) {
  batch_.mark();
  envelope_.set_clock(now_ns());
  read_source_.clear();
  block_->append(read_source_, table.shape.id, SnapshotMarker::incremental);
  Envelope::Parts parts;
  parts.table = &table;
  parts.op = Op::read;
  parts.after = &row;
  parts.key = key;
  parts.source = read_source_.view();
  parts.transaction = "null";
  parts.position = &settled_;
  parts.context_headers = false;
  CDC_CHECK(guarded(envelope_.emit(parts, batch_)));
  count(Op::read);
  batch_.mark();
  return {};
}

Result<void> StreamEvents::write_notification(const Notification& notification) {
  batch_.mark();
  CDC_CHECK(guarded(notifier_.send(notification, &settled_, batch_)));
  batch_.mark();
  return {};
}

Result<void> StreamEvents::hand_over() {
  if (batch_.empty()) return {};
  last_seal_ = Clock::now();
  moved_ = false;
  return batch_.seal(checkpoint(), false);
}

Result<void> StreamEvents::flush(bool must_store) {
  if (failed_beat_) beat();
  const auto now = Clock::now();
  if (batch_.empty() && !must_store && !(moved_ && now - last_seal_ >= kQuietSeal)) return failed_beat_;
  last_seal_ = now;
  moved_ = false;
  CDC_CHECK(batch_.seal(checkpoint(), must_store));
  return failed_beat_;
}

}  // namespace cdc
