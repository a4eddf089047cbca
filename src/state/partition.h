// Source partitions compared as maps: member order, spacing and spelling of escapes do not matter.
#pragma once

#include <string>
#include <string_view>

namespace cdc {

// The same text for equal JSON values: members sorted, no spaces, strings spelled one way. A text that is
// no JSON comes back as it is.
std::string canonical_json(std::string_view json);

}  // namespace cdc
