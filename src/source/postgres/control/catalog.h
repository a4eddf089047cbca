// Reads tables, columns, keys and types from the catalog, in bulk and by oid (PG-LIBPQ-25..28). Plain
// rows of data: mapping to shapes and codecs is done elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdc/table.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/types/type_catalog.h"

namespace cdc::pg {

struct TableRow {
  Oid oid = 0;
  TableId id;              // schema and table; catalog stays empty
  char kind = 'r';         // relkind: r, p (partitioned)
  char persistence = 'p';  // relpersistence: p, u (unlogged), t
  char identity = 'd';     // relreplident: d n f i
  bool is_partition = false;
  bool has_children = false;  // relhassubclass: a SELECT may read other tables' rows too
  bool row_security = false;  // in force for our role
  bool has_primary_key = false;
  std::optional<std::uint64_t>
      bytes;  // of the heap; unset where its own heap says nothing (partitioned, has children)
  double estimated_rows = -1;  // reltuples; < 0: never analysed
  Oid parent = 0;              // of a partition: its direct parent
  bool published_kind() const { return persistence == 'p'; }
  bool surely_empty() const { return bytes && *bytes == 0; }
};

struct TableFilter {
  std::function<bool(const TableId&)> captured;  // unset: every table
  bool ignore_builtin = true;                    // table.ignore.builtin: leaves out spatial_ref_sys
  // Fill `bytes`: costs the server about 40 us a table (it opens each one), so only where a snapshot needs
  // to know which tables are empty. Those need no read_details either.
  bool sizes = true;
};

// Candidates of PG-SNAP-07 that the filter lets through, sorted by schema and table (byte order). Two
// round trips whatever the number of tables; sizes are asked for captured tables only.
Result<std::vector<TableRow>> read_tables(Connection& connection, const TableFilter& filter);

struct ColumnRow {
  std::int16_t attnum = 0;
  std::string name;
  Oid type = 0;
  std::int32_t typmod = -1;
  bool not_null = false;       // attnotnull; the domain's part is TypeCatalog::resolve's
  bool not_null_valid = true;  // 18+: false for a NOT VALID constraint (NULLs may be stored)
  std::optional<std::string> default_expression;  // pg_get_expr; also of generated columns
  char generated = '\0';                          // s stored, v virtual (18+)
  char identity = '\0';                           // a, d
  char storage = 'p';                             // attstorage: p e m x
};

struct TableKey {
  enum class Origin : std::uint8_t { none, primary_key, unique_index };
  Origin origin = Origin::none;
  std::string index;                  // its name
  std::vector<std::int16_t> columns;  // attnums in key order
  bool partial = false;               // of a unique index with a predicate: unique only for some rows (warn)
  bool valid = true;                  // indisvalid
};

struct ReplicaIdentity {
  char kind = 'd';                    // d n f i, as in the catalog
  std::string index;                  // of 'i'; empty when the index is gone (acts like NOTHING)
  std::vector<std::int16_t> columns;  // what an old tuple carries: all for f; none: no old tuple at all
};

// A table as the catalog shows it now.
struct TableDetail {
  Oid oid = 0;
  TableId id;
  char kind = 'r';
  std::vector<ColumnRow> columns;  // by attnum; gaps of dropped columns are left out
  TableKey key;                    // PG-KEY-01
  ReplicaIdentity identity;
  const ColumnRow* column(std::int16_t attnum) const;
  const ColumnRow* column(std::string_view name) const;
};

// In the order asked for; tables that are gone are missing. Two round trips for any number of tables.
Result<std::vector<TableDetail>> read_details(Connection& connection, std::span<const Oid> tables);
Result<std::optional<TableDetail>> read_detail(Connection& connection, Oid table);

// Oid of one table by exact name; nullopt: no such table (or view etc.).
Result<std::optional<Oid>> find_table(Connection& connection, const TableId& id);

// Rows for TypeCatalog::add: the types asked for and all that they build on (bases of domains, elements
// of arrays), in one round trip. Oids that are gone are missing.
Result<std::vector<TypeRow>> read_types(Connection& connection, std::span<const Oid> types);
// Brings everything that columns of these types need into the catalog. Costs nothing when all is known.
// Returns the oids that the server does not know either.
Result<std::vector<Oid>> complete_types(Connection& connection, TypeCatalog& catalog,
                                        std::span<const Oid> types);

}  // namespace cdc::pg
