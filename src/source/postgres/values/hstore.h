// hstore under `hstore.handling.mode` (4.5), keys in the order of a Java hash map.
#pragma once

#include <cstdint>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// json: a string that holds a JSON object; map: the object itself.
enum class HstoreForm : std::uint8_t { json, map };

bool append_hstore(std::string_view text, HstoreForm form, Buffer& out);

}  // namespace cdc::pg
