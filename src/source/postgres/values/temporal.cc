// date, time and timestamp: numbers of days and of time units, and ISO texts.
#include "source/postgres/values/temporal.h"

#include <limits>

#include "json/json_text.h"
#include "source/postgres/values/civil_time.h"

namespace cdc::pg {
namespace {

__extension__ typedef __int128 int128;

constexpr std::string_view kInfinity = "infinity", kMinusInfinity = "-infinity";

// What Debezium prints for the infinities (4.2): the driver's sentinels in each form.
struct Infinity {
  std::string_view text;
  std::int64_t days;
  std::string_view date_iso;
  std::int64_t units[3];  // by TimeUnit
  std::string_view timestamp_iso;
};
constexpr Infinity kInfinities[] = {
    {kInfinity,
     -2147472692,
     "\"-5877611-06-21Z\"",
     {9223372036825200, 9223372036825200000, std::numeric_limits<std::int64_t>::max()},
     "\"+294247-01-10T04:00:25.2Z\""},
    {kMinusInfinity,
     -2147472691,
     "\"-5877611-06-22Z\"",
     {-9223372036832400, -9223372036832400000, std::numeric_limits<std::int64_t>::min()},
     "\"-290308-12-21T19:59:27.6Z\""},
};

const Infinity* infinity_of(std::string_view text) {
  if (text.empty() || text.back() != 'y') return nullptr;
  for (const Infinity& infinity : kInfinities)
    if (text == infinity.text) return &infinity;
  return nullptr;
}

bool read_date(std::string_view text, Date& date) {
  TemporalReader reader(text);
  return reader.date(date) && reader.era_and_end(date);
}

bool read_time(std::string_view text, std::int64_t& us) {
  TemporalReader reader(text);
  return reader.time(us) && reader.end();
}

bool read_timestamp(std::string_view text, Date& date, std::int64_t& us) {
  if (FixedDateTime fixed; text.size() >= kFixedLength && read_fixed(text.data(), fixed) &&
                           read_fraction(text.substr(kFixedLength), us)) {
    date = fixed.date;
    us += fixed.seconds * 1'000'000;
    return true;
  }
  TemporalReader reader(text);
  return reader.date(date) && reader.blank() && reader.time(us) && us < kDayUs && reader.era_and_end(date);
}

std::int64_t in_unit(std::int64_t us, TimeUnit unit) {
  switch (unit) {
    case TimeUnit::milliseconds:
      return us / 1000;
    case TimeUnit::microseconds:
      return us;
    case TimeUnit::nanoseconds:
      return us * 1000;
  }
  return us;
}

}  // namespace

bool append_date(std::string_view text, Buffer& out) {
  Date date;
  if (read_date(text, date)) {
    json::append_int(out, days_of(date));
    return true;
  }
  const Infinity* infinity = infinity_of(text);
  if (infinity != nullptr) json::append_int(out, infinity->days);
  return infinity != nullptr;
}

bool append_date_iso(std::string_view text, Buffer& out) {
  Date date;
  if (read_date(text, date)) {
    char* w = out.reserve(32);
    *w++ = '"';
    w = put_date(w, date);
    *w++ = 'Z';
    *w++ = '"';
    out.end_at(w);
    return true;
  }
  const Infinity* infinity = infinity_of(text);
  if (infinity != nullptr) out.append(infinity->date_iso);
  return infinity != nullptr;
}

bool append_time(std::string_view text, TimeUnit unit, Buffer& out) {
  std::int64_t us = 0;
  if (!read_time(text, us)) return false;
  json::append_int(out, in_unit(us, unit));
  return true;
}

bool append_time_iso(std::string_view text, Buffer& out) {
  std::int64_t us = 0;
  if (!read_time(text, us)) return false;
  us %= kDayUs;
  char* w = out.reserve(32);
  *w++ = '"';
  w = put_fraction(put_clock(w, us), us);
  *w++ = 'Z';
  *w++ = '"';
  out.end_at(w);
  return true;
}

bool append_timestamp(std::string_view text, TimeUnit unit, Buffer& out) {
  Date date;
  std::int64_t us = 0;
  if (read_timestamp(text, date, us)) {
    // Days before the epoch count negative, the time within a day forward: a cut is a floor.
    const int128 value = static_cast<int128>(days_of(date)) * in_unit(kDayUs, unit) + in_unit(us, unit);
    if (value < std::numeric_limits<std::int64_t>::min() || value > std::numeric_limits<std::int64_t>::max())
      return false;
    json::append_int(out, static_cast<std::int64_t>(value));
    return true;
  }
  const Infinity* infinity = infinity_of(text);
  if (infinity != nullptr) json::append_int(out, infinity->units[static_cast<std::size_t>(unit)]);
  return infinity != nullptr;
}

bool append_timestamp_iso(std::string_view text, Buffer& out) {
  Date date;
  std::int64_t us = 0;
  if (read_timestamp(text, date, us)) {
    char* w = out.reserve(48);
    *w++ = '"';
    w = put_date(w, date);
    *w++ = 'T';
    w = put_fraction(put_clock(w, us), us);
    *w++ = 'Z';
    *w++ = '"';
    out.end_at(w);
    return true;
  }
  const Infinity* infinity = infinity_of(text);
  if (infinity != nullptr) out.append(infinity->timestamp_iso);
  return infinity != nullptr;
}

}  // namespace cdc::pg
