// numeric under `decimal.handling.mode` (4.3), any number of digits.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// `decimal.format` of the converter: base64 of the unscaled bytes, or a number in the spelling of
// Java's BigDecimal.toString.
enum class DecimalForm : std::uint8_t { base64, numeric };

// precise, numeric(p,s): the value at exactly `scale` decimals. False for NaN, infinities and a
// value that would have to be rounded. `scale` may be as large as 2047.
bool append_decimal(std::string_view text, int scale, DecimalForm form, Buffer& out);
// precise, numeric: {"scale":..,"value":..} without trailing zeros, scale never negative. Always
// base64: the converter's format does not reach into the struct.
bool append_variable_scale_decimal(std::string_view text, Buffer& out);
// double: the nearest double; NaN and infinities as JSON strings.
bool append_numeric_as_double(std::string_view text, Buffer& out);
// string: exactly `scale` decimals, or as stored when there is none; never an exponent. NaN is
// "NAN", infinities are "POSITIVE_INFINITY" and "NEGATIVE_INFINITY".
bool append_numeric_as_string(std::string_view text, std::optional<int> scale, Buffer& out);

}  // namespace cdc::pg
