// Texts of values: by the form in which the value came, and by the declared type where forms are shared.
#include "source/postgres/decoderbufs/cell_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "source/postgres/values/civil_time.h"

namespace cdc::pg::decoderbufs {
namespace {

__extension__ typedef __int128 int128;
using Int64 = std::numeric_limits<std::int64_t>;
using Int32 = std::numeric_limits<std::int32_t>;

// Declared types whose numbers are no numbers, or whose bytes are no text.
constexpr Oid kBytea = 17, kMoney = 790, kDate = 1082, kTime = 1083, kTimestamp = 1114, kTimestamptz = 1184,
              kInterval = 1186, kTimetz = 1266;

// The longest text of a number, a time or a point; money has its signs besides.
constexpr std::size_t kLongestText = 72;

constexpr std::int64_t kSecondUs = 1'000'000, kHourUs = 3600 * kSecondUs;
// What PostgreSQL can store, in microseconds since 1970: from 4714 BC up to, not including, year 294277.
constexpr int128 kFirstTimestamp = -210'866'803'200'000'000;
constexpr int128 kEndTimestamp = static_cast<int128>(9'223'371'331'200'000'000) + 946'684'800'000'000;
// The infinities of date: the stored ones, and those shifted to 1970 without regard to their meaning.
constexpr std::int32_t kShift = 10'957;
constexpr std::int32_t kShiftedInfinity = Int32::min() + (kShift - 1),
                       kShiftedMinusInfinity = Int32::min() + kShift;

char* put(char* w, std::string_view text) { return std::copy(text.begin(), text.end(), w); }

char* put_integer(char* w, std::int64_t value) { return std::to_chars(w, w + kLongestText, value).ptr; }

// Fewest digits that read back as the same number.
template <class Float>
char* put_float(char* w, Float value) {
  if (std::isnan(value)) return put(w, "NaN");
  if (std::isinf(value)) return put(w, value < 0 ? "-Infinity" : "Infinity");
  return std::to_chars(w, w + kLongestText, value).ptr;
}

char* put_day(char* w, std::int64_t days) {
  Date date = date_of(days);
  if (date.year < 1) date.year = 1 - date.year;
  if (date.year <= 9999) return put_date(w, date);
  w = put_integer(w, date.year);
  date.year = 1000;  // only for its month and day, which follow four digits
  char rest[32];
  const char* end = put_date(rest, date);
  return std::copy(static_cast<const char*>(rest) + 4, end, w);
}
char* put_era(char* w, std::int64_t days) { return date_of(days).year < 1 ? put(w, " BC") : w; }

char* put_date_text(char* w, std::int64_t days) {
  if (days == Int32::max() || days == kShiftedInfinity) return put(w, "infinity");
  if (days == Int32::min() || days == kShiftedMinusInfinity) return put(w, "-infinity");
  if (days < Int32::min() || days > Int32::max()) return put_integer(w, days);  // no day of the server's
  return put_era(put_day(w, days), days);
}

// 24:00:00 is a time of its own; anything else beyond a day is left as a number, which no codec takes.
char* put_time_text(char* w, std::int64_t us) {
  if (us < 0 || us > kDayUs) return put_integer(w, us);
  return put_fraction(put_clock(w, us), us);
}

char* put_timestamp_text(char* w, std::int64_t value, std::string_view zone) {
  if (value == Int64::max()) return put(w, "infinity");
  if (value == Int64::min()) return put(w, "-infinity");
  int128 us = value;
  // The plugin's shift to 1970 wraps around for the last thirty years that the server can store.
  if (us < kFirstTimestamp) us += static_cast<int128>(1) << 64;
  if (us >= kEndTimestamp) return put(w, "infinity");
  const auto days = static_cast<std::int64_t>((us >= 0 ? us : us - (kDayUs - 1)) / kDayUs);
  const auto rest = static_cast<std::int64_t>(us - static_cast<int128>(days) * kDayUs);
  w = put_day(w, days);
  *w++ = ' ';
  w = put(put_time_text(w, rest), zone);
  return put_era(w, days);
}

// A double counts microseconds exactly as far as these two types go.
bool whole(double value, std::int64_t& us) {
  if (!(std::fabs(value) < 9.2e18)) return false;
  us = std::llround(value);
  return true;
}

// Shifted to GMT already, so it may lie in the day before or after (PG-TRAP-DBUF-03).
char* put_timetz_text(char* w, double value) {
  std::int64_t us = 0;
  if (!whole(value, us)) return put_float(w, value);
  us %= kDayUs;
  if (us < 0) us += kDayUs;
  return put(put_time_text(w, us), "+00");
}

// Old builds of the plugin: months are days already. All of it is said in hours.
char* put_interval_text(char* w, double value) {
  std::int64_t us = 0;
  if (!whole(value, us)) return put_float(w, value);
  if (us < 0) *w++ = '-';
  us = std::abs(us);
  const std::int64_t hours = us / kHourUs;
  if (hours < 10) *w++ = '0';
  w = put_integer(w, hours);
  char clock[32];
  const char* end = put_fraction(put_clock(clock, us % kHourUs), us % kHourUs);
  return std::copy(static_cast<const char*>(clock) + 2, end, w);
}

}  // namespace

int MoneyUnit::digits_of(std::string_view sample) {
  const auto digits =
      std::count_if(sample.begin(), sample.end(), [](char c) { return c >= '0' && c <= '9'; });
  return static_cast<int>(std::clamp<std::ptrdiff_t>(digits - 4, 0, 10));
}

void CellText::start(std::size_t bytes, std::size_t values) {
  const MoneyFormat& format = money_.format;
  const std::size_t signs = std::max(format.positive_prefix.size() + format.positive_suffix.size(),
                                     format.negative_prefix.size() + format.negative_suffix.size()) +
                            format.point.size();
  constexpr std::size_t kUsual = 1 << 20;
  text_.clear();
  text_.shrink_above(kUsual);
  text_.reserve(2 * bytes + values * (kLongestText + signs));
}

std::string_view CellText::integer(const Datum& datum) {
  if (datum.type == kMoney) return money(datum.integer);
  char* const begin = text_.reserve(0);
  char* end = begin;
  switch (datum.type) {
    case kDate:
      end = put_date_text(begin, datum.integer);
      break;
    case kTime:
      end = put_time_text(begin, datum.integer);
      break;
    case kTimestamp:
      end = put_timestamp_text(begin, datum.integer, "");
      break;
    case kTimestamptz:
      end = put_timestamp_text(begin, datum.integer, "+00");
      break;
    default:
      end = put_integer(begin, datum.integer);
  }
  text_.end_at(end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view CellText::real(const Datum& datum) {
  char* const begin = text_.reserve(0);
  char* end = begin;
  if (datum.form == Datum::Form::small_real)
    end = put_float(begin, datum.small_real);
  else if (datum.form == Datum::Form::point)
    end = put(put_float(put(put_float(put(begin, "("), datum.x), ","), datum.y), ")");
  else if (datum.type == kTimetz)
    end = put_timetz_text(begin, datum.x);
  else if (datum.type == kInterval)
    end = put_interval_text(begin, datum.x);
  else
    end = put_float(begin, datum.x);
  text_.end_at(end);
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::string_view CellText::hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  char* const begin = text_.reserve(0);
  char* w = put(begin, "\\x");
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    *w++ = kDigits[byte >> 4];
    *w++ = kDigits[byte & 15];
  }
  text_.end_at(w);
  return {begin, static_cast<std::size_t>(w - begin)};
}

std::string_view CellText::money(std::int64_t units) {
  const bool negative = units < 0;
  char digits[kLongestText];
  const auto size = static_cast<std::size_t>(
      std::to_chars(digits, digits + sizeof digits,
                    negative ? 0 - static_cast<std::uint64_t>(units) : static_cast<std::uint64_t>(units))
          .ptr -
      digits);
  const MoneyFormat& format = money_.format;
  const auto fraction = format.point.empty() ? 0 : static_cast<std::size_t>(money_.fraction_digits);
  const std::string_view all(digits, size);
  char* const begin = text_.reserve(0);
  char* w = put(begin, negative ? format.negative_prefix : format.positive_prefix);
  w = size > fraction ? put(w, all.substr(0, size - fraction)) : put(w, "0");
  if (fraction > 0) {
    w = put(w, format.point);
    for (std::size_t zeros = size; zeros < fraction; ++zeros) *w++ = '0';
    w = put(w, all.substr(size > fraction ? size - fraction : 0));
  }
  w = put(w, negative ? format.negative_suffix : format.positive_suffix);
  text_.end_at(w);
  return {begin, static_cast<std::size_t>(w - begin)};
}

Cell CellText::cell(const Datum& datum) {
  using Form = Datum::Form;
  using Kind = Cell::Kind;
  switch (datum.form) {
    case Form::null:
      return {Kind::null, {}};
    case Form::missing:
      return {Kind::unavailable, {}};
    case Form::integer:
      return {Kind::value, integer(datum)};
    case Form::real:
    case Form::small_real:
    case Form::point:
      return {Kind::value, real(datum)};
    case Form::boolean:
      return {Kind::value, datum.boolean ? "t" : "f"};
    case Form::text:
      return {Kind::value, datum.text};
    case Form::bytes:
      // Of any type but bytea these are the server's text, of a domain over bytea too.
      return {Kind::value, datum.type == kBytea ? hex(datum.text) : datum.text};
  }
  return {Kind::null, {}};
}

}  // namespace cdc::pg::decoderbufs
