// One chunk after the other. Signals that change the queue: incremental_queue.cc.
#include "signals/incremental.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "event/conversion_trouble.h"
#include "event/envelope.h"
#include "event/row_encoder.h"
#include "signals/key_text.h"

namespace cdc {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWatermarkPatience = std::chrono::seconds(60);  // PG-TRAP-INC-03

// "2026-11-30T20:00:06.024527860Z"
std::string instant() {
  const std::int64_t ns = now_ns();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z", fmt::gmtime(static_cast<std::time_t>(ns / 1'000'000'000)),
                     ns % 1'000'000'000);
}

// What a value of the surrogate key is known by in the window.
void append_value(std::string& identity, const Cell& cell) {
  identity.push_back(cell.kind == Cell::Kind::null ? 'n' : 'v');
  identity.append(cell.data);
}

}  // namespace

bool ends_stream(const Error& error) {
  switch (error.kind) {
    case ErrorKind::unreachable:
    case ErrorKind::cancelled:
    case ErrorKind::sink:
    case ErrorKind::sink_gone:
    case ErrorKind::event:
      return true;
    default:
      return false;
  }
}

IncrementalSnapshot::IncrementalSnapshot(Options options, IncrementalState state, Runtime& runtime)
    : options_(std::move(options)), runtime_(runtime), state_(std::move(state)) {}

void IncrementalSnapshot::attach(ChunkReader* reader) {
  reader_ = reader;
  waiting_ = open_ = false;
  window_.clear();
  table_.reset();
  again_ = running();
}

// The next chunk into the window: from collection to collection until one has rows (CORE-INC-05).
Result<void> IncrementalSnapshot::read_chunk(StreamOutput& out) {
  again_ = false;
  CDC_CHECK(apply_stops(out));
  if (!running() || paused_ || reader_ == nullptr) return {};
  window_.clear();
  waiting_ = open_ = marked_ = told_ = false;
  chunk_id_ = random_uuid();
  while (running()) {
    auto filled = fill(out);
    if (!filled) {
      CDC_CHECK(collection_failed(filled.error(), out));
      continue;
    }
    if (*filled) break;
  }
  if (!marked_) return {};
  if (auto closed = close_window(); !closed) {
    // Without its end the window would stay open for ever: what it holds is not written.
    window_.clear();
    if (running()) {
      CDC_CHECK(collection_failed(closed.error(), out));
      return read_chunk(out);
    }
    return ends_stream(closed.error()) ? closed : Result<void>{};
  }
  waiting_ = running();
  waiting_since_ = Clock::now();
  return {};
}

// True: the window holds rows of the first collection. False: that collection is done with.
Result<bool> IncrementalSnapshot::fill(StreamOutput& out) {
  if (!marked_) {
    CDC_CHECK(open_window());
    marked_ = true;
  }
  CDC_TRY(table_, reader_->open(state_.queue.front().id, state_.queue.front().surrogate_key, out.sink()));
  if (table_ == nullptr) {
    runtime_.log.warn(fmt::format("incremental snapshot: there is no captured table {}, it is passed over",
                                  state_.queue.front().id));
    CDC_CHECK(finish_collection("UNKNOWN_SCHEMA", out));
    return false;
  }
  CDC_CHECK(choose_key());
  if (key_.empty()) {
    runtime_.log.warn(
        fmt::format("incremental snapshot of {0}: it has no key to read it by; name unique columns with "
                    "message.key.columns, or one with \"surrogate-key\" in the signal",
                    state_.queue.front().id));
    CDC_CHECK(finish_collection("NO_PRIMARY_KEY", out));
    return false;
  }
  return fill_opened(out);
}

Result<bool> IncrementalSnapshot::fill_opened(StreamOutput& out) {
  if (!state_.maximum) {
    CDC_CHECK(warn_if_not_unique());
    CDC_TRY(state_.maximum, reader_->maximum_key(key_, state_.queue.front().condition));
    if (!state_.maximum) {
      CDC_CHECK(finish_collection("EMPTY", out));
      return false;
    }
  }
  CDC_CHECK(read_rows());
  if (!end_) {
    CDC_CHECK(finish_collection("SUCCEEDED", out));
    return false;
  }
  CDC_CHECK(notify("IN_PROGRESS", out,
                   {{"data_collections", listed()},
                    {"current_collection_in_progress", state_.queue.front().id},
                    {"maximum_key", key_display(*state_.maximum)},
                    {"last_processed_key", key_display(*end_)}}));
  return true;
}

