// PgRowReader: reading columns of one row again, for the post-processor `reselect`. On a connection of its
// own, made when the first row is asked for; each statement in its own state of the database.
#pragma once

#include <cstdint>
#include <functional>
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
  // `transaction`: the one whose changes are being delivered, 0: none.
  PgRowReader(const ConnectOptions& options, std::function<std::uint32_t()> transaction, Runtime& runtime)
      : options_(options), transaction_(std::move(transaction)), runtime_(runtime) {}

  Result<std::optional<Values>> read(const RowRequest& request) override;

 private:
  Result<Rows> ask(const std::string& sql, std::span<const std::optional<std::string>> key,
                   const std::string& attempted);

  Result<void> await_visible();

  const ConnectOptions& options_;
  std::function<std::uint32_t()> transaction_;
  std::uint32_t visible_ = 0;  // the last one that was waited for
  Runtime& runtime_;
  std::optional<Connection> connection_;
};

}  // namespace cdc::pg
