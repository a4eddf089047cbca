// What a source offers for TimescaleDB: which hypertable a chunk belongs to. The transform of that name asks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cdc/error.h"

namespace cdc {

struct Hypertable {
  std::string schema, table;              // where the chunk's rows belong
  std::string inner_schema, inner_table;  // of a continuous aggregate: the table behind its view; else empty
};

class HypertableCatalog {
 public:
  virtual ~HypertableCatalog() = default;
  // Asks the server each time; nothing: the table is no chunk.
  virtual Result<std::optional<Hypertable>> find(const std::string& schema, const std::string& table) = 0;
};

// Names and values of the database client's own connection parameters.
using ConnectionKeywords = std::vector<std::pair<std::string, std::string>>;
// A connection of its own, made on first use. Null: the source has no such thing.
using HypertableCatalogFactory = std::unique_ptr<HypertableCatalog> (*)(ConnectionKeywords keywords);

}  // namespace cdc
