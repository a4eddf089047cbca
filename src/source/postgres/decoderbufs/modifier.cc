// Typmods by the spelling of types. No user's type can be spelled like these: they are SQL's own words,
// which the server puts in quotes or behind a schema when somebody else's type bears them.
#include "source/postgres/decoderbufs/modifier.h"

#include <charconv>
#include <optional>

namespace cdc::pg::decoderbufs {
namespace {

constexpr std::int32_t kNone = -1;
constexpr std::int32_t kHeader = 4;  // counted in the typmods of character types and numeric

// The numbers of `(5,2)` or `(5)`.
struct Numbers {
  int count = 0;
  std::int32_t first = 0, second = 0;
};

std::optional<std::int32_t> take_number(std::string_view& text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// At the front of `text`; none when there is no parenthesis or something else in it.
Numbers take_numbers(std::string_view& text) {
  Numbers numbers;
  if (!take(text, "(")) return numbers;
  const auto first = take_number(text);
  if (!first) return numbers;
  numbers.first = *first;
  int count = 1;
  if (take(text, ",")) {
    const auto second = take_number(text);
    if (!second) return numbers;
    numbers.second = *second;
    count = 2;
  }
  if (take(text, ")")) numbers.count = count;
  return numbers;
}

std::int32_t characters(std::string_view rest) {
  const Numbers numbers = take_numbers(rest);
  return numbers.count == 1 && numbers.first > 0 && numbers.first <= 10'485'760 ? numbers.first + kHeader
                                                                                : kNone;
}
std::int32_t plain(std::string_view rest) {
  const Numbers numbers = take_numbers(rest);
  return numbers.count == 1 && numbers.first >= 0 ? numbers.first : kNone;
}
std::int32_t numeric(std::string_view rest) {
  const Numbers numbers = take_numbers(rest);
  if (numbers.count != 2 || numbers.first < 1 || numbers.first > 1000) return kNone;
  return ((numbers.first << 16) | (numbers.second & 0x7FF)) + kHeader;
}

// The fields of an interval are bits in the upper half of its typmod, its precision is the lower half.
struct Fields {
  std::string_view spelled;
  std::int32_t bits;
};
constexpr std::int32_t kMonth = 1 << 1, kYear = 1 << 2, kDay = 1 << 3, kHour = 1 << 10, kMinute = 1 << 11,
                       kSecond = 1 << 12;
constexpr std::int32_t kAllFields = 0x7FFF, kAnyPrecision = 0xFFFF;
constexpr Fields kFields[] = {
    {" year to month", kYear | kMonth},
    {" year", kYear},
    {" month", kMonth},
    {" day to hour", kDay | kHour},
    {" day to minute", kDay | kHour | kMinute},
    {" day to second", kDay | kHour | kMinute | kSecond},
    {" day", kDay},
    {" hour to minute", kHour | kMinute},
    {" hour to second", kHour | kMinute | kSecond},
    {" hour", kHour},
    {" minute to second", kMinute | kSecond},
    {" minute", kMinute},
    {" second", kSecond},
};
std::int32_t interval(std::string_view rest) {
  std::int32_t bits = kAllFields;
  for (const Fields& fields : kFields) {
    if (!take(rest, fields.spelled)) continue;
    bits = fields.bits;
    break;
  }
  const Numbers numbers = take_numbers(rest);
  if (numbers.count != 1 && bits == kAllFields) return kNone;
  const bool sized = numbers.count == 1 && numbers.first >= 0 && numbers.first <= 6;
  return (bits << 16) | (sized ? numbers.first : kAnyPrecision);
}

struct Rule {
  std::string_view name;
  std::int32_t (*read)(std::string_view rest);
};
// A longer name before the one it begins with.
constexpr Rule kRules[] = {
    {"character varying", characters},
    {"character", characters},
    {"bit varying", plain},
    {"bit", plain},
    {"numeric", numeric},
    {"timestamp", plain},
    {"time", plain},
    {"interval", interval},
};

}  // namespace

std::int32_t typmod_of(std::string_view type) {
  for (const Rule& rule : kRules)
    if (type.starts_with(rule.name)) return rule.read(type.substr(rule.name.size()));
  return kNone;
}

}  // namespace cdc::pg::decoderbufs
