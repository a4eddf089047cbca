// May our role read what a snapshot is to read? Asked before anything is made on the server, for all tables
// at once: COPY would tell of the first one only, after a slot exists.
#pragma once

#include <span>

#include "source/postgres/control/catalog.h"
#include "source/postgres/control/server.h"

namespace cdc::pg {

// Error (refused) that names the tables and the statements which help.
Result<void> check_readable(Connection& general, const ServerFacts& facts, std::span<const TableRow> tables);

}  // namespace cdc::pg
