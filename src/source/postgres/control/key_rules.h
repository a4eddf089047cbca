// Which columns make the key of an event, and which an old row carries, from the indexes of a table
// (PG-KEY-01, PG-RI-01). Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "source/postgres/control/catalog.h"

namespace cdc::pg {

// One row of pg_index.
struct IndexRow {
  std::string name;
  bool primary = false, unique = false, clustered = false;
  bool identity = false;  // indisreplident
  bool valid = true, immediate = true, partial = false;
  std::size_t key_columns = 0;        // indnkeyatts: what follows in `columns` are INCLUDE columns
  std::vector<std::int16_t> columns;  // indkey; 0 stands for an expression
};

TableKey choose_key(std::span<const IndexRow> indexes);
ReplicaIdentity choose_identity(char kind, std::span<const IndexRow> indexes,
                                std::span<const ColumnRow> columns);

}  // namespace cdc::pg
