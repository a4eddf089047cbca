// Inside of this room: columns of array types (4.6).
#pragma once

#include <optional>

#include "source/postgres/types/mapping.h"

namespace cdc::pg {

// `request.type` is an array with a known element; its typmod is the column's. nullopt: the column is
// left out under these modes.
std::optional<Mapping> map_array(const TypeRequest& request);

}  // namespace cdc::pg
