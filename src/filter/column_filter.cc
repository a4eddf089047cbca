// Column lists and message.key.columns.
#include "filter/column_filter.h"

#include <algorithm>

#include <fmt/format.h>

#include "filter/collection_filter.h"
#include "text/list.h"

namespace cdc {

Result<ColumnFilter> ColumnFilter::make(const Config& config) {
  ColumnFilter f;
  f.include_set_ = config.is_set("column.include.list");
  CDC_TRY(f.include_, text::RegexList::parse("column.include.list", config.text("column.include.list")));
  CDC_TRY(f.exclude_, text::RegexList::parse("column.exclude.list", config.text("column.exclude.list")));
  return f;
}

bool ColumnFilter::printed(const TableId& table, std::string_view column) const {
  if (!active()) return true;
  const std::string name = fmt::format("{}.{}", collection_id(table), column);
  if (include_set_) return include_.matches(name).value_or(false);
  return !exclude_.matches(name).value_or(false);
}

Result<KeyColumns> KeyColumns::make(const Config& config) {
  KeyColumns keys;
  for (const std::string& entry : text::split_semicolons(config.text("message.key.columns"))) {
    const std::size_t colon = entry.find(':');
    if (colon == std::string::npos)
      return fail(
          ErrorKind::usage,
          fmt::format("message.key.columns: '{}' is not of the form table:column[,column...]", entry));
    const std::string table(text::trim(std::string_view(entry).substr(0, colon)));
    std::size_t begin = colon + 1;
    while (begin <= entry.size()) {
      const std::size_t end = std::min(entry.find(',', begin), entry.size());
      const std::string column(text::trim(std::string_view(entry).substr(begin, end - begin)));
      begin = end + 1;
      if (column.empty()) continue;
      auto regex = text::Regex::compile(fmt::format("{}.{}", table, column), text::Regex::Case::insensitive);
      auto tables = text::Regex::compile(table, text::Regex::Case::insensitive);
      for (auto* compiled : {&regex, &tables}) {
        if (*compiled) continue;
        Error error = std::move(*compiled).error();
        error.message = fmt::format("message.key.columns: '{}': {}", entry, error.message);
        return tl::unexpected<Error>(std::move(error));
      }
      keys.entries_.push_back({std::move(*tables), std::move(*regex), column});
    }
  }
  return keys;
}

Result<std::optional<std::vector<std::size_t>>> KeyColumns::key_of(
    const TableId& table, const std::vector<std::string>& columns) const {
  std::vector<std::size_t> key;
  const std::string prefix = collection_id(table);
  for (const Entry& entry : entries_) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!entry.column.matches(fmt::format("{}.{}", prefix, columns[i])).value_or(false)) continue;
      if (std::find(key.begin(), key.end(), i) != key.end())
        return fail(ErrorKind::usage,
                    fmt::format("message.key.columns names column {} of {} twice", columns[i], prefix),
                    "name each key column once");
      key.push_back(i);
    }
  }
  if (key.empty()) return std::optional<std::vector<std::size_t>>();
  return std::optional(std::move(key));
}

std::vector<std::string> KeyColumns::missing_in(const TableId& table,
                                                const std::vector<std::string>& columns) const {
  std::vector<std::string> missing;
  const std::string prefix = collection_id(table);
  for (const Entry& entry : entries_) {
    if (!entry.table.matches(prefix).value_or(false)) continue;
    const bool found = std::any_of(columns.begin(), columns.end(), [&](const std::string& column) {
      return entry.column.matches(fmt::format("{}.{}", prefix, column)).value_or(false);
    });
    if (!found) missing.push_back(entry.written);
  }
  return missing;
}

}  // namespace cdc
