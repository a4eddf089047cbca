// The file channel (CORE-SIG-05): one signal a line, taken out of the file by whoever reads it. Readers and
// writers hold flock(LOCK_EX), so that no line is lost between reading and emptying.
#pragma once

#include <string>
#include <string_view>

#include "cdc/error.h"

namespace cdc {

// Everything in the file, which is empty afterwards. A file that is not there is empty. Waits a second for
// the lock at most.
Result<std::string> take_signals(const std::string& path);
// Adds one line (without its end); makes the file when it is missing.
Result<void> add_signal(const std::string& path, std::string_view line);

}  // namespace cdc