Result<void> IncrementalSnapshot::read_rows() {
  const CompiledTable& table = *table_;
  window_.clear();
  std::uint64_t rows = 0;
  const auto keep = [&](std::span<const Cell> cells) -> Result<void> {
    ++rows;
    WindowBuffer::Row& row = window_.next();
    encode_row(table, cells, row.row);
    if (row.row.troubled) CDC_CHECK(report_trouble(table, cells, row.row, options_.converting, runtime_));
    const bool keyed = table.keyed && encode_key(table, cells, &row.row, row.key);
    if (keyed) {
      window_.keep(row.key.view(), true);
    } else {
      identity_.clear();
      for (const std::size_t column : key_) append_value(identity_, cells[column]);
      window_.keep(identity_, false);
    }
    return {};
  };
  ChunkRequest request;
  request.key = key_;
  request.after = state_.sent ? &*state_.sent : nullptr;
  request.upto = &*state_.maximum;
  request.condition = state_.queue.front().condition;
  request.limit = options_.chunk_size;
  if (!options_.read_only) CDC_CHECK(reader_->settle());
  CDC_TRY(end_, reader_->read(request, keep));
  scanned_ += rows;
  runtime_.stats.rows_scanned.fetch_add(rows, std::memory_order_relaxed);
  tell_chunk(rows);
  return {};
}

void IncrementalSnapshot::tell_chunk(std::uint64_t rows) const {
  runtime_.stats.details.change([&](RunDetails::Facts& facts) {
    facts.rows[state_.queue.front().id] += static_cast<std::int64_t>(rows);
    facts.chunk_id = chunk_id_;
    facts.chunk_from = state_.sent ? key_display(*state_.sent) : "";
    facts.chunk_to = end_ ? key_display(*end_) : "";
    facts.table_to = key_display(*state_.maximum);
  });
}

// The columns that order the table: the surrogate key, else those of the message key (CORE-INC-20).
Result<void> IncrementalSnapshot::choose_key() {
  key_.clear();
  const std::string& surrogate = state_.queue.front().surrogate_key;
  const auto& columns = table_->shape.columns;
  if (surrogate.empty()) {
    for (const CompiledTable::KeyColumn& column : table_->key) key_.push_back(column.cell);
    return {};
  }
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i].name == surrogate) key_.push_back(i);
  if (!key_.empty()) return {};
  return fail(ErrorKind::usage, fmt::format("it has no column {} (surrogate-key)", surrogate));
}

Result<void> IncrementalSnapshot::warn_if_not_unique() const {
  const std::string& surrogate = state_.queue.front().surrogate_key;
  if (surrogate.empty() && key_ == table_->shape.key) return {};
  CDC_TRY(const bool unique, reader_->is_unique(key_));
  if (unique) return {};
  std::string names;
  for (const std::size_t column : key_)
    names += (names.empty() ? "" : ",") + table_->shape.columns[column].name;
  runtime_.log.warn(
      fmt::format("{}: {} {} has no unique index: rows with equal values may be lost at a chunk border",
                  state_.queue.front().id, surrogate.empty() ? "the key" : "surrogate-key", names));
  return {};
}

Result<void> IncrementalSnapshot::open_window() {
  if (options_.read_only) return reader_->mark_low();
  opened_at_ = instant();
  auto written = reader_->insert_signal(options_.signal_collection, chunk_id_ + "-open",
                                        signal_name(SignalType::window_open),
                                        fmt::format("{{\"openWindowTimestamp\": \"{}\"}}", opened_at_));
  if (!written)
    written.error().message = fmt::format("the open watermark could not be written to {}: {}",
                                          options_.signal_collection, written.error().message);
  return written;
}

Result<void> IncrementalSnapshot::close_window() {
  if (options_.read_only) return reader_->mark_high();
  auto written =
      options_.insert_delete
          ? reader_->delete_signal(options_.signal_collection, chunk_id_ + "-open")
          : reader_->insert_signal(
                options_.signal_collection, chunk_id_ + "-close", signal_name(SignalType::window_close),
                fmt::format("{{\"openWindowTimestamp\": \"{}\", \"closeWindowTimestamp\": \"{}\"}}",
                            opened_at_, instant()));
  if (!written)
    written.error().message = fmt::format("the close watermark could not be written to {}: {}",
                                          options_.signal_collection, written.error().message);
  return written;
}

Result<void> IncrementalSnapshot::emit_window(StreamOutput& out) {
  if (!window_.empty())
    CDC_CHECK(window_.for_each(
        [&](const WindowBuffer::Row& row) { return out.write_read(*table_, row.row, row.key.view()); }));
  window_.clear();
  if (running() && end_) state_.sent = std::move(end_);
  end_.reset();
  return {};
}

Result<void> IncrementalSnapshot::close_and_go_on(StreamOutput& out) {
  waiting_ = open_ = false;
  CDC_CHECK(emit_window(out));
  return read_chunk(out);
}

Result<void> IncrementalSnapshot::window_row(std::string_view id, bool opens, StreamOutput& out) {
  if (!waiting_ || options_.read_only || !id.starts_with(chunk_id_)) return {};  // of an older run
  if (opens) {
    open_ = true;
    return {};
  }
  return close_and_go_on(out);
}

