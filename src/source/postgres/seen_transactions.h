// SeenTransactions: what the state that a snapshot read holds already of the stream that follows it
// (PG-SNAP-04). A slot that is older than the snapshot sends such transactions too. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/postgres/control/lsn.h"

namespace cdc::pg {

class SeenTransactions {
 public:
  // `snapshot`: pg_current_snapshot(), "xmin:xmax:xip,...". `end`: where the log was right after it was
  // taken: all that it holds was committed before.
  static std::optional<SeenTransactions> parse(std::string_view snapshot, Lsn end);

  bool holds(std::uint32_t xid) const;  // by the id that the stream has, which is its lower half
  bool none_was_running() const { return running_.empty(); }
  // From here on the stream brings nothing that the snapshot holds.
  bool over(Lsn position) const { return position >= end_; }
  const std::string& text() const { return text_; }
  Lsn end() const { return end_; }

 private:
  std::string text_;
  std::uint64_t xmin_ = 0, xmax_ = 0;
  std::vector<std::uint64_t> running_;  // ascending
  Lsn end_ = 0;
};

}  // namespace cdc::pg
