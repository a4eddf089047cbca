// Reading one unit of a snapshot: COPY of its rows through the sink (PG-SNAP-09/10). One call runs on one
// worker's connection and thread.
#pragma once

#include <string>
#include <vector>

#include "cdc/change_sink.h"
#include "cdc/snapshot.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/shapes.h"
#include "source/postgres/snapshot_plan.h"

namespace cdc::pg {

// The COPY statement of a unit; pure. `resume_after` takes the place of the unit's lower bound.
std::string unit_sql(const SnapshotTable& table, const SnapshotUnit& unit,
                     const std::vector<std::string>& resume_after);

struct UnitReading {
  Connection& connection;
  const SnapshotTable& table;
  const PlannedTable& planned;
  const SnapshotUnit& unit;
  const std::vector<std::string>& resume_after;
  const TypeCatalog& types;
  const ShapeOptions& options;
};

Result<void> read_unit(const UnitReading& reading, ChangeSink& sink);

}  // namespace cdc::pg
