// boolean, the integer types and the binary floating point types (PostgreSQL spec 4.1).
#pragma once

#include <cstdint>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

enum class IntType : std::uint8_t { int2, int4, int8, oid };

// `t`, `f`, `true`, `false`.
bool append_bool(std::string_view text, Buffer& out);
// Plain decimal digits within the range of the type.
bool append_integer(std::string_view text, IntType type, Buffer& out);
// In Java's layout; NaN and infinities as JSON strings. A float4 is not widened.
bool append_float4(std::string_view text, Buffer& out);
bool append_float8(std::string_view text, Buffer& out);
// int2vector and oidvector: `1 2 3` -> [1,2,3].
bool append_integer_vector(std::string_view text, IntType type, Buffer& out);

// The numbers themselves; false for what is no number from end to end. Beyond the range of the type
// they become an infinity or zero, as Java's parseDouble and parseFloat make it.
bool parse_double(std::string_view text, double& value);
bool parse_float(std::string_view text, float& value);

}  // namespace cdc::pg
