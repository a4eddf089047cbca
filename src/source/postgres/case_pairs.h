// CasePairs: columns of one table whose names differ only by case. They are two columns (PG-SNAP-17), but
// column rules match names without regard to case: when a second one appears while the stream runs, masks,
// filters and keys that were written for the first would silently act on it too. Then the operator decides.
#pragma once

#include <set>
#include <string>

#include "source/postgres/control/connection.h"
#include "source/postgres/shapes.h"

namespace cdc::pg {

class CasePairs {
 public:
  // What the catalog has at the start: those pairs are accepted.
  Result<void> read(Connection& general);
  // The table as its rows now come. `before_start`: they were committed before the stream began, so that
  // whoever started it had the chance to look: accepted as well.
  Result<void> check(const TableDescription& table, bool before_start);

 private:
  std::set<std::string> known_;  // schema.table.column, folded
};

}  // namespace cdc::pg
