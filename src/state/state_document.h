// The JSON form of a state: text to captures and back. No files. Human readable:
//   { "cdc_state": 1, "captures": [ { "engine", "partition", "offset", "snapshot", "facts", "files" } ] }
#pragma once

#include <string>
#include <string_view>

#include "cdc/error.h"
#include "state/memory_store.h"

namespace cdc {

// Total over all texts. Kind corrupt: empty, cut, or no state of ours; unsupported: of a newer cdc. The
// messages continue a sentence that begins with the file's name.
Result<StateMap> parse_state(std::string_view text);
// Kind internal when an offset is no JSON object, usage when a path is no UTF-8.
Result<std::string> render_state(const StateMap& captures);

}  // namespace cdc
