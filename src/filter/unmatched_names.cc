// Matching each piece by itself.
#include "filter/unmatched_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "filter/collection_filter.h"
#include "text/list.h"
#include "text/regex.h"

namespace cdc {
namespace {

constexpr std::array<std::string_view, 3> kTableLists{"table.include.list", "table.exclude.list",
                                                      "snapshot.include.collection.list"};
constexpr std::array<std::string_view, 2> kSchemaLists{"schema.include.list", "schema.exclude.list"};
// datatype.propagate.source.type matches names of types, which is another matter.
constexpr std::array<std::string_view, 7> kColumnLists{"column.include.list",
                                                       "column.exclude.list",
                                                       "column.mask.with.<N>.chars",
                                                       "column.mask.hash.<ALG>.with.salt.<SALT>",
                                                       "column.mask.hash.v2.<ALG>.with.salt.<SALT>",
                                                       "column.truncate.to.<N>.chars",
                                                       "column.propagate.source.type"};

template <class Names>
bool matches_any(const text::Regex& piece, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return piece.matches(name).value_or(false); });
}

// For each piece of the property that matches none of `names`.
template <class Told>
void each_unmatched(std::string_view property, const std::string& list, const std::vector<std::string>& names,
                    const Told& told) {
  const auto pieces = text::RegexList::parse(property, list);
  if (!pieces) return;  // refused elsewhere
  for (std::size_t i = 0; i < pieces->size(); ++i)
    if (!matches_any((*pieces)[i], names)) told((*pieces)[i]);
}

// A name without its schema is the usual slip.
std::string meant(const text::Regex& piece, const std::vector<TableId>& tables) {
  for (const TableId& id : tables)
    if (piece.matches(id.table).value_or(false))
      return fmt::format(" (names are matched with their schema: {})", collection_id(id));
  return {};
}

std::vector<ConfigEntry> column_entries(const Config& config) {
  std::vector<ConfigEntry> all;
  for (const std::string_view pattern : kColumnLists)
    for (ConfigEntry& entry : config.entries_matching(pattern)) all.push_back(std::move(entry));
  return all;
}

}  // namespace

std::vector<std::string> unmatched_tables(const Config& config, const std::vector<TableId>& tables) {
  std::vector<std::string> told, names, schemas;
  for (const TableId& id : tables) {
    names.push_back(collection_id(id));
    if (schemas.empty() || schemas.back() != id.schema) schemas.push_back(id.schema);
  }
  for (const std::string_view list : kSchemaLists)
    each_unmatched(list, config.text(list), schemas, [&](const text::Regex& piece) {
      told.push_back(fmt::format("{}: '{}' matches no schema that has tables", list, piece.pattern()));
    });
  for (const std::string_view list : kTableLists)
    each_unmatched(list, config.text(list), names, [&](const text::Regex& piece) {
      told.push_back(fmt::format("{}: '{}' matches no table{}", list, piece.pattern(), meant(piece, tables)));
    });
  return told;
}

std::vector<std::string> unmatched_columns(const Config& config, const std::vector<ColumnId>& columns) {
  std::vector<std::string> told, names;
  for (const ColumnId& id : columns)
    names.push_back(fmt::format("{}.{}", collection_id(id.table), id.column));
  for (const ConfigEntry& entry : column_entries(config))
    each_unmatched(entry.name, entry.value, names, [&](const text::Regex& piece) {
      told.push_back(
          fmt::format("{}: '{}' matches no column of a captured table", entry.name, piece.pattern()));
    });
  return told;
}

bool names_tables(const Config& config) {
  const auto set = [&](std::string_view list) { return !config.text(list).empty(); };
  return std::any_of(kTableLists.begin(), kTableLists.end(), set) ||
         std::any_of(kSchemaLists.begin(), kSchemaLists.end(), set);
}

bool names_columns(const Config& config) { return !column_entries(config).empty(); }

}  // namespace cdc
