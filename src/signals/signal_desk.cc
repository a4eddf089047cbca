// Channels and actions.
#include "signals/signal_desk.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/compiled_table.h"
#include "filter/collection_filter.h"
#include "signals/signal_file.h"
#include "text/list.h"
#include "text/regex.h"

namespace cdc {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLongestWait{1000}, kWindowWait{20};

IncrementalSnapshot::Options incremental_options(const EventRoom& room) {
  IncrementalSnapshot::Options options;
  options.chunk_size = static_cast<std::uint64_t>(room.config.integer("incremental.snapshot.chunk.size"));
  options.read_only = room.config.boolean("read.only");
  options.insert_delete = room.config.text("incremental.snapshot.watermarking.strategy") == "insert_delete";
  const auto& signals = room.tables->collections().signal_collections();
  if (!signals.empty()) options.signal_collection = signals.front();
  options.converting = room.options.converting;
  return options;
}

std::string text_of(const Cell& cell) {
  return cell.kind == Cell::Kind::value ? std::string(cell.data) : std::string();
}

}  // namespace

std::unique_ptr<SignalDesk> SignalDesk::make(EventRoom& room, std::string_view offset) {
  bool complete = true;
  IncrementalState state = IncrementalState::restore(offset, &complete);
  if (!complete)
    room.runtime.log.warn(
        "the stored offset holds an incremental snapshot of which not all can be understood; what is missing "
        "is to be asked for again with an execute-snapshot signal");
  const bool unfinished = state.running();
  auto desk = std::unique_ptr<SignalDesk>(new SignalDesk(room, std::move(state)));
  const bool watches_table = !room.tables->collections().signal_collections().empty();
  if (!unfinished && !watches_table && !desk->file_channel_) return nullptr;
  return desk;
}

SignalDesk::SignalDesk(EventRoom& room, IncrementalState state)
    : room_(room),
      file_(room.config.text("signal.file")),
      interval_(room.config.milliseconds("signal.poll.interval.ms")),
      next_poll_(Clock::now()),
      incremental_(incremental_options(room), std::move(state), room.runtime) {
  for (const std::string& channel : room.config.list("signal.enabled.channels")) {
    if (channel == "source") source_channel_ = true;
    if (channel == "file") file_channel_ = true;
  }
  deletes_close_ = incremental_options(room).insert_delete;
}

void SignalDesk::attach(ChunkReader* reader) {
  reader_ = reader;
  incremental_.attach(reader);
  if (!taken_.empty()) next_poll_ = Clock::now();
}

bool SignalDesk::is_signal_table(const CompiledTable& table) {
  if (&table != last_table_ || table.collection_id != last_collection_) {
    last_table_ = &table;
    last_collection_ = table.collection_id;
    last_is_signal_ = room_.tables->collections().is_signal(table.shape.id);
  }
  return last_is_signal_;
}

Result<void> SignalDesk::row(const RowChange& change, StreamOutput& out) {
  const bool insert = change.op == Op::create;
  if (!(insert || (deletes_close_ && change.op == Op::remove)) || !is_signal_table(*change.table)) return {};
  const std::span<const Cell> cells = insert ? change.after : change.before;
  // Columns count by position (CORE-SIG-02).
  if (change.table->shape.columns.size() != 3 || cells.size() != 3) {
    room_.runtime.log.warn_once(
        "signal columns " + change.table->collection_id,
        fmt::format("{}: a signal table has three columns, id, type and data; its rows are no signals",
                    change.table->collection_id));
    return {};
  }
  const std::string id = text_of(cells[0]);
  if (!insert) return incremental_.window_row(id, false, out);
  Signal signal{id, text_of(cells[1]), text_of(cells[2])};
  const auto type = signal_type(signal.type);
  if (type == SignalType::window_open || type == SignalType::window_close)
    return incremental_.window_row(id, type == SignalType::window_open, out);
  if (!source_channel_) return {};
  if (text::trim(signal.data).empty()) signal.data = "{}";
  return carry_out(signal, out);
}

Result<void> SignalDesk::commit(StreamOutput& out) {
  CDC_CHECK(incremental_.moment(WindowMoment::commit, out));
  if (file_channel_ && Clock::now() >= next_poll_) CDC_CHECK(poll(out));
  return run_waiting(out);
}

Result<std::chrono::milliseconds> SignalDesk::idle(StreamOutput& out) {
  CDC_CHECK(incremental_.moment(WindowMoment::rest, out));
  if (file_channel_ && Clock::now() >= next_poll_) CDC_CHECK(poll(out));
  CDC_CHECK(run_waiting(out));
  auto wait = kLongestWait;
  if (file_channel_)
    wait = std::min(wait, std::chrono::duration_cast<std::chrono::milliseconds>(next_poll_ - Clock::now()) +
                              std::chrono::milliseconds(1));
  if (incremental_.wants_turns()) wait = std::min(wait, kWindowWait);
  return std::max(wait, std::chrono::milliseconds(0));
}

Result<void> SignalDesk::poll(StreamOutput& out) {
  next_poll_ = Clock::now() + interval_;
  auto text = take_signals(file_);
  if (text)
    taken_ += *text;
  else
    room_.runtime.log.warn_once(
        "signal file " + text.error().message,
        text.error().message + (text.error().hint.empty() ? "" : "; ") + text.error().hint);
  return carry_out_lines(out);
}

