// Queries for tables, columns and keys.
#include "source/postgres/control/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "source/postgres/control/key_rules.h"
#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

constexpr std::string_view kTables = R"(
SELECT c.oid, n.nspname, c.relname, c.relkind, c.relpersistence, c.relreplident, c.relispartition,
       c.relhassubclass, c.relrowsecurity, c.reltuples, i.indexrelid IS NOT NULL, COALESCE(h.inhparent, 0)
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
LEFT JOIN pg_catalog.pg_inherits h ON h.inhrelid = c.oid AND c.relispartition
WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't'
  AND pg_catalog.left(n.nspname::pg_catalog.text, 3) <> 'pg_' AND n.nspname <> 'information_schema')";

// `unnest` makes the planner join by hash; `= ANY` would compare every row with every oid before 14.
constexpr std::string_view kSizes = R"(
SELECT c.oid, pg_catalog.pg_relation_size(c.oid), c.relrowsecurity AND pg_catalog.row_security_active(c.oid)
FROM pg_catalog.unnest({}::pg_catalog.oid[]) AS want(oid)
JOIN pg_catalog.pg_class c ON c.oid = want.oid)";

constexpr std::string_view kColumns = R"(
SELECT c.oid, n.nspname, c.relname, c.relkind, c.relreplident,
       a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull,
       pg_catalog.pg_get_expr(d.adbin, {relation}), {generated}, a.attidentity, a.attstorage, {valid}
FROM pg_catalog.unnest({oids}::pg_catalog.oid[]) AS want(oid)
JOIN pg_catalog.pg_class c ON c.oid = want.oid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
ORDER BY c.oid, a.attnum)";

// Only generated columns name other columns; without a relation the server need not look up its columns.
constexpr std::string_view kExpressionRelation = "CASE WHEN a.attgenerated = '' THEN 0 ELSE d.adrelid END";

constexpr std::string_view kNotNullValid = R"(NOT EXISTS (
         SELECT 1 FROM pg_catalog.pg_constraint k
         WHERE k.conrelid = c.oid AND k.contype = 'n' AND NOT k.convalidated AND k.conkey[1] = a.attnum))";

constexpr std::string_view kIndexes = R"(
SELECT i.indrelid, x.relname, i.indisprimary, i.indisunique, i.indisclustered, i.indisreplident, i.indisvalid,
       i.indimmediate, i.indpred IS NOT NULL, {keys}, i.indkey::pg_catalog.text
FROM pg_catalog.unnest({oids}::pg_catalog.oid[]) AS want(oid)
JOIN pg_catalog.pg_index i ON i.indrelid = want.oid
JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
WHERE i.indisunique)";

TableRow table_row(const Rows& rows, std::size_t r) {
  TableRow t;
  std::size_t c = 0;
  t.oid = rows.oid(r, c++);
  t.id.schema = rows.string(r, c++);
  t.id.table = rows.string(r, c++);
  t.kind = rows.letter(r, c++);
  t.persistence = rows.letter(r, c++);
  t.identity = rows.letter(r, c++);
  t.is_partition = rows.flag(r, c++);
  t.has_children = rows.flag(r, c++);
  t.row_security = rows.flag(r, c++);  // enabled; whether it is in force is asked for captured tables only
  const auto estimate = rows.text(r, c++);
  std::from_chars(estimate.data(), estimate.data() + estimate.size(), t.estimated_rows);
  t.has_primary_key = rows.flag(r, c++);
  t.parent = rows.oid(r, c++);
  return t;
}

std::vector<std::int16_t> attnums(std::string_view text) {
  std::vector<std::int16_t> out;
  const char* end = text.data() + text.size();
  for (const char* p = text.data(); p < end;) {
    std::int16_t value = 0;
    const auto [next, error] = std::from_chars(p, end, value);
    if (error != std::errc()) break;
    out.push_back(value);
    p = next < end ? next + 1 : next;
  }
  return out;
}

ColumnRow column_row(const Rows& rows, std::size_t r) {
  ColumnRow column;
  std::size_t c = 5;
  column.attnum = static_cast<std::int16_t>(rows.integer(r, c++));
  column.name = rows.string(r, c++);
  column.type = rows.oid(r, c++);
  column.typmod = static_cast<std::int32_t>(rows.integer(r, c++));
  column.not_null = rows.flag(r, c++);
  if (const auto expression = rows.get(r, c++)) column.default_expression = std::string(*expression);
  column.generated = rows.letter(r, c++);
  column.identity = rows.letter(r, c++);
  column.storage = rows.letter(r, c++);
  column.not_null_valid = rows.flag(r, c++);
  return column;
}

}  // namespace

