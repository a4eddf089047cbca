// Zone: a time zone's offsets, read from the system's zoneinfo files (TZif) or fixed ("+05:30", "Z").
// Immutable; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc::transform {

class Zone {
 public:
  // A region id ("Asia/Kolkata"), an offset, or UTC/Z/GMT. Errors are of kind `usage`.
  static Result<Zone> open(const std::string& name);
  // For tests: a TZif file's bytes.
  static Result<Zone> parse(std::string_view tzif);

  // Seconds east of UTC at an instant.
  std::int32_t offset_at(std::int64_t utc_seconds) const;
  // At a reading of the local clock; in gaps and overlaps the offset before the change, as in Java.
  std::int32_t offset_of_local(std::int64_t local_seconds) const;

 private:
  // One rule of the POSIX form: when the clock changes in any year.
  struct Change {
    enum class Kind : std::uint8_t { month_week_day, julian, day_of_year } kind = Kind::month_week_day;
    int month = 0, week = 0, day = 0;
    std::int32_t time = 7200;  // local seconds of the day
  };
  std::int64_t change_in(int year, const Change& change) const;
  bool parse_rule(std::string_view text);
  std::int32_t by_rule(std::int64_t utc_seconds) const;

  std::vector<std::int64_t> at_;     // instants of changes, ascending
  std::vector<std::int32_t> after_;  // the offset from that instant on
  std::int32_t first_ = 0;           // before all of them
  bool has_rule_ = false;            // after the last one: the footer's rule
  bool has_summer_ = false;
  std::int32_t standard_ = 0, summer_ = 0;
  Change to_summer_, to_standard_;
};

// Days since 1970 of a date of the proleptic Gregorian calendar, and back.
std::int64_t days_of(std::int64_t year, unsigned month, unsigned day);
struct CivilDate {
  std::int64_t year = 1970;
  unsigned month = 1, day = 1;
};
CivilDate date_of(std::int64_t days);

// "Z", "+05:30", "-03", "+0530", "+05:30:15": seconds east.
bool parse_offset(std::string_view text, std::int32_t& seconds);

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

}  // namespace cdc::transform
