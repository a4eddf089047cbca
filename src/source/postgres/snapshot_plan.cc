// Planning of a snapshot.
#include "source/postgres/snapshot_plan.h"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "source/postgres/control/quote.h"
#include "source/postgres/key_ranges.h"
#include "text/list.h"

namespace cdc::pg {
namespace {

constexpr std::string_view kOverrides = "snapshot.select.statement.overrides";

std::string without_semicolon(std::string_view sql) {
  sql = text::trim(sql);
  while (sql.ends_with(';')) sql = text::trim(sql.substr(0, sql.size() - 1));
  return std::string(sql);
}

// Key columns that can bound a range: none may hold NULL (CORE-PAR-07).
std::vector<std::string> range_key(const TableDetail& detail) {
  std::vector<std::string> names;
  for (const std::int16_t attnum : detail.key.columns) {
    const ColumnRow* column = detail.column(attnum);
    if (column == nullptr || !column->not_null || !column->not_null_valid) return {};
    names.push_back(column->name);
  }
  return detail.key.partial || !detail.key.valid ? std::vector<std::string>() : names;
}

Result<void> describe(SnapshotTable& table, const TableDetail& detail, const SnapshotRules& rules) {
  TableDescription& out = table.description;
  out.id = detail.id;
  out.phase = Phase::snapshot;
  std::vector<std::string> all;
  for (const ColumnRow& column : detail.columns) all.push_back(column.name);
  for (const std::int16_t attnum : detail.key.columns)
    if (const ColumnRow* column = detail.column(attnum)) out.key.push_back(column->name);
  CDC_TRY(const auto wanted, rules.columns_to_read(detail.id, all, out.key));
  for (const ColumnRow& column : detail.columns) {
    if (std::find(wanted.begin(), wanted.end(), column.name) == wanted.end()) continue;
    out.columns.push_back({column.name, column.type, column.typmod, column.not_null, column.generated != '\0',
                           column.default_expression});
  }
  table.key = range_key(detail);
  return {};
}

// A table that was never analyzed counts by its size: the estimate decides how many workers it gets.
std::uint64_t estimated_rows(const TableRow& row) {
  if (row.estimated_rows > 0) return static_cast<std::uint64_t>(row.estimated_rows);
  constexpr std::uint64_t kUsualRowBytes = 100;
  return row.bytes.value_or(0) / kUsualRowBytes;
}

struct Cutting {
  bool ordered = false;
  std::vector<KeyTuple> bounds;
};

Result<Cutting> cut(Connection& connection, const SourceSettings& settings, const SnapshotRules& rules,
                    const SnapshotRequest& request, const SnapshotTable& table, const TypeCatalog& types,
                    bool overridden) {
  Cutting cutting;
  if (table.key.empty() || overridden) return cutting;
  // A place to go on from is read off the rows: the whole key must be in them.
  const ShapeOptions options{settings.modes, settings.key_decimal_form, settings.header_decimal_form};
  cutting.ordered = request.resumable &&
                    build_shape(types, table.description, options).shape.key.size() == table.key.size();
  std::uint64_t parts = 1;
  const unsigned multiplier = rules.multiplier(table.row.id, settings.threads_multiplier);
  if (request.target_rows != 0)
    parts = estimated_rows(table.row) / request.target_rows + 1;
  else if (!settings.parallel_by_table)
    parts = static_cast<std::uint64_t>(request.threads) * multiplier;
  if (parts > 1) {
    CDC_TRY(cutting.bounds, find_boundaries(connection, table.row.id, table.key, parts));
  }
  return cutting;
}

void add_units(SnapshotPlan& plan, std::size_t table, const Cutting& cutting) {
  const auto total = static_cast<std::uint32_t>(cutting.bounds.size() + 1);
  for (std::uint32_t number = 0; number < total; ++number) {
    SnapshotUnit unit;
    unit.table = table;
    unit.number = number;
    unit.total = total;
    unit.ordered = cutting.ordered;
    if (number > 0) unit.lower = cutting.bounds[number - 1];
    if (number + 1 < total) unit.upper = cutting.bounds[number];
    plan.units.push_back(std::move(unit));
  }
}

// Details of the tables that have something to read, joined to them by oid.
Result<void> describe_all(Connection& connection, std::vector<SnapshotTable>& tables,
                          const std::vector<bool>& read, const SnapshotRules& rules, TypeCatalog& types) {
  std::vector<Oid> oids;
  std::unordered_map<Oid, std::size_t> places;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!read[i]) continue;
    oids.push_back(tables[i].row.oid);
    places[tables[i].row.oid] = i;
  }
  CDC_TRY(const auto details, read_details(connection, oids));
  std::vector<Oid> used;
  for (const TableDetail& detail : details) {
    CDC_CHECK(describe(tables[places[detail.oid]], detail, rules));
    for (const ColumnRow& column : detail.columns) used.push_back(column.type);
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return complete_types(connection, types, used).map([](const std::vector<Oid>&) {});
}

}  // namespace

