// What the TimescaleDB transform needs to know of the server: which hypertable a chunk belongs to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cdc/error.h"

namespace cdc::transform {

struct Hypertable {
  std::string schema, table;              // where the chunk's rows belong
  std::string inner_schema, inner_table;  // of a continuous aggregate: the table behind its view; else empty
};

class ChunkCatalog {
 public:
  virtual ~ChunkCatalog() = default;
  // Asks the server each time; nothing: the table is no chunk.
  virtual Result<std::optional<Hypertable>> find(const std::string& schema, const std::string& table) = 0;
};

// A connection of its own, made on first use; `keywords` are libpq's.
std::unique_ptr<ChunkCatalog> server_catalog(std::vector<std::pair<std::string, std::string>> keywords);

}  // namespace cdc::transform
