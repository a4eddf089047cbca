// Encoders that hide or cut the text of another encoder: asterisks, salted hashes, truncation. They
// work on the JSON the inner encoder wrote, so they fit every source.
#pragma once

#include <string>

#include "cdc/codec.h"

namespace cdc {

ColumnCodec masked_with_asterisks(const ColumnCodec& inner, std::size_t count);

enum class HashForm : std::uint8_t {
  java_serialized,  // CORE-COL-07 v1
  plain_utf8,       // v2
};
// `length`: hex digits to keep; 0: all. `algorithm` as in Java: MD5, SHA-256, SHA3-512, ...
ColumnCodec masked_with_hash(const ColumnCodec& inner, HashForm form, const std::string& algorithm,
                             const std::string& salt, std::size_t length);

// A codec whose text is JSON already: behind it the masks above act on what stands in for a value.
ColumnCodec as_json(const ColumnCodec& codec);

// Strings to `length` UTF-16 units (never half a surrogate pair), bytes to `length` bytes (CORE-COL-08).
ColumnCodec truncated(const ColumnCodec& inner, std::size_t length);

}  // namespace cdc
