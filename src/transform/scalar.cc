// Numbers.
#include "transform/scalar.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace cdc::transform {

std::optional<std::int64_t> read_integer(std::string_view json) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), n);
  if (error != std::errc() || end != json.data() + json.size()) return std::nullopt;
  return n;
}

std::optional<double> read_real(std::string_view json) {
  if (json == "\"NaN\"") return std::numeric_limits<double>::quiet_NaN();
  if (json == "\"Infinity\"") return std::numeric_limits<double>::infinity();
  if (json == "\"-Infinity\"") return -std::numeric_limits<double>::infinity();
  const std::string text(json);
  char* end = nullptr;
  const double d = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) return std::nullopt;
  return d;
}

std::int64_t narrowed(Type type, std::int64_t value) {
  switch (type) {
    case Type::int8:
      return static_cast<std::int8_t>(value);
    case Type::int16:
      return static_cast<std::int16_t>(value);
    case Type::int32:
      return static_cast<std::int32_t>(value);
    default:
      return value;
  }
}

std::int64_t truncated(Type type, double value) {
  if (std::isnan(value)) return 0;
  const auto saturated = [value](double low, double high, std::int64_t least, std::int64_t most) {
    return value <= low ? least : value >= high ? most : static_cast<std::int64_t>(value);
  };
  if (type == Type::int64) return saturated(-0x1p63, 0x1p63, INT64_MIN, INT64_MAX);
  return narrowed(type, saturated(-0x1p31, 0x1p31 - 1, INT32_MIN, INT32_MAX));
}

std::string decimal_text(std::string_view big_endian, int scale) {
  std::string bytes(big_endian);
  const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes[0]) & 0x80u) != 0;
  if (negative) {
    unsigned carry = 1;
    for (std::size_t i = bytes.size(); i-- > 0;) {
      const unsigned v = (~static_cast<unsigned>(static_cast<unsigned char>(bytes[i])) & 0xFFu) + carry;
      bytes[i] = static_cast<char>(v & 0xFFu);
      carry = v >> 8;
    }
  }
  std::string digits;  // least significant first
  while (bytes.find_first_not_of('\0') != std::string::npos) {
    unsigned rest = 0;
    for (char& b : bytes) {
      const unsigned v = rest * 256 + static_cast<unsigned char>(b);
      b = static_cast<char>(v / 10);
      rest = v % 10;
    }
    digits.push_back(static_cast<char>('0' + rest));
  }
  if (digits.empty()) digits = "0";
  if (scale > 0)
    while (digits.size() <= static_cast<std::size_t>(scale)) digits.push_back('0');
  std::reverse(digits.begin(), digits.end());
  if (scale > 0) digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
  if (scale < 0 && digits != "0") digits.append(static_cast<std::size_t>(std::min(-scale, 100000)), '0');
  return negative ? "-" + digits : digits;
}

std::string integer_bytes(std::string_view digits, bool negative) {
  std::string bytes(1, '\0');  // least significant first
  for (const char c : digits) {
    unsigned carry = static_cast<unsigned>(c - '0');
    for (char& b : bytes) {
      const unsigned v = static_cast<unsigned>(static_cast<unsigned char>(b)) * 10 + carry;
      b = static_cast<char>(v & 0xFFu);
      carry = v >> 8;
    }
    if (carry > 0) bytes.push_back(static_cast<char>(carry));
  }
  if ((static_cast<unsigned char>(bytes.back()) & 0x80u) != 0) bytes.push_back('\0');
  if (negative) {
    unsigned carry = 1;
    for (char& b : bytes) {
      const unsigned v = (~static_cast<unsigned>(static_cast<unsigned char>(b)) & 0xFFu) + carry;
      b = static_cast<char>(v & 0xFFu);
      carry = v >> 8;
    }
  }
  const auto top = [&](std::size_t back) { return static_cast<unsigned char>(bytes[bytes.size() - back]); };
  while (bytes.size() > 1 &&
         ((top(1) == 0 && (top(2) & 0x80u) == 0) || (top(1) == 0xFF && (top(2) & 0x80u) != 0)))
    bytes.pop_back();
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

bool is_decimal(const Schema& schema) { return schema.name == "org.apache.kafka.connect.data.Decimal"; }

int scale_of(const Schema& decimal) {
  for (const auto& [name, value] : decimal.parameters)
    if (name == "scale")
      return static_cast<int>(std::clamp<std::int64_t>(read_integer(value).value_or(0), -100000, 100000));
  return 0;
}

std::optional<Type> type_named(std::string_view name) {
  struct Row {
    std::string_view name;
    Type type;
  };
  static constexpr Row rows[] = {{"int8", Type::int8},       {"int16", Type::int16},
                                 {"int32", Type::int32},     {"int64", Type::int64},
                                 {"float32", Type::float32}, {"float64", Type::float64},
                                 {"boolean", Type::boolean}, {"string", Type::string}};
  for (const Row& row : rows)
    if (row.name == name) return row.type;
  return std::nullopt;
}

}  // namespace cdc::transform
