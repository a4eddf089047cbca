// Which names in the filters and rules of a configuration stand for nothing that the database has: a mistake
// more often than a wish, and with a mask one that shows what should be hidden. Only told, since what is
// missing may be created later.
#pragma once

#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/table.h"

namespace cdc {

// Lists of tables and schemas against all tables there are: complete sentences.
std::vector<std::string> unmatched_tables(const Config& config, const std::vector<TableId>& tables);
// Lists and rules of columns against the columns of the captured tables.
std::vector<std::string> unmatched_columns(const Config& config, const std::vector<ColumnId>& columns);
// Whether the configuration has any such names: else nobody has to ask for what there is.
bool names_tables(const Config& config);
bool names_columns(const Config& config);

}  // namespace cdc
