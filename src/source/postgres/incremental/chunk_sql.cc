// Putting the statements together.
#include "source/postgres/incremental/chunk_sql.h"

#include <fmt/format.h>

#include <algorithm>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

bool any_nullable(std::span<const KeyColumn> key) {
  return std::any_of(key.begin(), key.end(), [](const KeyColumn& column) { return column.nullable; });
}

std::string names(std::span<const KeyColumn> key, std::string_view suffix = "") {
  std::string list;
  for (const KeyColumn& column : key)
    list += fmt::format("{}{}{}", list.empty() ? "" : ", ", quote_ident(column.name), suffix);
  return list;
}

std::string row_comparison(std::span<const KeyColumn> key, std::string_view op, const KeyTexts& border) {
  std::string values;
  for (const auto& text : border) values += (values.empty() ? "" : ", ") + quote_literal(text.value_or(""));
  if (key.size() == 1) return fmt::format("{} {} {}", names(key), op, values);
  return fmt::format("ROW({}) {} ROW({})", names(key), op, values);
}

// NULLs are last: (a > x OR a IS NULL) OR (a = x AND (...)).
std::string behind(std::span<const KeyColumn> key, std::span<const std::optional<std::string>> border) {
  const std::string name = quote_ident(key.front().name);
  const auto& text = border.front();
  std::string greater = text ? fmt::format("{} > {}", name, quote_literal(*text)) : "1 = 0";
  if (text && key.front().nullable) greater = fmt::format("({} OR {} IS NULL)", greater, name);
  if (key.size() == 1) return greater;
  const std::string equal =
      text ? fmt::format("{} = {}", name, quote_literal(*text)) : fmt::format("{} IS NULL", name);
  return fmt::format("({} OR ({} AND {}))", greater, equal, behind(key.subspan(1), border.subspan(1)));
}

void add(std::string& where, const std::string& predicate) {
  where += (where.empty() ? " WHERE " : " AND ") + predicate;
}

}  // namespace

std::string chunk_sql(const ChunkQuery& query) {
  std::string columns;
  for (const std::string& column : query.columns)
    columns += (columns.empty() ? "" : ", ") + quote_ident(column);
  std::string where;
  const auto fits = [&](const KeyTexts* border) {
    return border != nullptr && border->size() == query.key.size();
  };
  if (any_nullable(query.key)) {
    if (fits(query.after)) add(where, behind(query.key, *query.after));
    if (fits(query.upto))
      add(where, fmt::format("NOT {}", fmt::format("({})", behind(query.key, *query.upto))));
  } else {
    if (fits(query.after)) add(where, row_comparison(query.key, ">", *query.after));
    if (fits(query.upto)) add(where, row_comparison(query.key, "<=", *query.upto));
  }
  if (!query.condition.empty()) add(where, fmt::format("({})", query.condition));
  return fmt::format("SELECT {} FROM {}{} ORDER BY {} LIMIT {}", columns, quote_table(query.table), where,
                     names(query.key), query.limit);
}

std::string maximum_sql(const TableId& table, std::span<const KeyColumn> key, std::string_view condition) {
  std::string where;
  if (!condition.empty()) add(where, fmt::format("({})", condition));
  return fmt::format("SELECT {} FROM {}{} ORDER BY {} LIMIT 1", names(key), quote_table(table), where,
                     names(key, " DESC"));
}

}  // namespace cdc::pg
