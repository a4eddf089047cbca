// Decimal digits of any number -> the bytes of java.math.BigInteger. Internal to numeric and money.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

constexpr std::size_t kShortDigits = 18;  // a number of so many digits fits 64 bits with its sign
constexpr auto kPowersOfTen = [] {
  std::array<std::uint64_t, kShortDigits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Base64, in quotes, of the shortest big-endian two's complement of the number.
void append_integer_base64(std::int64_t value, Buffer& out);
// The same of a number of any size, whose decimal digits are `high`, then `low`, then `zeros` times 0. The
// views hold digits only; both may be empty.
void append_integer_base64(bool negative, std::string_view high, std::string_view low, std::size_t zeros,
                           Buffer& out);

}  // namespace cdc::pg
