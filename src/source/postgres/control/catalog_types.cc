// Queries for types.
#include <fmt/format.h>

#include <algorithm>

#include "source/postgres/control/catalog.h"
#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

// The types wanted and, step by step, what they build on; one row a label for enums.
constexpr std::string_view kTypes = R"(
WITH RECURSIVE need(oid) AS (
  SELECT want.oid FROM pg_catalog.unnest({}::pg_catalog.oid[]) AS want(oid)
  UNION
  SELECT part.oid FROM need
  JOIN pg_catalog.pg_type t ON t.oid = need.oid
  CROSS JOIN LATERAL (VALUES (t.typelem), (t.typbasetype)) AS part(oid)
  WHERE part.oid <> 0)
SELECT t.oid, n.nspname, t.typname, t.typtype, t.typcategory, t.typelem, t.typdelim, t.typbasetype, t.typtypmod,
       t.typnotnull, pg_catalog.pg_type_is_visible(t.oid), e.enumlabel
FROM need
JOIN pg_catalog.pg_type t ON t.oid = need.oid
JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
LEFT JOIN pg_catalog.pg_enum e ON e.enumtypid = t.oid
ORDER BY t.oid, e.enumsortorder)";

}  // namespace

Result<std::vector<TypeRow>> read_types(Connection& connection, std::span<const Oid> types) {
  std::vector<TypeRow> out;
  if (types.empty()) return out;
  CDC_TRY(const Rows rows, connection.exec(fmt::format(kTypes, oid_array(types)), "reading types"));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (out.empty() || out.back().oid != rows.oid(r, 0)) {
      TypeRow t;
      std::size_t c = 0;
      t.oid = rows.oid(r, c++);
      t.schema = rows.string(r, c++);
      t.name = rows.string(r, c++);
      t.typtype = rows.letter(r, c++);
      t.category = rows.letter(r, c++);
      t.element = rows.oid(r, c++);
      t.delimiter = rows.letter(r, c++);
      t.base = rows.oid(r, c++);
      t.base_typmod = static_cast<std::int32_t>(rows.integer(r, c++));
      t.not_null = rows.flag(r, c++);
      t.visible = rows.flag(r, c++);
      out.push_back(std::move(t));
    }
    if (const auto label = rows.get(r, 11)) out.back().labels.emplace_back(*label);
  }
  return out;
}

Result<std::vector<Oid>> complete_types(Connection& connection, TypeCatalog& catalog,
                                        std::span<const Oid> types) {
  std::vector<Oid> unknown;
  for (int round = 0; round < 2; ++round) {  // read_types follows bases and elements: one round brings all
    unknown.clear();
    for (const Oid type : types)
      if (const auto missing = catalog.first_unknown(type)) unknown.push_back(*missing);
    std::sort(unknown.begin(), unknown.end());
    unknown.erase(std::unique(unknown.begin(), unknown.end()), unknown.end());
    if (unknown.empty() || round == 1) break;
    CDC_TRY(auto rows, read_types(connection, unknown));
    for (TypeRow& row : rows) catalog.add(std::move(row));
  }
  return unknown;
}

}  // namespace cdc::pg
