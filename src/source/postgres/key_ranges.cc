// Predicates and boundaries over a table's key.
#include "source/postgres/key_ranges.h"

#include <algorithm>

#include <fmt/format.h>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

// Untyped literals: the server gives each the type of its column.
std::string comparison(std::span<const std::string> key, std::string_view op, const KeyTuple& tuple) {
  const std::size_t count = std::min(key.size(), tuple.size());
  std::string names, values;
  for (std::size_t i = 0; i < count; ++i) {
    names += (i == 0 ? "" : ", ") + quote_ident(key[i]);
    values += (i == 0 ? "" : ", ") + quote_literal(tuple[i]);
  }
  if (count == 1) return fmt::format("{} {} {}", names, op, values);
  return fmt::format("ROW({}) {} ROW({})", names, op, values);
}

// Bounds of equal parts of the first key column, as ANALYZE left them. None when it never ran, or when the
// column has too few different values.
Result<std::vector<KeyTuple>> from_statistics(Connection& connection, const TableId& table,
                                              const std::string& column, std::uint64_t parts) {
  const std::string sql = fmt::format(
      "SELECT bound FROM pg_catalog.pg_stats s, "
      "pg_catalog.unnest(s.histogram_bounds::pg_catalog.text::pg_catalog.text[]) "
      "WITH ORDINALITY AS b(bound, place) WHERE s.schemaname = {} AND s.tablename = {} AND s.attname = {} "
      "AND NOT s.inherited "
      "AND s.n_distinct < -0.5 ORDER BY place",
      quote_literal(table.schema), quote_literal(table.table), quote_literal(column));
  CDC_TRY(const Rows rows, connection.exec(sql, fmt::format("reading the statistics of {}", dotted(table))));
  std::vector<KeyTuple> bounds;
  if (rows.size() < 2 * parts) return bounds;
  for (std::uint64_t i = 1; i < parts; ++i)
    bounds.push_back({rows.string(static_cast<std::size_t>(i * (rows.size() - 1) / parts), 0)});
  return bounds;
}

Result<std::vector<KeyTuple>> by_counting(Connection& connection, const TableId& table,
                                          std::span<const std::string> key, std::uint64_t parts) {
  std::vector<KeyTuple> bounds;
  const std::string attempted = fmt::format("cutting {} into parts", dotted(table));
  CDC_TRY(const Rows counted,
          connection.exec(fmt::format("SELECT count(*) FROM {}", quote_table(table)), attempted));
  const auto count = static_cast<std::uint64_t>(counted.integer(0, 0));
  const std::uint64_t size = std::max<std::uint64_t>(1, count / parts);
  const std::uint64_t chunks = std::min(parts, std::max<std::uint64_t>(1, count / size));
  if (chunks < 2) return bounds;
  const std::string columns = ident_list(key);
  // One pass over the key's index; a part ends with its last row, so that bounds are inclusive above.
  const std::string sql = fmt::format(
      "SELECT {0} FROM (SELECT {0}, pg_catalog.row_number() OVER (ORDER BY {0}) AS cdc_row FROM {1}) q "
      "WHERE cdc_row % {2} = 0 AND cdc_row <= {3} ORDER BY {0}",
      columns, quote_table(table), count / chunks, (chunks - 1) * (count / chunks));
  CDC_TRY(const Rows rows, connection.exec(sql, attempted));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    KeyTuple bound;
    for (std::size_t column = 0; column < key.size(); ++column) bound.push_back(rows.string(row, column));
    bounds.push_back(std::move(bound));
  }
  return bounds;
}

}  // namespace

std::string ident_list(std::span<const std::string> names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + quote_ident(name);
  return list;
}

std::string range_predicate(std::span<const std::string> key, const KeyTuple& lower, const KeyTuple& upper) {
  std::string predicate;
  if (!lower.empty()) predicate = comparison(key, ">", lower);
  if (!upper.empty()) predicate += (predicate.empty() ? "" : " AND ") + comparison(key, "<=", upper);
  return predicate;
}

Result<std::vector<KeyTuple>> find_boundaries(Connection& connection, const TableId& table,
                                              std::span<const std::string> key, std::uint64_t parts) {
  if (key.empty() || parts < 2) return std::vector<KeyTuple>();
  CDC_TRY(auto bounds, from_statistics(connection, table, key.front(), parts));
  if (!bounds.empty()) return bounds;
  return by_counting(connection, table, key, parts);
}

}  // namespace cdc::pg
