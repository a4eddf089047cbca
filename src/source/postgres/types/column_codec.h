// From a column as the catalog describes it to everything that capture needs: encoder, Connect schema with
// default, fallback, placeholder (PG spec 4). Snapshot, stream and incremental snapshot use the same codec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdc/codec.h"
#include "source/postgres/types/type_catalog.h"
#include "source/postgres/types/type_modes.h"

namespace cdc::pg {

// Returned by an encoder beside the text it appended: an enum label (in a column or an array) that is not in
// the schema's `allowed`. The caller reads the type again and makes the codecs of the types that
// depend on it anew before the record is written (PG-SCH-04).
inline constexpr std::uint32_t kUnknownLabel = 1u << 16;

struct ColumnSpec {
  std::string name;  // for warnings only, as the user knows it: public.orders.total
  Oid type_oid = 0;
  std::int32_t typmod = -1;
  bool nullable = true;            // not attnotnull; a NOT NULL domain is found here
  bool nullable_is_final = false;  // a NOT NULL domain does not count (decoderbufs: its message decides)
  std::optional<std::string> default_expression;  // pg_get_expr, also of a generated column
};

struct MappedColumn {
  std::optional<ColumnCodec> codec;   // unset: the column is left out of key and value
  bool nullable = true;               // the column's own, domains looked through; the schema of `geometry`
                                      // is optional even where this is false
  std::vector<std::string> warnings;  // to be said once a column: left out, unreadable default
};

// The catalog must know the type (TypeCatalog::first_unknown gives nullopt); if it does not, the
// column is left out with a warning that says so.
// `fallback_json` of the codec is "null" for a nullable column, else the default or the stand-in of 4.9.
MappedColumn make_codec(const TypeCatalog& catalog, const ColumnSpec& column, const TypeModes& modes);

}  // namespace cdc::pg
