// numeric: the text is taken apart once; each mode puts it together in its own way.
#include "source/postgres/values/numeric.h"

#include <algorithm>
#include <cstring>

#include "json/json_text.h"
#include "source/postgres/values/big_integer.h"
#include "source/postgres/values/decimal_text.h"
#include "source/postgres/values/scalar.h"

namespace cdc::pg {
namespace {

// How many digits stand at the front.
std::size_t leading_digits(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
  return i;
}

void append_zeros(Buffer& out, std::size_t count) {
  std::memset(out.reserve(count), '0', count);
  out.advance(count);
}

void append_plain(const DecimalText& number, std::size_t scale, Buffer& out) {
  if (number.negative) out.push('-');
  out.append(number.whole.empty() ? std::string_view("0") : number.whole);
  if (scale == 0) return;
  out.push('.');
  out.append(number.fraction);
  append_zeros(out, scale - number.fraction.size());
}

// BigDecimal.toString for a scale that is not negative: scientific below 0.000001.
void append_java_decimal(const DecimalText& number, std::size_t scale, Buffer& out) {
  const std::size_t leading = std::min(number.fraction.find_first_not_of('0'), number.fraction.size());
  const std::string_view digits = number.fraction.substr(leading);
  // The unscaled value has as many digits as the scale less the zeros after the point; zero has one.
  const std::size_t count = digits.empty() ? 1 : scale - leading;
  if (!number.whole.empty() || scale - (count - 1) <= 6) return append_plain(number, scale, out);
  if (number.negative) out.push('-');
  out.push(digits.empty() ? '0' : digits[0]);
  if (count > 1) {
    out.push('.');
    out.append(digits.substr(1));
    append_zeros(out, count - digits.size());
  }
  out.append("E-");
  json::append_uint(out, scale - (count - 1));
}

// Most decimals are short: the unscaled number fits a machine word, and one pass over the text yields it.
// False: it is not of that kind, nothing appended.
bool append_short_base64(std::string_view text, std::size_t scale, Buffer& out) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.size() > kShortDigits || text.empty()) return false;
  std::uint64_t value = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = static_cast<unsigned>(text[i] - '0');
    if (digit <= 9) {
      value = value * 10 + digit;
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return false;
    }
  }
  const std::size_t decimals = point == text.size() ? 0 : text.size() - point - 1;
  if (decimals > scale || point + scale > kShortDigits || point + decimals == 0) return false;
  value *= kPowersOfTen[scale - decimals];
  append_integer_base64(negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value), out);
  return true;
}

}  // namespace

std::optional<DecimalText> DecimalText::parse(std::string_view text) {
  DecimalText number;
  number.negative = text.starts_with('-');
  if (number.negative || text.starts_with('+')) text.remove_prefix(1);
  const std::size_t point = leading_digits(text);
  number.whole = text.substr(0, point);
  if (point < text.size()) {
    if (text[point] != '.') return std::nullopt;
    number.fraction = text.substr(point + 1);
    if (leading_digits(number.fraction) != number.fraction.size()) return std::nullopt;
  }
  if (number.whole.empty() && number.fraction.empty()) return std::nullopt;
  number.whole.remove_prefix(std::min(number.whole.find_first_not_of('0'), number.whole.size()));
  if (number.negative && number.whole.empty() &&
      number.fraction.find_first_not_of('0') == std::string_view::npos)
    number.negative = false;
  return number;
}

bool DecimalText::limit_fraction(std::size_t scale) {
  if (fraction.size() <= scale) return true;
  if (fraction.find_first_not_of('0', scale) != std::string_view::npos) return false;
  fraction = fraction.substr(0, scale);
  return true;
}

void DecimalText::strip_fraction() {
  const std::size_t last = fraction.find_last_not_of('0');
  fraction = last == std::string_view::npos ? std::string_view() : fraction.substr(0, last + 1);
}

bool append_decimal(std::string_view text, int scale, DecimalForm form, Buffer& out) {
  if (scale < 0) return false;
  const auto decimals = static_cast<std::size_t>(scale);
  if (form == DecimalForm::base64 && append_short_base64(text, decimals, out)) return true;
  auto number = DecimalText::parse(text);
  if (!number || !number->limit_fraction(decimals)) return false;
  if (form == DecimalForm::numeric) {
    append_java_decimal(*number, decimals, out);
  } else {
    append_integer_base64(number->negative, number->whole, number->fraction,
                          decimals - number->fraction.size(), out);
  }
  return true;
}

bool append_variable_scale_decimal(std::string_view text, Buffer& out) {
  auto number = DecimalText::parse(text);
  if (!number) return false;
  number->strip_fraction();
  out.append("{\"scale\":");
  json::append_uint(out, number->fraction.size());
  out.append(",\"value\":");
  append_integer_base64(number->negative, number->whole, number->fraction, 0, out);
  out.push('}');
  return true;
}

bool append_numeric_as_double(std::string_view text, Buffer& out) {
  double value = 0;
  if (!parse_double(text, value)) return false;
  json::append_double(out, value == 0 ? 0.0 : value);  // a BigDecimal has no negative zero
  return true;
}

bool append_numeric_as_string(std::string_view text, std::optional<int> scale, Buffer& out) {
  constexpr std::pair<std::string_view, std::string_view> specials[] = {
      {"NaN", "\"NAN\""}, {"Infinity", "\"POSITIVE_INFINITY\""}, {"-Infinity", "\"NEGATIVE_INFINITY\""}};
  auto number = DecimalText::parse(text);
  if (!number) {
    for (const auto& [special, json_text] : specials) {
      if (text != special) continue;
      out.append(json_text);
      return true;
    }
    return false;
  }
  if (scale && *scale < 0) return false;
  const std::size_t decimals = scale ? static_cast<std::size_t>(*scale) : number->fraction.size();
  if (!number->limit_fraction(decimals)) return false;
  out.push('"');
  append_plain(*number, decimals, out);
  out.push('"');
  return true;
}

}  // namespace cdc::pg
