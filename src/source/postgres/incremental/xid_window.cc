// Comparing transactions.
#include "source/postgres/incremental/xid_window.h"

#include <algorithm>
#include <charconv>

namespace cdc::pg {
namespace {

constexpr std::uint64_t kEpoch = std::uint64_t{1} << 32;

}  // namespace

std::optional<TransactionSnapshot> parse_transaction_snapshot(std::string_view text) {
  TransactionSnapshot snapshot;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, snapshot.xmin);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, snapshot.xmax);
  if (second.ec != std::errc()) return std::nullopt;
  for (const char* at = second.ptr; at != end;) {
    std::uint64_t xid = 0;
    const auto next = std::from_chars(at + 1, end, xid);
    if (next.ec != std::errc()) break;  // ":" and nothing behind it
    snapshot.running.push_back(xid);
    at = next.ptr;
  }
  std::ranges::sort(snapshot.running);
  return snapshot;
}

bool running_in(const TransactionSnapshot& snapshot, std::uint32_t xid) {
  if (xid == 0) return false;
  const std::uint64_t full = extend_xid(xid, snapshot.xmax);
  return full >= snapshot.xmax || std::ranges::binary_search(snapshot.running, full);
}

std::uint64_t extend_xid(std::uint32_t xid, std::uint64_t near) {
  if (xid == 0) return 0;
  std::uint64_t full = (near & ~(kEpoch - 1)) | xid;
  if (full > near + kEpoch / 2 && full >= kEpoch) full -= kEpoch;
  if (near > full + kEpoch / 2) full += kEpoch;
  return full;
}

bool XidWindow::over(WindowMoment moment, std::uint32_t xid, Lsn reached) const {
  const std::uint64_t at = extend_xid(xid, high_.xmax);
  // It ended before the chunk was read, as all before it did: what the log still brings up to there is in the
  // chunk.
  if (at <= high_.xmin) return true;
  if (moment == WindowMoment::row) return at > std::max(high_.xmax, low_.xmax);
  if (at >= high_.xmax) return true;
  return moment == WindowMoment::rest && reached >= position_;
}

}  // namespace cdc::pg
