// Choice of key and replica identity.
#include "source/postgres/control/key_rules.h"

#include <algorithm>
#include <tuple>

namespace cdc::pg {
namespace {

bool has_expression(const IndexRow& index) {
  return std::find(index.columns.begin(), index.columns.end(), std::int16_t{0}) != index.columns.end();
}

std::vector<std::int16_t> own_columns(const IndexRow& index) {
  const auto count = std::min(index.key_columns, index.columns.size());
  return {index.columns.begin(), index.columns.begin() + static_cast<std::ptrdiff_t>(count)};
}

const IndexRow* primary_of(std::span<const IndexRow> indexes) {
  for (const IndexRow& i : indexes)
    if (i.primary) return &i;
  return nullptr;
}

}  // namespace

TableKey choose_key(std::span<const IndexRow> indexes) {
  TableKey key;
  if (const IndexRow* primary = primary_of(indexes)) {
    key.origin = TableKey::Origin::primary_key;
    key.index = primary->name;
    key.columns = own_columns(*primary);
    return key;
  }
  const IndexRow* best = nullptr;
  for (const IndexRow& i : indexes) {
    if (!i.unique || has_expression(i)) continue;
    // The order in which JDBC lists a table's indexes: clustered ones first, then by name.
    if (best == nullptr || std::tuple(!i.clustered, std::string_view(i.name)) <
                               std::tuple(!best->clustered, std::string_view(best->name)))
      best = &i;
  }
  if (best == nullptr) return key;
  key.origin = TableKey::Origin::unique_index;
  key.index = best->name;
  key.columns = best->columns;  // INCLUDE columns too: JDBC does not tell them apart
  key.partial = best->partial;
  key.valid = best->valid;
  return key;
}

ReplicaIdentity choose_identity(char kind, std::span<const IndexRow> indexes,
                                std::span<const ColumnRow> columns) {
  ReplicaIdentity identity;
  identity.kind = kind;
  if (kind == 'f') {
    for (const ColumnRow& c : columns) identity.columns.push_back(c.attnum);
    return identity;
  }
  for (const IndexRow& i : indexes) {
    // A deferrable primary key cannot identify rows.
    const bool chosen = kind == 'd' ? i.primary && i.immediate : kind == 'i' && i.identity;
    if (!chosen) continue;
    identity.index = i.name;
    identity.columns = own_columns(i);
    break;
  }
  return identity;
}

}  // namespace cdc::pg
