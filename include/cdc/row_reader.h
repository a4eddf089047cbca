// What a source offers for reading a row again (CORE-PP-01): some columns of it as they are in the table by
// now, found by key. Called on the stream's thread, within a push.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdc/error.h"
#include "cdc/table.h"

namespace cdc {

struct RowRequest {
  const TableShape& table;
  std::span<const std::size_t> key;      // columns of the table that find the row; at least one
  std::span<const Cell> row;             // by column of the table; the key's cells are values or NULLs
  std::span<const std::size_t> columns;  // what to read; at least one
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  // In the order of RowRequest::columns, in the form that the log's cells have (nullopt: NULL). nullopt: no
  // row has this key. More than one row is an error. Waits for an answer a bounded time only. Kind
  // unreachable: the connection is lost and could not be made anew.
  using Values = std::vector<std::optional<std::string>>;
  virtual Result<std::optional<Values>> read(const RowRequest& request) = 0;
};

}  // namespace cdc
