// Joining Relation messages with the catalog: the message wins for names, types and typmods, the
// catalog tells optionality, defaults and the key, which the message does not carry.
#include "source/postgres/relations.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "source/postgres/control/replica_identity.h"
#include "source/postgres/types/column_codec.h"

namespace cdc::pg {
namespace {

constexpr Oid kFirstUserOid = 16384;  // FirstNormalObjectId: types below never change
constexpr std::size_t kUnknownLimit = 1000;

// What an old tuple carries is what the message says, whatever the catalog says by now (PG-KEY-04).
void take_identity(const pgoutput::Relation& relation, TableDetail& detail) {
  detail.identity.kind = relation.identity;
  detail.identity.columns.clear();
  for (const auto& column : relation.columns) {
    const ColumnRow* row = detail.column(column.name);
    if (column.identity && row != nullptr) detail.identity.columns.push_back(row->attnum);
  }
}

// PG-SCH-03: the log does not say when a key changed, so the catalog's key of now may show too early.
std::string new_key_warning(const TableDescription& before, const TableDescription& now) {
  const auto spelled = [](const TableDescription& table) {
    return table.key.empty() ? std::string("none") : fmt::format("({})", fmt::join(table.key, ", "));
  };
  return fmt::format(
      "the key of {}.{} changed while streaming, from {} to {}: changes made shortly before or after it may "
      "have either (to change a key without such a mixture: stop the writers, let cdc catch up, stop it, "
      "change the key, start both)",
      now.id.schema, now.id.table, spelled(before), spelled(now));
}

}  // namespace

// Tables that no filter brings in (PG-SNAP-07), as the snapshot's own query leaves them out.
bool RelationCache::left_out(const TableId& id) const {
  return id.schema.starts_with("pg_") || id.schema == "information_schema" ||
         (ignore_builtin_ && id.table == "spatial_ref_sys");
}

std::span<const Cell> StreamedTable::row(std::span<Cell> cells) const {
  if (built_.all_cells) return cells;
  for (std::size_t i = 0; i < built_.cells.size(); ++i) cells[i] = cells[built_.cells[i]];
  return cells.first(built_.cells.size());
}

std::span<const Cell> StreamedTable::key_row(std::span<Cell> cells) const {
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (!identity_[i] && cells[i].kind == Cell::Kind::null) cells[i] = {Cell::Kind::absent, {}};
  return row(cells);
}

bool StreamedTable::same_key(std::span<const Cell> before, std::span<const Cell> after) const {
  for (const std::size_t column : built_.shape.key) {
    const Cell &one = before[built_.cells[column]], &other = after[built_.cells[column]];
    if (one.kind != Cell::Kind::value || other.kind != Cell::Kind::value || one.data != other.data)
      return false;
  }
  return !built_.shape.key.empty() && !other_key_;
}

RelationCache::RelationCache(Connection& general, TypeCatalog& types, ShapeOptions options,
                             bool ignore_builtin, const KeyColumns& keys, ChangeSink& sink)
    : general_(general),
      types_(types),
      options_(std::move(options)),
      ignore_builtin_(ignore_builtin),
      keys_(keys),
      sink_(sink) {}

StreamedTable* RelationCache::find(Oid oid) {
  if (oid == last_oid_ && last_ != nullptr) return last_;
  const auto found = tables_.find(oid);
  if (found == tables_.end()) return nullptr;
  last_oid_ = oid;
  return last_ = found->second.get();
}

void RelationCache::clear() {
  tables_.clear();
  last_ = nullptr;
}

Result<void> RelationCache::learn(const pgoutput::Relation& relation) {
  TableId id{{}, std::string(relation.schema), std::string(relation.table)};
  auto& slot = tables_[relation.oid];
  if (!slot) slot = std::make_unique<StreamedTable>();
  StreamedTable& table = *slot;
  table.captured = captured(id);
  table.columns = relation.columns.size();
  table.id = std::move(id);
  if (!table.captured) return {};
  table.identity_.clear();
  for (const auto& column : relation.columns) table.identity_.push_back(column.identity);
  std::vector<Oid> columns;
  for (const auto& column : relation.columns) columns.push_back(column.type);
  CDC_CHECK(complete(columns));
  CDC_TRY(table.description_, describe(relation, table.description_));
  CDC_CHECK(pairs_.check(table.description_, before_start_));
  return compile(table);
}

Result<StreamedTable*> RelationCache::learn(Oid number, TableDescription description,
                                            const TableDetail* detail) {
  auto& slot = tables_[number];
  if (!slot) slot = std::make_unique<StreamedTable>();
  StreamedTable& table = *slot;
  table.captured = true;
  table.columns = description.columns.size();
  table.id = description.id;
  table.identity_.assign(table.columns, true);
  std::vector<Oid> columns;
  for (const auto& column : description.columns) columns.push_back(column.type);
  CDC_CHECK(complete(columns));
  if (detail != nullptr) CDC_CHECK(warn_about_key(*detail, table.description_, description));
  CDC_CHECK(pairs_.check(description, before_start_));
  table.description_ = std::move(description);
  CDC_CHECK(compile(table));
  return &table;
}

// Types that users made can change without a Relation message: they are read again with each.
Result<void> RelationCache::complete(const std::vector<Oid>& columns) {
  std::vector<Oid> changeable;
  for (const Oid type : columns)
    if (type >= kFirstUserOid && types_.find(type) != nullptr) changeable.push_back(type);
  if (!changeable.empty()) {
    CDC_TRY(auto rows, read_types(general_, changeable));
    for (TypeRow& row : rows) types_.add(std::move(row));
  }
  CDC_TRY([[maybe_unused]] auto unknown, complete_types(general_, types_, columns));
  return {};
}

Result<TableDescription> RelationCache::describe(const pgoutput::Relation& relation,
                                                 const TableDescription& before) {
  TableDescription table;
  table.id = {{}, std::string(relation.schema), std::string(relation.table)};
  table.phase = Phase::stream;
  CDC_TRY(auto detail, read_detail(general_, relation.oid));
  for (const auto& column : relation.columns) {
    ColumnDescription described{std::string(column.name), column.type, column.typmod, false, false, {}};
    if (const ColumnRow* row = detail ? detail->column(column.name) : nullptr) {
      described.not_null = row->not_null;
      described.generated = row->generated != '\0';
      described.default_expression = row->default_expression;
    }
    table.columns.push_back(std::move(described));
  }
  if (!detail) return table;
  for (const std::int16_t attnum : detail->key.columns)
    if (const ColumnRow* row = detail->column(attnum)) table.key.push_back(row->name);
  take_identity(relation, *detail);
  CDC_CHECK(warn_about_key(*detail, before, table));
  return table;
}

// PG-KEY-04: a key that old rows do not carry, be it the table's own or that of message.key.columns.
// `before`: what was known of the table until now; without columns: nothing.
Result<void> RelationCache::warn_about_key(const TableDetail& detail, const TableDescription& before,
                                           TableDescription& table) const {
  std::vector<std::string> key = table.key;
  bool configured = false;
  if (keys_.active()) {
    std::vector<std::string> names;
    for (const ColumnDescription& column : table.columns) names.push_back(column.name);
    CDC_TRY(const auto chosen, keys_.key_of(table.id, names));
    configured = chosen.has_value();
    if (configured) key.clear();
    for (std::size_t i = 0; configured && i < chosen->size(); ++i) key.push_back(names[(*chosen)[i]]);
  }
  if (const auto warning = key_warning(detail, key, configured)) table.warnings.push_back(*warning);
  if (!configured && !before.columns.empty() && before.key != table.key)
    table.warnings.push_back(new_key_warning(before, table));
  return {};
}

Result<void> RelationCache::compile(StreamedTable& table) {
  table.built_ = build_shape(types_, table.description_, options_);
  table.other_key_ = keys_.active();
  CDC_TRY(auto handle, sink_.table(table.built_.shape));
  table.handle_ = std::move(handle);
  table.compiled = table.handle_.get();
  return {};
}

Result<void> RelationCache::find_new_labels(StreamedTable& table, std::span<const Cell> cells) {
  if (cells.empty()) return {};
  for (std::size_t i = 0; i < table.built_.enums.size(); ++i) {
    const EnumCell& watched = table.built_.enums[i];
    const Cell& cell = cells[watched.cell];
    if (cell.kind != Cell::Kind::value) continue;
    scratch_.clear();
    if ((watched.codec(cell.data, scratch_) & kUnknownLabel) == 0) continue;
    std::string value = fmt::format("{}:{}", watched.type, cell.data);
    if (unknown_to_all_.contains(value)) continue;
    CDC_CHECK(refresh(watched));
    // The table's cells were made anew. If the label is still not known, it was renamed or dropped since.
    scratch_.clear();
    if ((table.built_.enums[i].codec(cell.data, scratch_) & kUnknownLabel) == 0) continue;
    if (unknown_to_all_.size() >= kUnknownLimit) unknown_to_all_.clear();
    unknown_to_all_.insert(std::move(value));
  }
  return {};
}

Result<void> RelationCache::refresh(const EnumCell& cell) {
  // By value: `cell` belongs to a table that is about to be made anew.
  const Oid type = cell.type;
  CDC_TRY(auto rows, read_types(general_, std::span(&type, 1)));
  std::vector<Oid> changed;
  for (TypeRow& row : rows) {
    const Oid oid = row.oid;
    if (types_.add(std::move(row))) changed.push_back(oid);
  }
  if (changed.empty()) return {};
  for (auto& [oid, table] : tables_) {
    const bool affected =
        table->captured &&
        std::any_of(table->built_.enums.begin(), table->built_.enums.end(), [&](const EnumCell& used) {
          return std::any_of(changed.begin(), changed.end(),
                             [&](Oid changed_oid) { return types_.depends_on(used.type, changed_oid); });
        });
    if (affected) CDC_CHECK(compile(*table));
  }
  return {};
}

}  // namespace cdc::pg
