// Where a bounded run begins (--from) and when it is at its end (--until). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/error.h"
#include "source/postgres/control/lsn.h"

namespace cdc::pg {

class UntilBound {
 public:
  UntilBound() = default;  // for ever
  // "now", X/X, or an ISO date or time (UTC where it names no offset). `now`: the server's position.
  static Result<UntilBound> parse(const std::string& until, Lsn now);

  bool bounded() const { return lsn_ || time_us_; }
  // The transaction was committed after the bound: it is not to be emitted.
  bool excludes(Lsn final_lsn, std::int64_t commit_time_us) const {
    return (lsn_ && final_lsn >= *lsn_) || (time_us_ && commit_time_us > *time_us_);
  }
  // Everything before `lsn` was seen, and nothing more is needed.
  bool reached(Lsn lsn) const { return lsn_ && lsn >= *lsn_; }
  // The server's clock has passed the bound: from now on the server's present position is the bound too.
  bool wants_position(std::int64_t server_time_us) const {
    return time_us_ && !lsn_ && server_time_us > *time_us_;
  }
  void set_position(Lsn lsn) { lsn_ = lsn; }

 private:
  std::optional<Lsn> lsn_;
  std::optional<std::int64_t> time_us_;
};

// What stands for "beginning", which depends on the slot.
inline constexpr Lsn kFromBeginning = 0;

// --from: "now" gives none, "beginning" kFromBeginning, else X/X.
Result<std::optional<Lsn>> parse_from(const std::string& from);

// "2026-03-01", "2026-03-01T10:00", "2026-03-01 10:00:00.5+02:00" -> microseconds since 1970.
std::optional<std::int64_t> parse_iso_time(std::string_view text);

}  // namespace cdc::pg
