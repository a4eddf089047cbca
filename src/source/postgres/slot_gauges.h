// How far the slot is behind, for --stats and metrics: asked with the question whether the server is alive.
#pragma once

#include "cdc/run_details.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/server.h"

namespace cdc::pg {

// Fails as the connection does; what the server does not tell is left out.
Result<void> measure_slot(Connection& general, const ServerFacts& facts, const std::string& slot,
                          std::chrono::milliseconds timeout, RunDetails& details);

}  // namespace cdc::pg