// What ends the stream leaves the rest for after the reconnection.
Result<void> SignalDesk::carry_out_lines(StreamOutput& out) {
  while (!taken_.empty()) {
    const std::size_t end = std::min(taken_.find('\n'), taken_.size());
    const std::string line(text::trim(std::string_view(taken_).substr(0, end)));
    if (!line.empty()) {
      if (const auto signal = parse_signal_line(line))
        CDC_CHECK(carry_out(*signal, out));
      else
        refuse(fmt::format("{}: a line is no signal and is passed over: {}: {}", file_,
                           signal.error().message, line));
    }
    taken_.erase(0, end + 1);
  }
  return {};
}

void SignalDesk::refuse(const std::string& message, Level level) {
  room_.runtime.stats.erroneous.fetch_add(1, std::memory_order_relaxed);
  room_.runtime.log.write(level, "warning", message);
}

// Whatever is wrong with a signal is told and counted, and the stream goes on (CORE-SIG-06).
Result<void> SignalDesk::carry_out(const Signal& signal, StreamOutput& out) {
  const auto type = signal_type(signal.type);
  if (!type || type == SignalType::window_open || type == SignalType::window_close) {
    refuse(fmt::format("signal '{}': there is no type '{}', it is ignored", signal.id, signal.type));
    return {};
  }
  auto done = act(*type, signal, out);
  if (done || ends_stream(done.error())) return done;
  refuse(fmt::format("signal '{}' ({}) is ignored: {}{}{}", signal.id, signal.type, done.error().message,
                     done.error().hint.empty() ? "" : "; ", done.error().hint),
         done.error().kind == ErrorKind::usage ? Level::warn : Level::error);
  return {};
}

Result<void> SignalDesk::act(SignalType type, const Signal& signal, StreamOutput& out) {
  if (type != SignalType::log) return snapshot_signal(type, signal, out);
  CDC_TRY(std::string message, parse_log_message(signal.data));
  const std::string position = out.position().offset;
  for (std::size_t at = 0; (at = message.find("{}", at)) != std::string::npos; at += position.size())
    message.replace(at, 2, position);
  room_.runtime.log.write(Level::info, "signal", message, {{"id", signal.id}});
  return {};
}

Result<void> SignalDesk::snapshot_signal(SignalType type, const Signal& signal, StreamOutput& out) {
  CDC_TRY(const SnapshotOrder order, parse_snapshot_order(type, signal.data));
  if (order.kind == SnapshotKind::blocking) {
    if (type == SignalType::execute_snapshot) return order_blocking(order);
    return fail(ErrorKind::usage, "a blocking snapshot cannot be stopped or paused");
  }
  if (const std::string obstacle = incremental_.obstacle(); !obstacle.empty())
    return fail(ErrorKind::usage, obstacle);
  switch (type) {
    case SignalType::execute_snapshot:
      return incremental_.execute(order, signal.id, out);
    case SignalType::stop_snapshot:
      return incremental_.stop(order, out);
    case SignalType::pause_snapshot:
      return incremental_.pause(out);
    case SignalType::resume_snapshot:
      return incremental_.resume(out);
    default:
      return {};
  }
}

// CORE-BLK-01: names are regexes of either case, commas separate; conditions are whole SELECTs.
Result<void> SignalDesk::order_blocking(const SnapshotOrder& order) {
  if (reader_ == nullptr || !run_blocking_)
    return fail(ErrorKind::usage, "this source has no blocking snapshots");
  std::vector<std::string> pieces;
  for (const std::string& item : order.collections) {
    CDC_TRY(auto split, text::split_list(item));
    pieces.insert(pieces.end(), split.begin(), split.end());
  }
  CDC_TRY(const auto wanted, text::RegexList::of("data-collections", pieces));
  CDC_TRY(std::vector<TableId> tables, reader_->tables());
  room_.tables->collections().sort_for_snapshot(tables);
  std::vector<OnDemandTable> chosen;
  for (const TableId& table : tables) {
    OnDemandTable one{collection_id(table), {}};
    CDC_TRY(const bool asked_for, wanted.matches(one.collection));
    if (!asked_for || room_.tables->collections().is_signal(table)) continue;
    for (const AdditionalCondition& condition : order.conditions) {
      CDC_TRY(const auto regex, text::Regex::compile(condition.collection, text::Regex::Case::insensitive));
      CDC_TRY(const bool meant, regex.matches(one.collection));
      if (!meant) continue;
      one.select = condition.filter;
      break;
    }
    chosen.push_back(std::move(one));
  }
  if (chosen.empty())
    room_.runtime.log.warn(
        "blocking snapshot: no captured table has a name that \"data-collections\" asks for");
  waiting_.push_back(std::move(chosen));
  return {};
}

Result<void> SignalDesk::run_waiting(StreamOutput& out) {
  while (!waiting_.empty()) {
    const auto tables = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    auto done = run_blocking_(tables, out);
    if (!done && ends_stream(done.error())) return done;
    if (!done) {
      refuse(fmt::format("the blocking snapshot failed: {}{}{}", done.error().message,
                         done.error().hint.empty() ? "" : "; ", done.error().hint),
             Level::error);
      room_.runtime.log.write(Level::info, "streaming", "the stream goes on");
    }
  }
  return {};
}

}  // namespace cdc
