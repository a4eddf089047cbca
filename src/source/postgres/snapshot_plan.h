// TableReader's plan: which tables a snapshot reads, in which order, cut into which units (CORE-SNAP-08..11,
// CORE-PAR, PG-SNAP-07..12). Reads the catalog, no rows.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/snapshot.h"
#include "filter/collection_filter.h"
#include "filter/column_filter.h"
#include "source/postgres/control/catalog.h"
#include "source/postgres/settings.h"
#include "source/postgres/shapes.h"

namespace cdc::pg {

// What the configuration says about reading tables.
class SnapshotRules {
 public:
  static Result<SnapshotRules> make(const Config& config);

  const CollectionFilter& collections() const { return collections_; }
  const KeyColumns& key_columns() const { return keys_; }  // message.key.columns
  // Unset: read as it is. Empty: the table is not read (CORE-SNAP-11).
  const std::string* select_override(const TableId& id) const;
  unsigned multiplier(const TableId& id, unsigned standard) const;
  std::string condition(const TableId& id) const;  // --where; empty: all rows
  // A condition for a table that is not read, or that has a SELECT of its own, would be without effect.
  Result<void> check_conditions(const SnapshotPlan& plan) const;
  // Of the columns that the filters leave, and those that make the key.
  Result<std::vector<std::string>> columns_to_read(const TableId& id, const std::vector<std::string>& columns,
                                                   const std::vector<std::string>& key) const;
  std::vector<std::string> warnings() const { return warnings_; }

 private:
  CollectionFilter collections_;
  ColumnFilter columns_;
  KeyColumns keys_;
  std::map<std::string, std::string> overrides_;   // by schema.table
  std::map<std::string, std::string> conditions_;  // by schema.table
  std::map<std::string, unsigned> multipliers_;
  std::vector<std::string> warnings_;
};

// A table of the plan with what reading it needs.
struct SnapshotTable {
  TableRow row;
  TableDescription description;  // of the columns to read; empty for tables without units
  std::vector<std::string> key;  // to cut and order by: NOT NULL columns only; empty: none
  std::string condition;         // SQL that the rows must meet; empty: all rows
};

struct PlannedSnapshot {
  SnapshotPlan plan;
  std::vector<SnapshotTable> tables;  // parallel to plan.tables
};

// `connection` sees the snapshot's state. `types` learns the types of all columns to read.
Result<PlannedSnapshot> plan_snapshot(Connection& connection, const SourceSettings& settings,
                                      const SnapshotRules& rules, const SnapshotRequest& request,
                                      TypeCatalog& types);

// Tables of the data snapshot, in reading order (CORE-SNAP-08).
std::vector<TableRow> reading_order(std::vector<TableRow> tables, const CollectionFilter& filter);

}  // namespace cdc::pg