Result<SnapshotRules> SnapshotRules::make(const Config& config) {
  SnapshotRules rules;
  CDC_TRY(rules.collections_, CollectionFilter::make(config));
  CDC_TRY(rules.columns_, ColumnFilter::make(config));
  CDC_TRY(rules.keys_, KeyColumns::make(config));
  std::map<std::string, std::string> statements;
  for (const ConfigEntry& entry : config.entries_matching(fmt::format("{}.<table>", kOverrides)))
    if (!entry.parts.empty()) statements[entry.parts.front()] = without_semicolon(entry.value);
  for (const std::string& name : config.list(kOverrides)) {
    const auto found = statements.find(name);
    if (found == statements.end()) {
      rules.warnings_.push_back(fmt::format("{} lists {}, but {}.{} is not set: the table is read as it is",
                                            kOverrides, name, kOverrides, name));
      continue;
    }
    if (found->second.empty())
      rules.warnings_.push_back(fmt::format("{}.{} is empty: the table is not read", kOverrides, name));
    rules.overrides_[name] = found->second;
  }
  for (const ConfigEntry& entry : config.entries_matching("snapshot.where.<table>"))
    if (!entry.parts.empty()) rules.conditions_[entry.parts.front()] = without_semicolon(entry.value);
  for (const ConfigEntry& entry : config.entries_matching("snapshot.max.threads.multiplier.<table>"))
    if (!entry.parts.empty())
      rules.multipliers_[entry.parts.front()] =
          static_cast<unsigned>(std::max(1L, std::strtol(entry.value.c_str(), nullptr, 10)));
  return rules;
}

const std::string* SnapshotRules::select_override(const TableId& id) const {
  const auto found = overrides_.find(dotted(id));
  return found == overrides_.end() ? nullptr : &found->second;
}

std::string SnapshotRules::condition(const TableId& id) const {
  const auto found = conditions_.find(dotted(id));
  return found == conditions_.end() ? std::string() : found->second;
}

Result<void> SnapshotRules::check_conditions(const SnapshotPlan& plan) const {
  for (const auto& entry : conditions_) {
    const std::string &name = entry.first, &condition = entry.second;
    const auto table = std::find_if(plan.tables.begin(), plan.tables.end(),
                                    [&](const PlannedTable& t) { return dotted(t.id) == name; });
    if (table == plan.tables.end())
      return fail(ErrorKind::usage,
                  fmt::format("--where {}={}: no captured table has this name", name, condition),
                  "Write schema.table as in the catalog, without quotes or regular expression");
    if (!table->select_override.empty())
      return fail(ErrorKind::usage,
                  fmt::format("--where {}={}: the table has a SELECT of its own", name, condition),
                  fmt::format("Put the condition into {}.{}", kOverrides, name));
  }
  return {};
}

