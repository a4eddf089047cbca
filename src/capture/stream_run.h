// The streaming phase: one attempt after the other until stopped, bounded or failed for good.
#pragma once

#include <optional>
#include <string>

#include "capture/session.h"

namespace cdc {

// `offset`: where to go on; nullopt: where prepare() left the source. `after_snapshot`: this start has
// read the tables.
Result<void> run_stream(Session& session, std::optional<std::string> offset, bool after_snapshot);

}  // namespace cdc
