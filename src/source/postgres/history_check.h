// HistoryCheck: is the log that the server sends the one that the stored position was taken from? A copy of
// the server's files restored to an older state has the same name, identifier and timeline, and may meanwhile
// have gone beyond that position: going on there would skip what it wrote since. So where the slot is behind
// the stored position, the stream begins at the slot's, and everything is passed over until the transaction
// that was delivered last has come by, the very same.
#pragma once

#include <cstdint>

#include "source/postgres/offset.h"

namespace cdc::pg {

class HistoryCheck {
 public:
  enum class Step : std::uint8_t {
    pass,     // delivered before
    deliver,  // new; the check is over
    foreign,  // the log has another history
  };

  HistoryCheck() = default;  // nothing to check
  // `from`: where the stream begins, before the position of `offset`.
  HistoryCheck(const Offset& offset, Lsn from);
  // Does this offset name a transaction or message that can be met again?
  static bool possible(const Offset& offset);

  bool active() const { return target_ != Target::none; }
  Step begin(Lsn final_lsn, std::uint32_t xid);
  Step commit(Lsn end_lsn, std::int64_t time_us);  // of a transaction that is passed over
  Step message(Lsn lsn);                           // outside transactions
  Step reached(Lsn server_end);                    // a keepalive: all before it was sent

 private:
  enum class Target : std::uint8_t { none, commit, message, open_transaction };
  Step over() { return target_ = Target::none, Step::deliver; }

  Target target_ = Target::none;
  Lsn lsn_ = 0;    // of the target
  Lsn until_ = 0;  // between the target and this, nothing was ours
  std::uint64_t xid_ = 0;
  std::int64_t time_us_ = 0;
  bool met_ = false;
  std::uint32_t passing_ = 0;  // the transaction that is passed over
};

}  // namespace cdc::pg
