// Decimal digits of any number -> the bytes of java.math.BigInteger. Internal to numeric and money.
#pragma once

#include <cstddef>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// Base64, in quotes, of the shortest big-endian two's complement of the integer whose decimal digits
// are `high`, then `low`, then `zeros` times 0. The views hold digits only; both may be empty.
void append_integer_base64(bool negative, std::string_view high, std::string_view low, std::size_t zeros,
                           Buffer& out);

}  // namespace cdc::pg
