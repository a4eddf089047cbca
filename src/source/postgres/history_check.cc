// Meeting the transaction that was delivered last.
#include "source/postgres/history_check.h"

#include <algorithm>

namespace cdc::pg {

bool HistoryCheck::possible(const Offset& offset) {
  if (!offset.own() || !offset.snapshot.empty()) return false;
  if (offset.tx_final_lsn) return offset.tx_id.has_value();
  if (!offset.lsn_commit || offset.lsn_commit != offset.lsn_proc) return false;
  return offset.message_type == "COMMIT" || offset.message_type == "MESSAGE";
}

HistoryCheck::HistoryCheck(const Offset& offset, Lsn from) {
  if (!possible(offset)) return;
  until_ = offset.confirmed.value_or(0);
  xid_ = offset.tx_id.value_or(0);
  if (offset.tx_final_lsn) {
    target_ = Target::open_transaction;
    lsn_ = *offset.tx_final_lsn;
    return;
  }
  target_ = offset.message_type == "COMMIT" ? Target::commit : Target::message;
  lsn_ = *offset.lsn_commit;
  time_us_ = offset.ts_us;
  until_ = std::max(until_, lsn_);
  met_ = from >= lsn_;  // the slot itself says that it was there; what was confirmed since is left to check
}

HistoryCheck::Step HistoryCheck::begin(Lsn final_lsn, std::uint32_t xid) {
  if (!active()) return Step::deliver;
  passing_ = xid;
  if (target_ == Target::open_transaction) {
    if (final_lsn < lsn_) return Step::pass;
    return final_lsn == lsn_ && xid == xid_ ? over() : Step::foreign;
  }
  if (met_) return final_lsn < until_ ? Step::foreign : over();
  return final_lsn < lsn_ ? Step::pass : Step::foreign;
}

HistoryCheck::Step HistoryCheck::commit(Lsn end_lsn, std::int64_t time_us) {
  if (target_ != Target::commit || end_lsn < lsn_) return Step::pass;
  met_ = end_lsn == lsn_ && time_us == time_us_ && (xid_ == 0 || xid_ == passing_);
  return met_ ? Step::pass : Step::foreign;
}

HistoryCheck::Step HistoryCheck::message(Lsn lsn) {
  if (!active()) return Step::deliver;
  if (target_ == Target::open_transaction) return lsn < lsn_ ? Step::pass : Step::foreign;
  if (met_) return lsn < until_ ? Step::foreign : over();
  met_ = target_ == Target::message && lsn == lsn_;
  return lsn < lsn_ || met_ ? Step::pass : Step::foreign;
}

HistoryCheck::Step HistoryCheck::reached(Lsn server_end) {
  if (!active()) return Step::deliver;
  if (server_end <= std::max(lsn_, until_)) return Step::pass;
  return met_ ? over() : Step::foreign;
}

}  // namespace cdc::pg
