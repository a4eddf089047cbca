// bit and varbit (4.1).
#pragma once

#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// bit(1) and varbit(1): exactly one digit; an empty varbit(1) is not expressible.
bool append_bit_as_bool(std::string_view text, Buffer& out);
// io.debezium.data.Bits: base64 of the little-endian bytes up to the highest bit set.
bool append_bits(std::string_view text, Buffer& out);

}  // namespace cdc::pg
