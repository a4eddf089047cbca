// Scalars of Connect's types out of their JSON text and back, with Java's rules for numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/buffer.h"
#include "cdc/schema.h"

namespace cdc::transform {

std::optional<std::int64_t> read_integer(std::string_view json);
std::optional<double> read_real(std::string_view json);  // NaN and infinities come as strings

// Java's narrowing casts.
std::int64_t narrowed(Type type, std::int64_t value);  // (byte), (short), (int)
std::int64_t truncated(Type type, double value);       // saturates at int or long, then narrows

// Decimal text of a big-endian two's complement number: `unscaled` / 10^scale, as BigDecimal.toPlainString.
std::string decimal_text(std::string_view big_endian, int scale);
// The bytes of a decimal integer's two's complement form, as short as they can be.
std::string integer_bytes(std::string_view digits, bool negative);

int scale_of(const Schema& decimal);
bool is_decimal(const Schema& schema);

// A type's name as Connect spells it ("int8", "float64", "string").
std::optional<Type> type_named(std::string_view name);

}  // namespace cdc::transform
