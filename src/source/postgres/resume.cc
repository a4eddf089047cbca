// The rules of PG-OFF-04, for offsets of our own and for those that Debezium wrote.
#include "source/postgres/resume.h"

namespace cdc::pg {

ResumeFilter::ResumeFilter(const Offset& offset) {
  if (!offset.snapshot.empty()) return;  // a snapshot's position: nothing of the stream was delivered
  const Lsn commit = offset.lsn_commit.value_or(0);
  const Lsn processed = offset.lsn_proc.value_or(0);
  // A message outside transactions is its own commit. The server sends the one at the start point again.
  if (offset.message_type == "MESSAGE" && processed != 0 && processed == commit) message_lsn_ = processed;
  if (offset.tx_final_lsn) {
    rule_ = Rule::count;
    final_lsn_ = *offset.tx_final_lsn;
    count_ = offset.tx_pos;
    parts_ = offset.tx_part;
    return;
  }
  if (offset.own() || offset.message_type == "COMMIT" || !offset.tx_id) return;
  of_row_ =
      offset.message_type == "INSERT" || offset.message_type == "UPDATE" || offset.message_type == "DELETE";
  // A row may lie directly behind the commit before it. Else it is the transaction that is complete.
  if (processed == commit && !of_row_) return;
  rule_ = Rule::below_lsn;
  xid_ = static_cast<std::uint32_t>(*offset.tx_id);
  lsn_ = processed;
}

void ResumeFilter::begin(Lsn final_lsn, std::uint32_t xid) {
  inside_ = (rule_ == Rule::count && final_lsn == final_lsn_) || (rule_ == Rule::below_lsn && xid == xid_);
  seen_ = 0;
  // Transactions come in commit order: once another one is here, ours will not come any more.
  if (!inside_) rule_ = Rule::none;
}

void ResumeFilter::commit() {
  if (inside_) rule_ = Rule::none;
  inside_ = false;
}

bool ResumeFilter::skip_row(Lsn lsn) {
  if (!inside_) return false;
  if (rule_ == Rule::below_lsn) return lsn < lsn_;
  return ++seen_ <= count_;
}

std::uint64_t ResumeFilter::truncate_parts_done() {
  return inside_ && rule_ == Rule::count && seen_ == count_ + 1 ? parts_ : 0;
}

}  // namespace cdc::pg
