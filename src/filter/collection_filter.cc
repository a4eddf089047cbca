// Matching of collections against the lists.
#include "filter/collection_filter.h"

#include <algorithm>
#include <cstdint>

#include "text/list.h"
#include "text/utf16.h"

namespace cdc {
namespace {

// Made by PostGIS in user schemas; the system's own schemas never reach a filter (PG-SNAP-07).
constexpr std::string_view kPostgisTable = "spatial_ref_sys";

// A pattern that needs too much backtracking counts as "no match": it was compiled and checked at start.
bool matches(const text::RegexList& list, std::string_view name) {
  return list.matches(name).value_or(false);
}

bool allowed(const text::RegexList& include, const text::RegexList& exclude, std::string_view name) {
  if (!include.empty()) return matches(include, name);
  return exclude.empty() || !matches(exclude, name);
}

std::string without_quotes(std::string_view id) {
  std::string out;
  for (const char c : id)
    if (c != '"' && c != '`') out.push_back(c);
  return out;
}

}  // namespace

std::string collection_id(const TableId& id) {
  std::string out;
  for (const std::string* part : {&id.catalog, &id.schema, &id.table}) {
    if (part->empty()) continue;
    if (!out.empty()) out.push_back('.');
    out += *part;
  }
  return out;
}

bool utf16_less(std::string_view a, std::string_view b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const std::uint32_t x = text::next_code_point(a, i), y = text::next_code_point(b, j);
    if (x == y) continue;
    // Surrogates (D800..DFFF) of supplementary characters sort below U+E000..U+FFFF.
    const bool x_high = x > 0xFFFF, y_high = y > 0xFFFF;
    if (x_high != y_high) return x_high ? y >= 0xE000 : x < 0xD800;
    return x < y;
  }
  return a.size() - i < b.size() - j;
}

Result<CollectionFilter> CollectionFilter::make(const Config& config) {
  CollectionFilter f;
  const std::pair<const char*, text::RegexList*> lists[] = {
      {"database.include.list", &f.database_include_},
      {"database.exclude.list", &f.database_exclude_},
      {"schema.include.list", &f.schema_include_},
      {"schema.exclude.list", &f.schema_exclude_},
      {"table.include.list", &f.table_include_},
      {"table.exclude.list", &f.table_exclude_},
      {"snapshot.include.collection.list", &f.snapshot_include_}};
  for (const auto& [property, list] : lists) {
    CDC_TRY(auto parsed, text::RegexList::parse(property, config.text(property)));
    *list = std::move(parsed);
  }
  f.ignore_builtin_ = config.boolean("table.ignore.builtin");
  for (const std::string& name : config.list("signal.data.collection"))
    f.signals_.push_back(without_quotes(name));
  return f;
}

bool CollectionFilter::is_signal(const TableId& id) const {
  return std::find(signals_.begin(), signals_.end(), collection_id(id)) != signals_.end();
}

bool CollectionFilter::schema_captured(std::string_view schema) const {
  return allowed(schema_include_, schema_exclude_, schema);
}

bool CollectionFilter::captured(const TableId& id) const {
  if (is_signal(id)) return true;
  if (ignore_builtin_ && id.table == kPostgisTable) return false;
  if (!id.schema.empty() && !schema_captured(id.schema)) return false;
  if (!id.catalog.empty() && !allowed(database_include_, database_exclude_, id.catalog)) return false;
  return allowed(table_include_, table_exclude_, collection_id(id));
}

bool CollectionFilter::in_snapshot(const TableId& id) const {
  if (is_signal(id) || !captured(id)) return false;
  return snapshot_include_.empty() || matches(snapshot_include_, collection_id(id));
}

void CollectionFilter::sort_for_snapshot(std::vector<TableId>& ids) const {
  struct Ranked {
    bool signal;
    std::size_t piece;
    std::string name;
    TableId id;
  };
  std::vector<Ranked> ranked;
  ranked.reserve(ids.size());
  for (TableId& id : ids) {
    std::string name = collection_id(id);
    const std::size_t piece =
        table_include_.first_match(name).value_or(std::nullopt).value_or(table_include_.size());
    ranked.push_back({is_signal(id), piece, std::move(name), std::move(id)});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) {
    if (a.signal != b.signal) return b.signal;
    if (a.piece != b.piece) return a.piece < b.piece;
    return utf16_less(a.name, b.name);
  });
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::move(ranked[i].id);
}

}  // namespace cdc
