// The hot JSON writer: appends single values as Debezium's converter spells them (CORE-JSON-05..08).
// Nothing here allocates besides growing the buffer.
#pragma once

#include <cstdint>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::json {

// `"..."` with Jackson's escapes: short forms, \u00XX upper-case, code points above U+FFFF as an
// escaped surrogate pair. Bytes that are no UTF-8 become U+FFFD, one for each maximal ill-formed part.
void append_string(Buffer& out, std::string_view utf8);
// The same without the quotes, for texts put together from parts.
void append_escaped(Buffer& out, std::string_view utf8);

void append_int(Buffer& out, std::int64_t value);
void append_uint(Buffer& out, std::uint64_t value);

// Java's Double.toString / Float.toString of JDK 19+ (CORE-JSON-06); NaN and infinities as strings
// (CORE-JSON-07).
void append_double(Buffer& out, double value);
void append_float(Buffer& out, float value);

// Standard base64 with padding in quotes; `url_safe` uses -_ instead of +/.
void append_base64(Buffer& out, std::string_view bytes, bool url_safe = false);
// Lower-case hex in quotes.
void append_hex(Buffer& out, std::string_view bytes);

inline void append_bool(Buffer& out, bool value) {
  out.append(value ? std::string_view("true") : std::string_view("false"));
}
inline void append_null(Buffer& out) { out.append("null"); }

}  // namespace cdc::json
