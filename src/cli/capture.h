// What `cdc snapshot` and `cdc stream` have in common: one capture, from configuration to exit status.
#pragma once

#include "cdc/capture.h"
#include "cli/command.h"

namespace cdc::cli {

// Runs it and reports its failure itself (it owns the log). The result is the exit status.
Result<int> capture(const Invocation& invocation, CaptureOptions options);

}  // namespace cdc::cli
