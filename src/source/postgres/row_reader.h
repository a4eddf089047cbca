// PgRowReader: reading columns of one row again, for the post-processor `reselect`. On a connection of its
// own, made when the first row is asked for; each statement in its own state of the database.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "cdc/row_reader.h"
#include "source/postgres/control/connection.h"

namespace cdc::pg {

// SELECT by key with one parameter for each key column that is not NULL, in order; two rows at most.
std::string row_sql(const RowRequest& request);

class PgRowReader final : public RowReader {
 public:
  PgRowReader(const ConnectOptions& options, Runtime& runtime) : options_(options), runtime_(runtime) {}

  Result<std::optional<Values>> read(const RowRequest& request) override;

 private:
  Result<Rows> ask(const std::string& sql, std::span<const std::optional<std::string>> key,
                   const std::string& attempted);

  const ConnectOptions& options_;
  Runtime& runtime_;
  std::optional<Connection> connection_;
};

}  // namespace cdc::pg
