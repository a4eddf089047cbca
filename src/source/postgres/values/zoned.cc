// timestamptz and timetz: texts with an offset, printed in UTC.
#include <algorithm>
#include <cstring>

#include "json/json_text.h"
#include "source/postgres/values/civil_time.h"
#include "source/postgres/values/temporal.h"

namespace cdc::pg {
namespace {

// What every row has on a session in UTC: `2026-03-01 10:20:30[.f...]+00`. The date and the clock are
// copied, nothing is computed.
bool append_utc(std::string_view text, int fraction_digits, Buffer& out) {
  FixedDateTime fixed;
  if (text.size() < kFixedLength + 3 || !text.ends_with("+00") || !read_fixed(text.data(), fixed))
    return false;
  std::string_view fraction = text.substr(kFixedLength, text.size() - kFixedLength - 3);
  if (std::int64_t us = 0; !read_fraction(fraction, us)) return false;
  fraction = fraction.empty() ? fraction : fraction.substr(1);
  char* w = out.reserve(48);
  *w++ = '"';
  std::memcpy(w, text.data(), kFixedLength);
  w[10] = 'T';
  w += kFixedLength;
  if (fraction_digits > 0) {
    *w++ = '.';
    for (std::size_t i = 0; i < static_cast<std::size_t>(fraction_digits); ++i)
      *w++ = i < fraction.size() ? fraction[i] : '0';
  }
  *w++ = 'Z';
  *w++ = '"';
  out.end_at(w);
  return true;
}

// Days and microseconds of the day in UTC.
bool read_zoned(std::string_view text, bool needs_offset, std::int64_t& days, std::int64_t& us) {
  TemporalReader reader(text);
  Date date;
  int offset = 0;
  if (!reader.date(date) || !reader.blank() || !reader.time(us) || us == kDayUs) return false;
  TemporalReader before = reader;
  if (!reader.offset(offset)) {
    if (needs_offset) return false;
    reader = before;
  }
  if (!reader.era_and_end(date)) return false;
  days = days_of(date);
  us -= offset * 1'000'000LL;
  // An offset can be more than a day in a hand-made text.
  const std::int64_t carry = (us >= 0 ? us : us - (kDayUs - 1)) / kDayUs;
  days += carry;
  us -= carry * kDayUs;
  return true;
}

}  // namespace

bool append_timestamptz(std::string_view text, int fraction_digits, Buffer& out) {
  fraction_digits = std::clamp(fraction_digits, 0, 6);
  if (append_utc(text, fraction_digits, out)) return true;
  std::int64_t days = 0, us = 0;
  if (read_zoned(text, true, days, us)) {
    char* w = out.reserve(48);
    *w++ = '"';
    w = put_date(w, date_of(days));
    *w++ = 'T';
    w = put_fraction(put_clock(w, us), us, fraction_digits);
    *w++ = 'Z';
    *w++ = '"';
    out.end_at(w);
    return true;
  }
  if (text != "infinity" && text != "-infinity") return false;
  json::append_string(out, text);
  return true;
}

bool append_timetz(std::string_view text, Buffer& out) {
  TemporalReader reader(text);
  std::int64_t us = 0;
  int offset = 0;
  if (!reader.time(us) || !reader.offset(offset) || !reader.end()) return false;
  us = (us - offset * 1'000'000LL) % kDayUs;
  if (us < 0) us += kDayUs;
  char* w = out.reserve(32);
  *w++ = '"';
  w = put_fraction(put_clock(w, us), us);
  *w++ = 'Z';
  *w++ = '"';
  out.end_at(w);
  return true;
}

std::optional<std::int64_t> parse_timestamp_us(std::string_view text) {
  std::int64_t days = 0, us = 0, value = 0;
  if (!read_zoned(text, false, days, us)) return std::nullopt;
  if (__builtin_mul_overflow(days, kDayUs, &value) || __builtin_add_overflow(value, us, &value))
    return std::nullopt;
  return value;
}

}  // namespace cdc::pg
