// One file, one purpose: an output that is also the state would be written over the positions in it.
#pragma once

#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"

namespace cdc {

// Whether both names lead to one place, links followed; nothing need be there.
bool same_file(const std::string& one, const std::string& other);
// Error of kind usage when two of output, state, metrics.file, signal.file and one of `configured`, the files
// that the configuration was read from, are the same file.
Result<void> check_file_roles(const Config& config, const std::vector<std::string>& configured);

}  // namespace cdc
