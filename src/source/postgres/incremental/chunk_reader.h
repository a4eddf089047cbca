// PgChunkReader: incremental snapshots on a PostgreSQL server. Runs on the stream's general connection, each
// statement in its own state of the database.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cdc/chunks.h"
#include "source/postgres/control/catalog.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/server.h"
#include "source/postgres/incremental/chunk_sql.h"
#include "source/postgres/incremental/stream_point.h"
#include "source/postgres/incremental/xid_window.h"
#include "source/postgres/settings.h"
#include "source/postgres/shapes.h"
#include "source/postgres/snapshot_plan.h"

namespace cdc::pg {

class PgChunkReader final : public ChunkReader {
 public:
  struct Parts {
    Connection& general;
    const SourceSettings& settings;
    const SnapshotRules& rules;
    const ServerFacts& facts;
    TypeCatalog& types;
    std::string publication;
    std::function<StreamPoint()> stream;
    Runtime& runtime;
  };
  explicit PgChunkReader(Parts parts) : parts_(std::move(parts)) {}

  Result<std::vector<TableId>> tables() override;
  Result<TableHandle> open(const std::string& collection, const std::string& also, ChangeSink& sink) override;
  Result<bool> is_unique(std::span<const std::size_t> key) override;
  Result<std::optional<ChunkKey>> maximum_key(std::span<const std::size_t> key,
                                              std::string_view condition) override;
  Result<std::optional<ChunkKey>> read(const ChunkRequest& request, const RowCallback& row) override;
  Result<void> insert_signal(const std::string& collection, std::string_view id, std::string_view type,
                             std::string_view data) override;
  Result<void> delete_signal(const std::string& collection, std::string_view id) override;
  Result<void> settle() override;
  bool unseen() override;
  Result<void> mark_low() override;
  Result<void> mark_high() override;
  bool window_open() override;
  bool window_over(WindowMoment moment) override;

 private:
  Result<std::optional<TableDetail>> find(const std::string& collection);
  Result<void> describe(const TableDetail& detail, const std::string& also);
  Result<std::vector<std::string>> streamed_generated(const TableDetail& detail);
  std::vector<KeyColumn> key_columns(std::span<const std::size_t> key) const;
  KeyPart key_part(std::size_t column, std::optional<std::string_view> text) const;
  Result<TransactionSnapshot> snapshot();
  std::string attempted() const;

  Parts parts_;
  std::vector<TableRow> known_;
  // The opened table.
  Oid oid_ = 0;
  TableDescription description_;
  BuiltShape built_;
  XidWindow window_;
  TransactionSnapshot settled_;  // as the last chunk was read
  bool consumed_ = false;
};

}  // namespace cdc::pg