unsigned SnapshotRules::multiplier(const TableId& id, unsigned standard) const {
  const auto found = multipliers_.find(dotted(id));
  return found == multipliers_.end() ? standard : found->second;
}

Result<std::vector<std::string>> SnapshotRules::columns_to_read(const TableId& id,
                                                                const std::vector<std::string>& columns,
                                                                const std::vector<std::string>& key) const {
  if (!columns_.active()) return columns;
  std::vector<std::string> wanted = key;
  if (keys_.active()) {
    CDC_TRY(const auto chosen, keys_.key_of(id, columns));
    if (chosen)
      for (const std::size_t place : *chosen) wanted.push_back(columns[place]);
  }
  std::vector<std::string> left;
  for (const std::string& column : columns)
    if (columns_.printed(id, column) || std::find(wanted.begin(), wanted.end(), column) != wanted.end())
      left.push_back(column);
  return left.empty() ? columns : left;
}

std::vector<TableRow> reading_order(std::vector<TableRow> tables, const CollectionFilter& filter) {
  std::vector<TableId> ids;
  std::map<TableId, std::size_t> places;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    ids.push_back(tables[i].id);
    places[tables[i].id] = i;
  }
  filter.sort_for_snapshot(ids);
  std::vector<TableRow> sorted;
  sorted.reserve(tables.size());
  for (const TableId& id : ids) sorted.push_back(std::move(tables[places[id]]));
  return sorted;
}

Result<PlannedSnapshot> plan_snapshot(Connection& connection, const SourceSettings& settings,
                                      const SnapshotRules& rules, const SnapshotRequest& request,
                                      TypeCatalog& types) {
  PlannedSnapshot out;
  out.plan.notes = rules.warnings();
  const auto wanted = [&](const TableId& id) -> const OnDemandTable* {
    const std::string name = collection_id(id);
    for (const OnDemandTable& table : *request.on_demand)
      if (table.collection == name) return &table;
    return nullptr;
  };
  TableFilter filter{[&](const TableId& id) {
                       return request.on_demand ? wanted(id) != nullptr : rules.collections().in_snapshot(id);
                     },
                     settings.ignore_builtin};
  CDC_TRY(auto found, read_tables(connection, filter));
  std::vector<bool> read;
  for (TableRow& row : reading_order(std::move(found), rules.collections())) {
    // Overrides are for the snapshot at the start: one on demand brings its own SELECT, or reads all rows.
    const std::string* override = request.on_demand ? nullptr : rules.select_override(row.id);
    const OnDemandTable* demanded = request.on_demand ? wanted(row.id) : nullptr;
    const std::string select = demanded != nullptr ? without_semicolon(demanded->select) : "";
    if (!select.empty()) override = &select;
    PlannedTable table;
    table.id = row.id;
    table.estimated_rows = estimated_rows(row);
    table.has_key = row.has_primary_key;
    if (override != nullptr) table.select_override = *override;
    const bool refused = override != nullptr && override->empty();
    read.push_back(!refused && (override != nullptr || !row.surely_empty()));
    out.plan.tables.push_back(std::move(table));
    std::string condition = request.on_demand ? std::string() : rules.condition(row.id);
    out.tables.push_back({std::move(row), {}, {}, std::move(condition)});
  }
  if (!request.on_demand) CDC_CHECK(rules.check_conditions(out.plan));
  CDC_CHECK(describe_all(connection, out.tables, read, rules, types));
  for (std::size_t i = 0; i < out.tables.size(); ++i) {
    if (!read[i]) continue;
    const bool overridden = !out.plan.tables[i].select_override.empty();
    out.plan.tables[i].has_key = !out.tables[i].description.key.empty();
    CDC_TRY(const Cutting cutting,
            cut(connection, settings, rules, request, out.tables[i], types, overridden));
    add_units(out.plan, i, cutting);
  }
  return out;
}

}  // namespace cdc::pg
