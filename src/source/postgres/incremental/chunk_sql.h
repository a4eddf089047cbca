// SQL of incremental snapshots: chunks and maximum keys (CORE-INC-10/11, PG-INC-02). Pure. Borders travel as
// the server's own texts; as literals without a type they get the type of their column, so that every type
// that has an order can be a key.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/table.h"

namespace cdc::pg {

struct KeyColumn {
  std::string name;
  bool nullable = false;
};
using KeyTexts = std::vector<std::optional<std::string>>;

struct ChunkQuery {
  TableId table;
  std::vector<std::string> columns;
  std::vector<KeyColumn> key;
  std::string_view condition;  // empty: none
  const KeyTexts* after = nullptr;
  const KeyTexts* upto = nullptr;
  std::uint64_t limit = 0;
};

std::string chunk_sql(const ChunkQuery& query);
// One row: the last key in the order of chunks.
std::string maximum_sql(const TableId& table, std::span<const KeyColumn> key, std::string_view condition);

}  // namespace cdc::pg
