// interval: `[-]1 year [-]2 mons [-]3 days [+-]04:05:06.78`, each part with a sign of its own.
#include "source/postgres/values/interval.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "json/json_text.h"

namespace cdc::pg {
namespace {

struct Interval {
  std::int64_t years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0, micros = 0;
};

// Which number a word of the text stands behind.
struct Unit {
  std::string_view name;
  std::int64_t Interval::*part;
};
constexpr Unit kUnits[] = {{"year", &Interval::years}, {"years", &Interval::years},
                           {"mon", &Interval::months}, {"mons", &Interval::months},
                           {"day", &Interval::days},   {"days", &Interval::days}};

// Takes the digits at the front, at most 12; false when there are none or more.
bool take_number(std::string_view& text, std::int64_t& value) {
  std::size_t i = 0;
  value = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    if (i == 12) return false;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(i);
  return i > 0;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// What follows the hours of a clock: `:05:06.78`.
bool take_clock(std::string_view& text, std::int64_t sign, Interval& interval) {
  std::int64_t minutes = 0, seconds = 0;
  if (!take(text, ':') || !take_number(text, minutes) || !take(text, ':') || !take_number(text, seconds))
    return false;
  if (minutes > 59 || seconds > 59) return false;
  interval.minutes = sign * minutes;
  interval.seconds = sign * seconds;
  if (take(text, '.')) {
    const std::size_t before = text.size();
    std::int64_t micros = 0;
    if (!take_number(text, micros) || before - text.size() > 6) return false;
    for (std::size_t digits = before - text.size(); digits < 6; ++digits) micros *= 10;
    interval.micros = sign * micros;
  }
  return true;
}

bool parse(std::string_view text, Interval& interval) {
  if (text.empty()) return false;
  for (;;) {
    const std::int64_t sign = text.starts_with('-') ? -1 : 1;
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    std::int64_t value = 0;
    if (!take_number(text, value)) return false;
    if (text.starts_with(':')) {
      interval.hours = sign * value;
      return take_clock(text, sign, interval) && text.empty();
    }
    if (!take(text, ' ')) return false;
    const std::string_view word = text.substr(0, text.find(' '));
    const Unit* unit = nullptr;
    for (const Unit& known : kUnits)
      if (known.name == word) unit = &known;
    if (unit == nullptr) return false;
    interval.*unit->part = sign * value;
    text.remove_prefix(word.size());
    if (text.empty()) return true;
    if (!take(text, ' ')) return false;
  }
}

// Put together as the driver of Debezium does: 2 + 0.841016 is a little less than 2.841016.
double seconds_of(const Interval& interval) {
  return static_cast<double>(interval.seconds) + static_cast<double>(interval.micros) / 1e6;
}

// The shortest decimal text of the sum, cut after nine decimals; its roundings show: 2.841015999.
void append_seconds(double seconds, Buffer& out) {
  constexpr std::size_t most_decimals = 9;
  if (seconds == 0) return out.push('0');
  char text[64];  // 0.000001 <= |seconds| < 60
  const auto [end, error] = std::to_chars(text, text + sizeof text, seconds, std::chars_format::fixed);
  std::string_view digits(text, static_cast<std::size_t>(end - text));
  if (const std::size_t point = digits.find('.'); point != std::string_view::npos) {
    digits = digits.substr(0, point + 1 + most_decimals);
    digits = digits.substr(0, digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.remove_suffix(1);
  }
  out.append(digits);
}

}  // namespace

bool append_interval_us(std::string_view text, Buffer& out) {
  constexpr double days_per_month = 365.25 / 12.0;
  constexpr double limit = 9223372036854775808.0;  // 2^63
  Interval i;
  if (!parse(text, i)) return false;
  // Debezium's arithmetic, in its order: its roundings are part of the format.
  const double days =
      static_cast<double>(i.years * 12 + i.months) * days_per_month + static_cast<double>(i.days);
  const double us = (((days * 24 + static_cast<double>(i.hours)) * 60 + static_cast<double>(i.minutes)) * 60 +
                     seconds_of(i)) *
                    1e6;
  if (us >= limit) {
    json::append_int(out, std::numeric_limits<std::int64_t>::max());
  } else if (us <= -limit) {
    json::append_int(out, std::numeric_limits<std::int64_t>::min());
  } else {
    json::append_int(out, static_cast<std::int64_t>(us));
  }
  return true;
}

bool append_interval_iso(std::string_view text, Buffer& out) {
  Interval i;
  if (!parse(text, i)) return false;
  const struct {
    std::string_view before;
    std::int64_t value;
  } parts[] = {{"\"P", i.years}, {"Y", i.months}, {"M", i.days}, {"DT", i.hours}, {"H", i.minutes}};
  for (const auto& part : parts) {
    out.append(part.before);
    json::append_int(out, part.value);
  }
  out.push('M');
  append_seconds(seconds_of(i), out);
  out.append("S\"");
  return true;
}

}  // namespace cdc::pg
