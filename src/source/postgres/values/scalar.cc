// boolean, integers and floating point numbers; the texts are short and the work is from_chars.
#include "source/postgres/values/scalar.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "json/json_text.h"

namespace cdc::pg {
namespace {

struct Range {
  std::int64_t low, high;
  std::size_t safe_digits;  // every number of so many digits is within
};
constexpr Range kRanges[] = {
    {std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max(), 4},
    {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), 9},
    {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), 18},
    {0, std::numeric_limits<std::uint32_t>::max(), 9},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Whether a decimal text without sign that no binary number can hold is too big (and not too small).
bool is_huge(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    const bool negative = text.substr(e + 1).starts_with('-');
    for (std::size_t i = e + 1; i < text.size(); ++i)
      if (is_digit(text[i]) && exponent < 1'000'000'000) exponent = exponent * 10 + (text[i] - '0');
    if (negative) exponent = -exponent;
  }
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point =
      mantissa.find('.') == std::string_view::npos ? mantissa.size() : mantissa.find('.');
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  return static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) + exponent > 0;
}

template <class Float>
bool parse(std::string_view text, Float& value) {
  const bool negative = text.starts_with('-');
  const std::string_view rest = text.substr(negative ? 1 : 0);
  if (rest.empty()) return false;
  if (!is_digit(rest[0]) && rest[0] != '.') {  // keeps from_chars from its other spellings
    if (rest == "Infinity") {
      value = negative ? -std::numeric_limits<Float>::infinity() : std::numeric_limits<Float>::infinity();
    } else if (text == "NaN") {
      value = std::numeric_limits<Float>::quiet_NaN();
    } else {
      return false;
    }
    return true;
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return false;
  if (error == std::errc::result_out_of_range) {
    value = is_huge(rest) ? std::numeric_limits<Float>::infinity() : Float(0);
    if (negative) value = -value;
  }
  return true;
}

// Most numbers are plain and short. A decimal of so few digits that every one of them reads back from
// the binary type is its own shortest text, so it is in Java's layout already, but for the zeros at
// its end. False: not of that kind, nothing appended.
template <class Float>
bool append_short(std::string_view text, Buffer& out) {
  constexpr std::size_t most_digits = std::numeric_limits<Float>::digits10;
  const std::string_view number = text.substr(text.starts_with('-') ? 1 : 0);
  std::size_t whole = 0;
  while (whole < number.size() && is_digit(number[whole])) ++whole;
  if (whole == 0 || whole > most_digits || whole > 7 || (number[0] == '0' && whole > 1)) return false;
  std::size_t end = number.size();
  if (end > whole) {
    if (number[whole] != '.' || end > most_digits + 1 || end == whole + 1) return false;
    for (std::size_t i = whole + 1; i < end; ++i)
      if (!is_digit(number[i])) return false;
    while (end > whole && (number[end - 1] == '0' || number[end - 1] == '.')) --end;
    if (number[0] == '0' && end > whole &&
        number.substr(whole + 1, 3).find_first_not_of('0') == std::string_view::npos)
      return false;
  }
  out.append(text.substr(0, end + (text.size() - number.size())));
  if (end == whole) out.append(".0");
  return true;
}

// Whether 1 to 8 bytes are digits, all looked at together: two loads that overlap cover them.
bool are_digits(const char* text, std::size_t size) {
  constexpr std::uint64_t high_halves = 0xF0F0F0F0F0F0F0F0, threes = 0x3030303030303030;
  std::uint64_t bytes = 0;
  if (size >= 4) {
    std::uint32_t front = 0, back = 0;
    std::memcpy(&front, text, 4);
    std::memcpy(&back, text + size - 4, 4);
    bytes = static_cast<std::uint64_t>(back) << 32 | front;
  } else {  // the first, the middle one and the last
    const auto at = [&](std::size_t i) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(text[i]));
    };
    bytes = (threes << 24) | at(size - 1) << 16 | at(size / 2) << 8 | at(0);
  }
  // A byte is a digit when its high half is 3 and stays 3 when 6 is added.
  return (bytes & high_halves) == threes && ((bytes + 0x0606060606060606) & high_halves) == threes;
}

// A number without sign and without zeros in front, of so few digits that the type holds every such number,
// is its own JSON text. False: it is not of that kind.
bool is_plain(std::string_view text, std::size_t most_digits) {
  if (text.empty() || text.size() > most_digits || (text[0] == '0' && text.size() > 1)) return false;
  const std::size_t front = std::min<std::size_t>(text.size(), 8);
  if (!are_digits(text.data(), front)) return false;
  for (std::size_t i = front; i < text.size(); ++i)
    if (!is_digit(text[i])) return false;
  return true;
}

}  // namespace

bool append_bool(std::string_view text, Buffer& out) {
  const bool is_true = text == "t" || text == "true";
  if (!is_true && text != "f" && text != "false") return false;
  json::append_bool(out, is_true);
  return true;
}

bool append_integer(std::string_view text, IntType type, Buffer& out) {
  const Range range = kRanges[static_cast<std::size_t>(type)];
  if (is_plain(text, range.safe_digits)) {
    out.append(text);
    return true;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  if (value < range.low || value > range.high) return false;
  json::append_int(out, value);
  return true;
}

bool parse_double(std::string_view text, double& value) { return parse(text, value); }
bool parse_float(std::string_view text, float& value) { return parse(text, value); }

bool append_float4(std::string_view text, Buffer& out) {
  if (append_short<float>(text, out)) return true;
  float value = 0;
  if (!parse(text, value)) return false;
  json::append_float(out, value);
  return true;
}

bool append_float8(std::string_view text, Buffer& out) {
  if (append_short<double>(text, out)) return true;
  double value = 0;
  if (!parse(text, value)) return false;
  json::append_double(out, value);
  return true;
}

bool append_integer_vector(std::string_view text, IntType type, Buffer& out) {
  const std::size_t begin = out.size();
  out.push('[');
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    if (out.size() > begin + 1) out.push(',');
    if (!append_integer(text.substr(0, end), type, out)) {
      out.truncate(begin);
      return false;
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  out.push(']');
  return true;
}

}  // namespace cdc::pg
