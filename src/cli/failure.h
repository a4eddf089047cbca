// The one place that tells the user why a command failed, and the one that writes to stdout for
// commands that print. Exit statuses come from cdc/error.h.
#pragma once

#include <string_view>

#include "cdc/error.h"
#include "observe/log.h"

namespace cdc::cli {

// `error: ...` and `hint: ...` as text, or the log event `failed` (kind, hint) as JSON. Silent for
// what is no failure (cancelled) or must be silent (sink_gone). Returns the exit status.
int report_failure(const Error& error, observe::Console& console, observe::RunLog& log);

// Writes all of the text to stdout; kind sink_gone when its reader went away, sink otherwise.
Result<void> print(std::string_view text);

}  // namespace cdc::cli
