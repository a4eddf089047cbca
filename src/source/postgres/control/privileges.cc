// One query over all tables; the answer in words.
#include "source/postgres/control/privileges.h"

#include <fmt/format.h>

#include <set>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

constexpr std::size_t kNamed = 10;  // as many tables are named

// A column is enough: which of them are read, the column filters decide.
constexpr std::string_view kUnreadable = R"(
SELECT n.nspname, c.relname, pg_catalog.has_schema_privilege(n.oid, 'USAGE')
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.oid = ANY ('{{{}}}'::pg_catalog.oid[])
  AND NOT (pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_any_column_privilege(c.oid, 'SELECT'))
ORDER BY 1, 2)";

}  // namespace

Result<void> check_readable(Connection& general, const ServerFacts& facts, std::span<const TableRow> tables) {
  if (facts.superuser || tables.empty()) return {};
  std::string oids;
  for (const TableRow& table : tables) oids += fmt::format("{}{}", oids.empty() ? "" : ",", table.oid);
  CDC_TRY(const Rows rows,
          general.exec(fmt::format(kUnreadable, oids), "asking which tables this role may read"));
  if (rows.empty()) return {};
  std::string names, grants, granted;
  std::set<std::string> schemas;
  const std::string role = quote_ident(facts.user);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!rows.flag(r, 2)) schemas.insert(rows.string(r, 0));
    if (r >= kNamed) continue;
    const TableId id{{}, rows.string(r, 0), rows.string(r, 1)};
    names += fmt::format("{}{}", names.empty() ? "" : ", ", dotted(id));
    granted += fmt::format("{}{}", granted.empty() ? "" : ", ", quote_table(id));
  }
  if (rows.size() > kNamed) {
    names += fmt::format(" and {} more", rows.size() - kNamed);
    granted += ", ...";
  }
  for (const std::string& schema : schemas)
    grants += fmt::format("GRANT USAGE ON SCHEMA {} TO {}; ", quote_ident(schema), role);
  return fail(ErrorKind::refused,
              fmt::format("role '{}' may not read the tables that are captured: {}", facts.user, names),
              fmt::format("{}GRANT SELECT ON {} TO {}; or leave them out (table.exclude.list, "
                          "snapshot.include.collection.list)",
                          grants, granted, role));
}

}  // namespace cdc::pg
