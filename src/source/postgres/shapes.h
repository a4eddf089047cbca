// From what the catalog or a Relation message says about a table to the TableShape that the event room
// compiles: one codec a column, key, warnings. Pure; used by snapshot and stream alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdc/table.h"
#include "source/postgres/types/column_facts.h"
#include "source/postgres/types/type_catalog.h"
#include "source/postgres/types/type_modes.h"

namespace cdc::pg {

struct ColumnDescription {
  std::string name;
  Oid type = 0;
  std::int32_t typmod = -1;
  bool not_null = false;
  bool generated = false;
  std::optional<std::string> default_expression;
  bool nullable_is_final = false;  // as ColumnSpec has it
};

// A table version as somebody described it. Kept, so that the shape can be made anew when a type changed.
struct TableDescription {
  TableId id;
  std::vector<ColumnDescription> columns;  // in the order in which rows come
  std::vector<std::string> key;            // names, in key order; those that are no columns are left out
  Phase phase = Phase::stream;
  std::vector<std::string> warnings;
};

struct ShapeOptions {
  TypeModes modes;
  DecimalForm key_decimal_form = DecimalForm::base64;     // key.converter.decimal.format
  DecimalForm header_decimal_form = DecimalForm::base64;  // header.converter.decimal.format
};

// A cell that must be looked at before a row is pushed: an enum, or an array of one (PG-SCH-04).
struct EnumCell {
  std::size_t cell = 0;  // index into the row as it comes
  Oid type = 0;          // of the column
  ColumnCodec codec;
};

struct BuiltShape {
  TableShape shape;
  std::vector<std::uint32_t> cells;  // for each column of the shape: its cell in the row as it comes
  bool all_cells = true;             // nothing was left out: cells is 0, 1, 2, ...
  std::vector<EnumCell> enums;
};

// The catalog must know all types of the columns.
BuiltShape build_shape(const TypeCatalog& catalog, const TableDescription& table,
                       const ShapeOptions& options);

}  // namespace cdc::pg
