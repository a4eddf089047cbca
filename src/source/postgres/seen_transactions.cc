// Reading the server's description of a snapshot.
#include "source/postgres/seen_transactions.h"

#include <algorithm>
#include <charconv>

#include "source/postgres/incremental/xid_window.h"

namespace cdc::pg {

std::optional<SeenTransactions> SeenTransactions::parse(std::string_view snapshot, Lsn end) {
  const auto bounds = parse_transaction_snapshot(snapshot);
  const std::size_t list = snapshot.rfind(':');
  if (!bounds || list == snapshot.find(':')) return std::nullopt;
  SeenTransactions seen;
  seen.text_ = snapshot;
  seen.xmin_ = bounds->xmin;
  seen.xmax_ = bounds->xmax;
  seen.end_ = end;
  const char* at = snapshot.data() + list + 1;
  const char* const last = snapshot.data() + snapshot.size();
  while (at != last) {
    std::uint64_t xid = 0;
    const auto [next, error] = std::from_chars(at, last, xid);
    if (error != std::errc() || (next != last && (*next != ',' || next + 1 == last))) return std::nullopt;
    seen.running_.push_back(xid);
    at = next == last ? last : next + 1;
  }
  std::sort(seen.running_.begin(), seen.running_.end());
  return seen;
}

bool SeenTransactions::holds(std::uint32_t xid) const {
  const std::uint64_t full = extend_xid(xid, xmax_);
  if (full < xmin_) return true;
  return full < xmax_ && !std::binary_search(running_.begin(), running_.end(), full);
}

}  // namespace cdc::pg