Result<void> IncrementalSnapshot::event(const RowChange& change, std::string_view key, StreamOutput& out) {
  if (again_) CDC_CHECK(read_chunk(out));
  if (!waiting_) return {};
  if (options_.read_only) {
    if (reader_->window_over(WindowMoment::row)) CDC_CHECK(close_and_go_on(out));
    if (waiting_ && !open_) open_ = reader_->window_open();
  }
  // Also before the watermark comes by: what the chunk does not show is newer than its rows.
  const bool newer = open_ || (!options_.read_only && reader_->unseen());
  if (!newer || window_.empty() || change.table->collection_id != table_->collection_id) return {};
  if (change.op == Op::truncate)
    window_.clear();
  else if (table_->keyed)
    window_.drop(key);
  else
    drop_surrogate(change);
  return {};
}

void IncrementalSnapshot::drop_surrogate(const RowChange& change) {
  const auto& columns = change.table->shape.columns;
  for (const std::span<const Cell> cells : {change.before, change.after}) {
    if (cells.empty()) continue;
    identity_.clear();
    bool known = true;
    for (const std::size_t column : key_) {
      const std::string& name = table_->shape.columns[column].name;
      const auto found = std::find_if(columns.begin(), columns.end(),
                                      [&](const ColumnShape& shape) { return shape.name == name; });
      const auto place = static_cast<std::size_t>(found - columns.begin());
      known = known && place < cells.size() &&
              (cells[place].kind == Cell::Kind::value || cells[place].kind == Cell::Kind::null);
      if (known) append_value(identity_, cells[place]);
    }
    if (known) window_.drop(identity_);
  }
}

// A commit, or nothing to read: where chunks begin after a start, and where read-only windows close.
Result<void> IncrementalSnapshot::moment(WindowMoment moment, StreamOutput& out) {
  if (again_) CDC_CHECK(read_chunk(out));
  if (!waiting_) return {};
  if (!options_.read_only) {
    watch_for_lost_watermark();
    return {};
  }
  // Each next chunk may be over at once; whoever waits for the stream gets a turn in between.
  while (waiting_ && reader_->window_over(moment)) {
    CDC_CHECK(close_and_go_on(out));
    if (moment == WindowMoment::rest) break;
  }
  return {};
}

void IncrementalSnapshot::watch_for_lost_watermark() {
  if (told_ || Clock::now() - waiting_since_ < kWatermarkPatience) return;
  told_ = true;
  runtime_.log.warn(
      fmt::format("incremental snapshot: the watermark written to {0} 60 s ago has not come by in the "
                  "stream; {0} must be in the "
                  "publication, without a row filter that leaves the watermarks out",
                  options_.signal_collection));
}

Result<void> IncrementalSnapshot::collection_failed(const Error& error, StreamOutput& out) {
  if (ends_stream(error)) return tl::unexpected<Error>(error);
  runtime_.log.warn(fmt::format("incremental snapshot of {}: {}; the table is left out",
                                state_.queue.front().id, error.message));
  window_.clear();
  return finish_collection("SQL_EXCEPTION", out);
}

Result<void> IncrementalSnapshot::finish_collection(std::string_view status, StreamOutput& out) {
  CDC_CHECK(notify("TABLE_SCAN_COMPLETED", out,
                   {{"data_collections", listed()},
                    {"scanned_collection", state_.queue.front().id},
                    {"total_rows_scanned", std::to_string(scanned_)},
                    {"status", std::string(status)}}));
  runtime_.log.write(
      Level::info, "incremental_snapshot_table",
      fmt::format("incremental snapshot of {}: {}, {} rows read", state_.queue.front().id, status, scanned_),
      {{"table", state_.queue.front().id},
       {"status", std::string(status)},
       {"rows", std::to_string(scanned_)}});
  scanned_ = 0;
  end_.reset();
  state_.next_collection();
  return running() ? Result<void>{} : end_of_queue(out);
}

Result<void> IncrementalSnapshot::end_of_queue(StreamOutput& out) {
  CDC_CHECK(notify("COMPLETED", out));
  runtime_.log.write(Level::info, "incremental_snapshot_completed", "incremental snapshot completed");
  state_ = {};
  set_paused(false);
  runtime_.stats.details.change([](RunDetails::Facts& facts) { facts.chunk_id.clear(); });
  scanned_ = 0;
  return {};
}

Result<void> IncrementalSnapshot::notify(std::string_view type, StreamOutput& out,
                                         std::vector<std::pair<std::string_view, std::string>> data) const {
  Notification notification;
  notification.id = state_.correlation_id.value_or("");
  notification.aggregate = notify::incremental;
  notification.type = type;
  notification.data = std::move(data);
  return out.write_notification(notification);
}

std::string IncrementalSnapshot::listed() const {
  std::string names;
  for (const QueuedCollection& collection : state_.queue) names += (names.empty() ? "" : ",") + collection.id;
  return names;
}

}  // namespace cdc
