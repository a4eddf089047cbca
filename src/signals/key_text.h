// Borders of chunks as texts: in the state, and in notifications (PG-INC-08). Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cdc/chunks.h"

namespace cdc {

// [{"t":"int32","v":5},{"t":"string","v":null}]: what the state keeps (CORE-OFF-08).
std::string key_json(const ChunkKey& key);
// nullopt: not such an array.
std::optional<ChunkKey> parse_key_json(std::string_view json);
// Columns joined by a comma, NULL as <null>.
std::string key_display(const ChunkKey& key);

}  // namespace cdc
