// Meeting the transaction that was delivered last.
#include "source/postgres/history_check.h"

#include <algorithm>

namespace cdc::pg {
namespace {

bool of_row(std::string_view type) { return type == "INSERT" || type == "UPDATE" || type == "DELETE"; }

}  // namespace

HistoryCheck::Target HistoryCheck::target_of(const Offset& offset) {
  if (!offset.snapshot.empty()) return Target::none;
  if (offset.tx_final_lsn) return offset.tx_id ? Target::transaction : Target::none;
  const bool at_commit = offset.lsn_commit && offset.lsn_commit == offset.lsn_proc;
  if (at_commit && offset.message_type == "COMMIT") return Target::commit;
  if (offset.own()) return at_commit && offset.message_type == "MESSAGE" ? Target::message : Target::none;
  return offset.tx_id && offset.lsn_proc && of_row(offset.message_type) ? Target::transaction : Target::none;
}

std::string_view HistoryCheck::impossible(const Offset& offset) {
  if (target_of(offset) != Target::none) return {};
  return offset.snapshot.empty() ? "it is that of no row and no commit"
                                 : "it is that of a snapshot, before anything of the log";
}

HistoryCheck::HistoryCheck(const Offset& offset, Lsn from, Lsn now, Names names)
    : target_(target_of(offset)),
      own_(offset.own()),
      in_commit_order_(names == Names::commit_record),
      now_(now),
      xid_(offset.tx_id.value_or(0)),
      time_us_(offset.ts_us) {
  if (target_ == Target::none) return;
  lsn_ = std::max(offset.lsn_proc.value_or(0), offset.lsn_commit.value_or(0));
  name_ = offset.tx_final_lsn.value_or(0);
  if (target_ == Target::transaction) return;
  until_ = std::max(offset.confirmed.value_or(0), lsn_);
  met_ = from >= lsn_;  // the slot itself says that it was there; what was confirmed since is left to check
  if (from >= until_) target_ = Target::none;
}

bool HistoryCheck::is_transaction(Lsn name, std::int64_t time_us) const {
  if (time_us != time_us_) return false;
  if (own_) return name == name_;
  return !in_commit_order_ || name >= lsn_;
}

// Debezium counts the commits of empty transactions, but notes their number and time with the first row only.
bool HistoryCheck::is_commit(std::int64_t time_us) const {
  if (!own_ && xid_ != passing_) return time_us >= time_us_;
  return time_us == time_us_ && (xid_ == 0 || xid_ == passing_);
}

HistoryCheck::Step HistoryCheck::begin(Lsn name, std::uint32_t xid, std::int64_t time_us) {
  if (!active()) return Step::deliver;
  passing_ = xid;
  if (target_ == Target::transaction) {
    if (xid == xid_) return is_transaction(name, time_us) ? over() : Step::foreign;
    return in_commit_order_ && name >= std::max(lsn_, name_) ? Step::foreign : Step::pass;
  }
  if (!in_commit_order_) return met_ ? over() : Step::pass;
  if (met_) return name < until_ ? Step::foreign : over();
  return name < lsn_ ? Step::pass : Step::foreign;
}

HistoryCheck::Step HistoryCheck::commit(Lsn end_lsn, std::int64_t time_us) {
  if (target_ == Target::transaction) return in_commit_order_ || end_lsn <= lsn_ ? Step::pass : Step::foreign;
  if (target_ != Target::commit || end_lsn < lsn_) return Step::pass;
  met_ = end_lsn == lsn_ && is_commit(time_us);
  return met_ ? Step::pass : Step::foreign;
}

HistoryCheck::Step HistoryCheck::message(Lsn lsn) {
  if (!active()) return Step::deliver;
  if (target_ == Target::transaction) return lsn < std::max(lsn_, name_) ? Step::pass : Step::foreign;
  if (met_) return lsn < until_ ? Step::foreign : over();
  met_ = target_ == Target::message && lsn == lsn_;
  return lsn < lsn_ || met_ ? Step::pass : Step::foreign;
}

HistoryCheck::Step HistoryCheck::reached(Lsn server_end) {
  if (!active()) return Step::deliver;
  // Where its commit lies is not known, but that it was delivered: so it was in the log before this run.
  if (target_ == Target::transaction) return server_end < now_ ? Step::pass : Step::foreign;
  // A server at rest stands right behind what was delivered last: that was met, and nothing follows it.
  if (met_ && server_end >= until_) return over();
  return server_end <= std::max(lsn_, until_) ? Step::pass : Step::foreign;
}

}  // namespace cdc::pg
