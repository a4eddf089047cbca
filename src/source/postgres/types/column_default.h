// Inside of this room: the default of a column, from the text of pg_get_expr to JSON in the column's
// own form (4.11).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "source/postgres/types/mapping.h"
#include "source/postgres/types/type_rules.h"

namespace cdc::pg {

struct ColumnDefault {
  std::optional<std::string> json;
  bool unreadable = false;  // the expression says something, but not in a way that a schema can show
};

ColumnDefault column_default(std::string_view expression, DefaultForm form, const Mapping& mapping,
                             const TypeRequest& request);

}  // namespace cdc::pg
