// The window of a read-only chunk (CORE-INC-24, PG-INC-05/06): what the server's own snapshots before and
// after the reading say about a transaction of the stream. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cdc/chunks.h"
#include "source/postgres/control/lsn.h"

namespace cdc::pg {

// pg_current_snapshot(): everything below xmin has ended, nothing from xmax on has begun.
struct TransactionSnapshot {
  std::uint64_t xmin = 0, xmax = 0;
  std::vector<std::uint64_t> running{};  // of those between, in order
};
// "xmin:xmax:xip,..."
std::optional<TransactionSnapshot> parse_transaction_snapshot(std::string_view text);

// Was this transaction of the stream still running?
bool running_in(const TransactionSnapshot& snapshot, std::uint32_t xid);

// The 64-bit id of a transaction of the stream, which carries 32 bits: the one nearest to `near`.
std::uint64_t extend_xid(std::uint32_t xid, std::uint64_t near);

class XidWindow {
 public:
  void mark_low(TransactionSnapshot snapshot) { low_ = snapshot; }
  // `position`: where the server's log was after the reading.
  void mark_high(TransactionSnapshot snapshot, Lsn position) { high_ = snapshot, position_ = position; }

  // The stream is at transaction `xid` (0: none was streamed yet).
  bool open(std::uint32_t xid) const { return extend_xid(xid, low_.xmax) >= low_.xmin; }
  // `reached`: everything before it was received.
  bool over(WindowMoment moment, std::uint32_t xid, Lsn reached) const;

 private:
  TransactionSnapshot low_, high_;
  Lsn position_ = 0;
};

}  // namespace cdc::pg
