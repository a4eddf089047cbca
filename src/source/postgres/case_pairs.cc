// One query at the start; then names are compared once per table version.
#include "source/postgres/case_pairs.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "text/list.h"

namespace cdc::pg {
namespace {

// lower() of COLLATE "C" folds ASCII alone, as column rules do. Few catalogs have names in capitals at all.
constexpr std::string_view kPairs = R"(
SELECT n.nspname, c.relname, a.attname
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_attribute b ON b.attrelid = a.attrelid AND b.attnum > 0 AND b.attnum <> a.attnum AND NOT b.attisdropped
  AND pg_catalog.lower(b.attname::pg_catalog.text COLLATE "C") = pg_catalog.lower(a.attname::pg_catalog.text COLLATE "C")
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p')
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attname::pg_catalog.text ~ '[A-Z]')";

std::string folded(std::string_view name) { return text::lower(name); }

std::string pair_name(std::string_view schema, std::string_view table, std::string_view column) {
  return fmt::format("{}.{}.{}", schema, table, folded(column));
}

}  // namespace

Result<void> CasePairs::read(Connection& general) {
  CDC_TRY(const Rows rows, general.exec(std::string(kPairs), "looking for columns that differ only by case"));
  for (std::size_t r = 0; r < rows.size(); ++r)
    known_.insert(pair_name(rows.text(r, 0), rows.text(r, 1), rows.text(r, 2)));
  return {};
}

Result<void> CasePairs::check(const TableDescription& table, bool before_start) {
  std::map<std::string, const std::string*> names;
  for (const ColumnDescription& column : table.columns) {
    const auto [first, is_new] = names.emplace(folded(column.name), &column.name);
    if (is_new) continue;
    const bool accepted = !known_.insert(pair_name(table.id.schema, table.id.table, column.name)).second;
    if (accepted || before_start) continue;
    return fail(
        ErrorKind::event,
        fmt::format("{}.{}: there is a new column {}, whose name differs only by case from {}: column rules "
                    "(filters, masks, keys) that name one match both",
                    table.id.schema, table.id.table, column.name, *first->second),
        "look through the column rules of this table, or rename the column; started again, cdc goes on right "
        "here with both columns, and nothing is lost");
  }
  return {};
}

}  // namespace cdc::pg
