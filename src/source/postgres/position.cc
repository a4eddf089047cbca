// Movement of the stream's position, one kind of message after the other.
#include "source/postgres/position.h"

#include <algorithm>

namespace cdc::pg {

StreamPosition::StreamPosition(Offset start, Lsn start_lsn, std::string system_id,
                               std::optional<std::uint64_t> timeline)
    : offset_(std::move(start)), system_id_(std::move(system_id)), timeline_(timeline) {
  // A position of Debezium's stays what it is until it moves: a run that ends before has changed nothing.
  if (offset_.own() || !offset_.lsn) sign(offset_);
  const bool streamed = offset_.snapshot.empty() && offset_.lsn.has_value();
  if (!offset_.lsn_proc) offset_.lsn_proc = start_lsn;  // PG-TRAP-OFF-06
  if (streamed && !offset_.lsn_commit) offset_.lsn_commit = offset_.lsn_proc;
}

void StreamPosition::sign(Offset& offset) const {
  offset.timeline = timeline_;
  if (!system_id_.empty()) offset.system_id = system_id_;
}

void StreamPosition::apply(Offset& offset, const PositionMove& move) const {
  using Kind = PositionMove::Kind;
  if (move.kind == Kind::none) return;
  if (offset.system_id.empty()) sign(offset);
  offset.snapshot.clear();
  if (offset.seen && offset.seen->over(move.kind == Kind::begin ? move.final_lsn : 0)) offset.seen.reset();
  if (move.lsn != 0) offset.lsn = move.lsn;
  switch (move.kind) {
    case Kind::none:
      break;
    case Kind::begin:
      offset.message_type = "BEGIN";
      offset.tx_id = move.xid;
      offset.ts_us = move.time_us;
      offset.tx_final_lsn = move.final_lsn;
      offset.tx_pos = offset.tx_part = 0;
      break;
    case Kind::row:
      if (offset.message_type != move.type) offset.message_type = move.type;
      if (move.complete && move.lsn != 0) offset.lsn_proc = move.lsn;
      ++offset.tx_pos;
      offset.tx_part = 0;
      break;
    case Kind::truncate_part:
      offset.message_type = "TRUNCATE";
      offset.tx_part = move.part;
      break;
    case Kind::commit:
      offset.message_type = "COMMIT";
      offset.ts_us = move.time_us;
      offset.lsn_proc = offset.lsn_commit = move.lsn;
      offset.commit_record = offset.tx_final_lsn.value_or(0);
      offset.tx_final_lsn.reset();
      offset.tx_pos = offset.tx_part = 0;
      break;
    case Kind::message_outside:
      offset.message_type = "MESSAGE";
      offset.tx_id.reset();
      offset.ts_us = move.time_us;
      offset.lsn_proc = offset.lsn_commit = move.lsn;
      offset.commit_record = 0;
      break;
  }
}

void StreamPosition::keepalive(Lsn lsn) {
  if (offset_.system_id.empty()) sign(offset_);
  offset_.confirmed = std::max(lsn, offset_.confirmed.value_or(0));
  offset_.snapshot.clear();
  if (offset_.seen && offset_.seen->over(lsn)) offset_.seen.reset();
}

Lsn StreamPosition::confirmable(const Offset& offset) {
  const Lsn commit = offset.commit_record != 0 ? offset.commit_record : offset.lsn_commit.value_or(0);
  return std::max(commit, offset.confirmed.value_or(0));
}

Lsn StreamPosition::reached() const {
  return std::max(offset_.lsn_commit.value_or(0), offset_.confirmed.value_or(0));
}

Checkpoint StreamPosition::render(const Offset& offset) {
  Buffer text;
  append_offset(text, offset);
  return {std::string(text.view()), confirmable(offset)};
}

Checkpoint StreamPosition::checkpoint_of_current() const {
  Offset next = offset_;
  apply(next, staged_);
  return render(next);
}

}  // namespace cdc::pg
