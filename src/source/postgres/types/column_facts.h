// What column rules look at: the source's type name, length and scale as Debezium spells them in each
// phase (4.12), and whether masks apply (CORE-COL-06). Values are not touched here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/postgres/types/type_catalog.h"

namespace cdc::pg {

// Who described the table: the snapshot's catalog query or a Relation message of the stream. Both
// spellings are kept because schemas are compared byte for byte.
enum class Phase : std::uint8_t { snapshot, stream };

struct ColumnFacts {
  std::string type_name;      // INT4, _VARCHAR, "EXT"."CITEXT", SERIAL
  std::optional<int> length;  // absent: unknown
  std::optional<int> scale;
  bool is_character = false;
};

// `default_expression`: pg_get_expr of the column, empty when it has none. A type that the catalog
// does not know gives an empty name.
ColumnFacts column_facts(const TypeCatalog& catalog, Oid type_oid, std::int32_t typmod,
                         std::string_view default_expression, Phase phase);

}  // namespace cdc::pg