Result<std::vector<TableRow>> read_tables(Connection& connection, const TableFilter& filter) {
  CDC_TRY(const Rows rows, connection.exec(kTables, "reading the list of tables"));
  std::vector<TableRow> tables;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    TableRow t = table_row(rows, r);
    if (filter.ignore_builtin && t.id.table == "spatial_ref_sys") continue;
    if (filter.captured && !filter.captured(t.id)) continue;
    tables.push_back(std::move(t));
  }
  std::sort(tables.begin(), tables.end(), [](const TableRow& a, const TableRow& b) { return a.id < b.id; });

  std::vector<Oid> oids;
  std::unordered_map<Oid, TableRow*> by_oid;
  for (TableRow& t : tables) {
    if (!filter.sizes && !t.row_security) continue;
    oids.push_back(t.oid);
    by_oid.emplace(t.oid, &t);
  }
  if (oids.empty()) return tables;
  CDC_TRY(const Rows sizes,
          connection.exec(fmt::format(kSizes, oid_array(oids)), "reading the sizes of the captured tables"));
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    TableRow& t = *by_oid.at(sizes.oid(r, 0));
    t.row_security = sizes.flag(r, 2);
    if (filter.sizes && t.kind == 'r' && !t.has_children && !sizes.is_null(r, 1))
      t.bytes = static_cast<std::uint64_t>(sizes.integer(r, 1));
  }
  return tables;
}

const ColumnRow* TableDetail::column(std::int16_t attnum) const {
  for (const ColumnRow& c : columns)
    if (c.attnum == attnum) return &c;
  return nullptr;
}

const ColumnRow* TableDetail::column(std::string_view name) const {
  for (const ColumnRow& c : columns)
    if (c.name == name) return &c;
  return nullptr;
}

Result<std::vector<TableDetail>> read_details(Connection& connection, std::span<const Oid> tables) {
  std::vector<TableDetail> out;
  if (tables.empty()) return out;
  const int version = connection.server_version();
  const std::string oids = oid_array(tables);
  CDC_TRY(
      const Rows columns,
      connection.exec(fmt::format(kColumns, fmt::arg("oids", oids),
                                  fmt::arg("generated", version >= 120000 ? "a.attgenerated" : "''"),
                                  fmt::arg("relation", version >= 120000 ? kExpressionRelation : "d.adrelid"),
                                  fmt::arg("valid", version >= 180000 ? kNotNullValid : "true")),
                      "reading the columns of the captured tables"));
  CDC_TRY(const Rows indexes,
          connection.exec(fmt::format(kIndexes, fmt::arg("oids", oids),
                                      fmt::arg("keys", version >= 110000 ? "i.indnkeyatts" : "i.indnatts")),
                          "reading the keys of the captured tables"));

  std::unordered_map<Oid, TableDetail> found;
  for (std::size_t r = 0; r < columns.size(); ++r) {
    TableDetail& t = found[columns.oid(r, 0)];
    if (t.oid == 0) {
      t.oid = columns.oid(r, 0);
      t.id.schema = columns.string(r, 1);
      t.id.table = columns.string(r, 2);
      t.kind = columns.letter(r, 3);
      t.identity.kind = columns.letter(r, 4);
    }
    if (!columns.is_null(r, 5)) t.columns.push_back(column_row(columns, r));
  }
  std::unordered_map<Oid, std::vector<IndexRow>> indexes_of;
  for (std::size_t r = 0; r < indexes.size(); ++r) {
    IndexRow i;
    i.name = indexes.string(r, 1);
    i.primary = indexes.flag(r, 2);
    i.unique = indexes.flag(r, 3);
    i.clustered = indexes.flag(r, 4);
    i.identity = indexes.flag(r, 5);
    i.valid = indexes.flag(r, 6);
    i.immediate = indexes.flag(r, 7);
    i.partial = indexes.flag(r, 8);
    i.key_columns = static_cast<std::size_t>(indexes.integer(r, 9));
    i.columns = attnums(indexes.text(r, 10));
    indexes_of[indexes.oid(r, 0)].push_back(std::move(i));
  }
  for (const Oid oid : tables) {
    const auto it = found.find(oid);
    if (it == found.end() || it->second.oid == 0) continue;
    TableDetail t = std::move(it->second);
    it->second.oid = 0;  // an oid asked for twice comes once
    const auto& own = indexes_of[oid];
    t.key = choose_key(own);
    t.identity = choose_identity(t.identity.kind, own, t.columns);
    out.push_back(std::move(t));
  }
  return out;
}

Result<std::optional<TableDetail>> read_detail(Connection& connection, Oid table) {
  CDC_TRY(auto details, read_details(connection, std::span(&table, 1)));
  if (details.empty()) return std::nullopt;
  return std::move(details.front());
}

Result<std::optional<Oid>> find_table(Connection& connection, const TableId& id) {
  CDC_TRY(const Rows rows,
          connection.exec(fmt::format("SELECT c.oid FROM pg_catalog.pg_class c "
                                      "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                                      "WHERE c.relkind IN ('r', 'p') AND n.nspname = {} AND c.relname = {}",
                                      quote_literal(id.schema), quote_literal(id.table)),
                          fmt::format("looking for table {}", dotted(id))));
  if (rows.empty()) return std::nullopt;
  return rows.oid(0, 0);
}

}  // namespace cdc::pg
