// HistoryCheck: is the log that the server sends the one that the stored position was taken from? A copy of
// the server's files restored to an older state has the same name, identifier and timeline, and may meanwhile
// have gone beyond that position: going on there would skip what it wrote since. So where the slot is behind
// the stored position, the stream begins at the slot's, and everything is passed over until the transaction
// that was delivered last has come by, the very same.
//
// Debezium's offsets serve as well where they name a transaction: those of a row do, and those of a commit.
// Not those of a snapshot (nothing of the log was delivered), of a BEGIN, a TRUNCATE or a logical message
// (they do not tell whether their transaction was complete, or what it was), nor those that the slot has
// passed: their transaction does not come again.
#pragma once

#include <cstdint>
#include <string_view>

#include "source/postgres/offset.h"

namespace cdc::pg {

class HistoryCheck {
 public:
  enum class Step : std::uint8_t {
    pass,     // delivered before
    deliver,  // new; the check is over
    foreign,  // the log has another history
  };
  // What the LSN of a transaction's beginning is. Commit records come in the order of transactions; first
  // records do not, so that there only the commit tells where a transaction stands.
  enum class Names : std::uint8_t { commit_record, first_record };

  HistoryCheck() = default;  // nothing to check
  // `from`: where the stream begins, at or before the position of `offset`. `now`: where the log is; what
  // was delivered lies before.
  HistoryCheck(const Offset& offset, Lsn from, Lsn now, Names names);
  // Why this offset names no transaction or message that can be met again; empty: it does.
  static std::string_view impossible(const Offset& offset);

  bool active() const { return target_ != Target::none; }
  Step begin(Lsn name, std::uint32_t xid, std::int64_t time_us);
  Step commit(Lsn end_lsn, std::int64_t time_us);  // of a transaction that is passed over
  Step message(Lsn lsn);                           // outside transactions
  Step reached(Lsn server_end);                    // a keepalive: all before it was sent

 private:
  enum class Target : std::uint8_t { none, commit, message, transaction };
  static Target target_of(const Offset& offset);
  bool is_transaction(Lsn name, std::int64_t time_us) const;
  bool is_commit(std::int64_t time_us) const;
  Step over() { return target_ = Target::none, Step::deliver; }

  Target target_ = Target::none;
  bool own_ = false;              // the offset is ours: it names the transaction exactly
  bool in_commit_order_ = false;  // Names::commit_record
  Lsn name_ = 0;                  // transaction: its name in an offset of ours
  Lsn lsn_ = 0;    // all that was delivered before the target was committed up to here; a commit: its own
  Lsn until_ = 0;  // between the target and this, nothing was ours
  Lsn now_ = 0;
  std::uint64_t xid_ = 0;
  std::int64_t time_us_ = 0;
  bool met_ = false;
  std::uint32_t passing_ = 0;  // the transaction that is passed over
};

}  // namespace cdc::pg
