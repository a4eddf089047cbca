// What each message of the stream means for the sink, the source block and the position.
#include <fmt/format.h>

#include "source/postgres/stream.h"

#include "cdc/wall_clock.h"

namespace cdc::pg {
namespace {

using pgoutput::Fault;
using pgoutput::Kind;
using MoveKind = PositionMove::Kind;

constexpr std::string_view type_name(Kind kind) {
  switch (kind) {
    case Kind::insert:
      return "INSERT";
    case Kind::update:
      return "UPDATE";
    case Kind::remove:
      return "DELETE";
    case Kind::truncate:
      return "TRUNCATE";
    default:
      return "MESSAGE";
  }
}

constexpr bool is_change(Kind kind) {
  return kind == Kind::insert || kind == Kind::update || kind == Kind::remove || kind == Kind::truncate;
}

constexpr Op op_of(Kind kind) {
  return kind == Kind::insert ? Op::create : kind == Kind::update ? Op::update : Op::remove;
}

PositionMove row_move(Kind kind, Lsn lsn, bool complete = true) {
  PositionMove move;
  move.kind = MoveKind::row;
  move.type = type_name(kind);
  move.lsn = lsn;
  move.complete = complete;
  return move;
}

}  // namespace

Result<void> Stream::on_message(const WalMessage& message) {
  return message.kind == WalMessage::Kind::data ? on_data(message.start, message.payload)
                                                : on_keepalive(message);
}

Result<void> Stream::on_data(Lsn lsn, std::string_view bytes) {
  message_bytes_ = bytes;
  if (message_tables_) return on_row_message(lsn, bytes);
  const auto kind = pgoutput::kind_of(bytes);
  if (passing_ && kind && is_change(*kind)) return {};
  if (withheld_)
    CDC_CHECK(settle_withheld(lsn, kind == Kind::insert || kind == Kind::update || kind == Kind::remove));
  if (!kind)
    return fault(
        lsn,
        fmt::format("Unsupported message type {}", bytes.empty() ? -1 : static_cast<unsigned char>(bytes[0])),
        false);
  if (held_ && *kind != Kind::commit && *kind != Kind::relation) return {};
  switch (*kind) {
    case Kind::begin:
      return on_begin(lsn, bytes);
    case Kind::commit:
      return on_commit(lsn, bytes);
    case Kind::origin:
      return on_origin(bytes);
    case Kind::relation:
      return on_relation(bytes);
    case Kind::type:
      return {};
    case Kind::insert:
    case Kind::update:
    case Kind::remove:
      return on_row(lsn, *kind, bytes);
    case Kind::truncate:
      return on_truncate(lsn, bytes);
    case Kind::message:
      return on_logical_message(lsn, bytes);
  }
  return {};
}

Result<void> Stream::fault(Lsn lsn, std::string what, bool counts) {
  std::string message = fmt::format("reading the change at {}: {}", format_lsn(lsn), what);
  if (settings_.on_fault == OnFault::fail)
    return fail(
        ErrorKind::corrupt, std::move(message),
        "Report it with the server's version. event.processing.failure.handling.mode=warn passes over such "
        "changes, which loses them");
  if (settings_.on_fault == OnFault::warn) runtime_.log.warn(message + "; it is passed over");
  runtime_.stats.erroneous.fetch_add(1, std::memory_order_relaxed);
  if (counts) position_.move(row_move(Kind::message, lsn));
  return {};
}

Result<void> Stream::on_begin(Lsn lsn, std::string_view bytes) {
  pgoutput::Begin begin;
  Fault problem;
  // Without a BEGIN nothing that follows can be placed: never passed over.
  if (!pgoutput::decode(bytes, begin, problem))
    return fail(ErrorKind::corrupt,
                fmt::format("reading the change at {}: {}", format_lsn(lsn), describe(problem, bytes)));
  return enter(lsn, begin.final_lsn, begin.commit_time_us, begin.xid);
}

Result<void> Stream::enter(Lsn lsn, Lsn name, std::int64_t commit_time_us, std::uint32_t xid) {
  if (history_.active()) {
    CDC_TRY(passing_, delivered_before(history_.begin(name, xid, commit_time_us)));
    if (passing_) return {};
  }
  if (until_.excludes(name, commit_time_us)) {
    at_end_ = true;
    return {};
  }
  in_transaction_ = true;
  relations_.set_before_start(name < backlog_end_);
  const auto& seen = position_.offset().seen;
  held_ = seen && seen->holds(xid);
  if (held_) return {};
  source_.set_time(commit_time_us);
  source_.set_transaction(xid);
  source_.set_lsn(lsn);
  source_.clear_origin();
  const bool resumed = position_.offset().tx_final_lsn == name && resume_.counts();
  resume_.begin(name, xid);
  PositionMove move;
  // The transaction in which the last run ended: its position holds what was delivered of it.
  if (!resumed) {
    move.kind = MoveKind::begin;
    move.lsn = lsn;
    move.final_lsn = name;
    move.xid = xid;
    move.time_us = commit_time_us;
  }
  position_.stage(move);
  CDC_CHECK(sink_.begin_transaction());
  position_.settle();
  return {};
}

Result<void> Stream::on_commit(Lsn lsn, std::string_view bytes) {
  pgoutput::Commit commit;
  Fault problem;
  if (!pgoutput::decode(bytes, commit, problem))
    return fail(ErrorKind::corrupt,
                fmt::format("reading the change at {}: {}", format_lsn(lsn), describe(problem, bytes)));
  return leave(lsn, commit.end_lsn, commit.commit_time_us);
}

Result<void> Stream::leave(Lsn lsn, Lsn end_lsn, std::int64_t commit_time_us) {
  if (passing_) {
    passing_ = false;
    CDC_CHECK(delivered_before(history_.commit(end_lsn, commit_time_us)));
    return {};
  }
  in_transaction_ = false;
  if (held_) {
    held_ = false;
    if (until_.reached(end_lsn)) at_end_ = true;
    return {};
  }
  resume_.commit();
  source_.set_lsn(lsn);
  PositionMove move;
  move.kind = MoveKind::commit;
  move.lsn = lsn;
  move.time_us = commit_time_us;
  recent_[recent_at_++ % recent_.size()] = static_cast<std::uint32_t>(position_.offset().tx_id.value_or(0));
  position_.stage(move);
  source_.set_commit(lsn);
  CDC_CHECK(sink_.end_transaction());
  position_.settle();
  if (until_.reached(end_lsn)) at_end_ = true;
  return store_position();
}

Result<void> Stream::on_origin(std::string_view bytes) {
  pgoutput::Origin origin;
  Fault problem;
  if (!pgoutput::decode(bytes, origin, problem)) return fault(0, describe(problem, bytes), false);
  source_.set_origin(origin.name, origin.lsn);
  return {};
}

Result<void> Stream::on_relation(std::string_view bytes) {
  Fault problem;
  if (!pgoutput::decode(bytes, relation_, problem)) return fault(0, describe(problem, bytes), false);
  return relations_.learn(relation_);
}

bool Stream::before_snapshot(Lsn lsn) const {
  const auto& seen = position_.offset().seen;
  return seen && !seen->over(lsn);
}

// Delivered by an earlier run. An offset of ours already counts it; one of Debezium's does not.
bool Stream::skip(Kind kind, Lsn lsn) {
  if (!resume_.skip_row(lsn)) return false;
  if (!resume_.counts()) position_.move(row_move(kind, lsn, kind != Kind::message));
  return true;
}

Result<void> Stream::pass_over(Kind kind, Lsn lsn) {
  position_.move(row_move(kind, lsn));
  sink_.filtered(1);
  return {};
}

Result<void> Stream::on_row(Lsn lsn, Kind kind, std::string_view bytes) {
  if (skip(kind, lsn)) return {};
  const Oid oid = pgoutput::relation_of(bytes);
  StreamedTable* table = relations_.find(oid);
  if (table == nullptr)
    return fault(lsn, fmt::format("a row of table {}, which the server has not described", oid), true);
  if (!table->captured) return pass_over(kind, lsn);
  pgoutput::Row row;
  Fault problem;
  if (!pgoutput::decode_row(bytes, buffers_, row, problem)) return fault(lsn, describe(problem, bytes), true);
  if (kind == Kind::remove && row.old_cells.empty()) return pass_over(kind, lsn);  // PG-RI-06
  if ((kind != Kind::remove && row.new_cells.size() != table->columns) ||
      (row.old_form != 0 && row.old_cells.size() != table->columns))
    return fault(
        lsn,
        fmt::format("a row of {}.{} has not as many columns as the table", table->id.schema, table->id.table),
        true);
  return deliver(*table, kind, lsn, row);
}

// Debezium stopped at this row. It wrote one record for it, or a delete with its tombstone; a change of the
// key is three records, of which some may not have been written: it is delivered again, as are rows that
// share an LSN (COPY, INSERT of many rows).
bool Stream::withhold(const StreamedTable& table, Kind kind, Lsn lsn, const pgoutput::Row& row) {
  if (!resume_.last_delivered(lsn)) return false;
  if (kind == Kind::update && row.old_form != 0 &&
      !(row.old_form == 'O' && table.same_key(row.old_cells, row.new_cells))) {
    resume_.end();
    return false;
  }
  withheld_ = Withheld{kind, lsn, std::string(message_bytes_)};
  return true;
}

Result<void> Stream::settle_withheld(Lsn lsn, bool row_follows) {
  const Withheld held = std::move(*withheld_);
  withheld_.reset();
  resume_.end();
  if (row_follows && lsn == held.lsn) {
    const std::string_view bytes = message_bytes_;
    CDC_CHECK(on_data(held.lsn, held.bytes));
    message_bytes_ = bytes;
  } else {
    position_.move(row_move(held.kind, held.lsn));
  }
  return {};
}

Result<void> Stream::deliver(StreamedTable& table, Kind kind, Lsn lsn, pgoutput::Row& row) {
  if (withhold(table, kind, lsn, row)) return {};
  source_.set_lsn(lsn);
  position_.stage(row_move(kind, lsn));
  CDC_CHECK(push_row(table, kind, row));
  position_.settle();
  return {};
}

Result<void> Stream::push_row(StreamedTable& table, Kind kind, pgoutput::Row& row) {
  pgoutput::fill_unavailable(row);
  CDC_CHECK(relations_.check_labels(table, row.new_cells));
  CDC_CHECK(relations_.check_labels(table, row.old_cells));
  RowChange change;
  change.table = table.compiled;
  change.op = op_of(kind);
  change.before_is_whole = row.old_form == 'O';
  if (row.old_form != 0)
    change.before = row.old_form == 'K' ? table.key_row(row.old_cells) : table.row(row.old_cells);
  if (kind != Kind::remove) change.after = table.row(row.new_cells);
  pushed_ = true;
  return sink_.row(change);
}

Result<void> Stream::on_truncate(Lsn lsn, std::string_view bytes) {
  if (skip(Kind::truncate, lsn)) return {};
  Fault problem;
  if (!pgoutput::decode(bytes, truncate_, problem)) return fault(lsn, describe(problem, bytes), true);
  source_.set_lsn(lsn);
  CDC_CHECK(push_truncate(truncate_.relations, lsn));
  // Complete with the last part, captured or not (PG-TRAP-DEC-09).
  position_.move(row_move(Kind::truncate, lsn));
  return {};
}

Result<void> Stream::push_truncate(const std::vector<Oid>& tables, Lsn lsn) {
  for (std::size_t i = resume_.truncate_parts_done(); i < tables.size(); ++i) {
    const StreamedTable* table = relations_.find(tables[i]);
    if (table == nullptr || !table->captured) {
      sink_.filtered(1);
      continue;
    }
    PositionMove move;
    move.kind = MoveKind::truncate_part;
    move.lsn = lsn;
    move.part = i + 1;
    position_.stage(i + 1 == tables.size() ? row_move(Kind::truncate, lsn) : move);
    pushed_ = true;
    CDC_CHECK(sink_.truncate(*table->compiled));
    if (i + 1 < tables.size()) position_.settle();
  }
  return {};
}

Result<void> Stream::on_logical_message(Lsn lsn, std::string_view bytes) {
  pgoutput::LogicalMessage message;
  Fault problem;
  const bool understood = pgoutput::decode(bytes, message, problem);
  if (understood && !message.transactional) {
    if (history_.active()) {
      CDC_TRY(const bool before, delivered_before(history_.message(lsn)));
      if (before) return {};
    }
    if (resume_.skip_message(lsn) || before_snapshot(lsn)) return {};
    const std::int64_t time = wall_clock_us();
    source_.set_transaction({});
    source_.set_time(time);
    source_.set_commit(lsn);  // its own position is its commit (PG-MSG-02)
    source_.set_lsn(lsn);
    source_.clear_origin();
    PositionMove move;
    move.kind = MoveKind::message_outside;
    move.lsn = lsn;
    move.time_us = time;
    position_.stage(move);
    pushed_ = true;
    CDC_CHECK(sink_.message(message.prefix, message.content, false));
    position_.settle();
    return {};
  }
  if (passing_ || skip(Kind::message, lsn)) return {};
  if (!understood) return fault(lsn, describe(problem, bytes), in_transaction_);
  source_.set_lsn(lsn);
  position_.stage(row_move(Kind::message, lsn, false));
  pushed_ = true;
  CDC_CHECK(sink_.message(message.prefix, message.content, true));
  position_.settle();
  return {};
}

}  // namespace cdc::pg
