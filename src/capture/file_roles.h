// One file, one purpose: an output that is also the state would be written over the positions in it.
#pragma once

#include "cdc/config.h"
#include "cdc/error.h"

namespace cdc {

// Error of kind usage when two of output, state, metrics.file and signal.file are the same file.
Result<void> check_file_roles(const Config& config);

}  // namespace cdc
