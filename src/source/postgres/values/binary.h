// bytea, and any bytes under `binary.handling.mode` (4.4, 4.7).
#pragma once

#include <cstdint>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// `bytes` and `base64` look alike in JSON; they differ in the schema only.
enum class BinaryForm : std::uint8_t { bytes, base64, base64_url_safe, hex };

// bytea text, in hex (`\x00ff`) or escape format.
bool append_bytea(std::string_view text, BinaryForm form, Buffer& out);
// Bytes as they are: logical messages, the text of values of unknown types.
void append_binary(std::string_view bytes, BinaryForm form, Buffer& out);
// The text of box, circle, line, lseg, path and polygon with its numbers spelled as Java's doubles:
// `<(10,20),10>` -> <(10.0,20.0),10.0>.
bool append_geometric(std::string_view text, BinaryForm form, Buffer& out);

// Appends the bytes themselves, no JSON; false when `hex` is no sequence of pairs of hex digits.
bool decode_hex(std::string_view hex, Buffer& out);

}  // namespace cdc::pg
