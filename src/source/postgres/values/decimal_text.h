// A decimal number as its text has it, taken apart. Internal to numeric and money.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace cdc::pg {

// sign whole.fraction; `whole` has no leading zeros and is empty for |x| < 1. Zero is never negative.
// The views point into the parsed text.
struct DecimalText {
  bool negative = false;
  std::string_view whole, fraction;

  // `[+-]digits[.digits]` with at least one digit; nullopt for anything else (NaN, exponents).
  static std::optional<DecimalText> parse(std::string_view text);
  // Drops trailing zeros of the fraction beyond `scale` decimals; false when other digits are there.
  bool limit_fraction(std::size_t scale);
  void strip_fraction();  // of all its trailing zeros
};

}  // namespace cdc::pg
