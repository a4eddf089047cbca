// What a source offers for incremental snapshots (CORE-INC): a table read in key order, some rows at a
// time, while the stream runs, and the marks that tell where in the log a chunk was read. Everything is
// called on the stream's thread, between or within pushes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/change_sink.h"
#include "cdc/error.h"
#include "cdc/table.h"

namespace cdc {

// One column of a chunk's border. `text` is the value as the server writes it (nullopt: NULL); `type` tells
// how the state keeps it: int32, int64, float64, boolean, bytes, uuid, decimal, date, string.
struct KeyPart {
  std::string type = "string";
  std::optional<std::string> text;

  friend bool operator==(const KeyPart&, const KeyPart&) = default;
};
using ChunkKey = std::vector<KeyPart>;

struct ChunkRequest {
  std::span<const std::size_t> key;  // columns of the opened table's shape, in order
  const ChunkKey* after = nullptr;   // rows behind it; null: from the first
  const ChunkKey* upto = nullptr;    // and not behind this one
  std::string_view condition;        // SQL; empty: all rows
  std::uint64_t limit = 0;
};

// Where the stream is when a read-only window asks whether it is over (CORE-INC-24).
enum class WindowMoment : std::uint8_t { row, commit, rest };

class ChunkReader {
 public:
  virtual ~ChunkReader() = default;

  // Captured tables as they are now.
  virtual Result<std::vector<TableId>> tables() = 0;
  // Reads the structure of a table (its collection id) anew; the calls below are about this table until
  // the next open(). `also`: a column that is read whatever the column filters say; may be empty. Null: no
  // captured table has this name.
  virtual Result<TableHandle> open(const std::string& collection, const std::string& also,
                                   ChangeSink& sink) = 0;
  // Whether an index makes these columns unique.
  virtual Result<bool> is_unique(std::span<const std::size_t> key) = 0;
  // nullopt: there is no row.
  virtual Result<std::optional<ChunkKey>> maximum_key(std::span<const std::size_t> key,
                                                      std::string_view condition) = 0;
  // Hands out the rows in key order; the key of the last one, nullopt when there was none.
  using RowCallback = std::function<Result<void>(std::span<const Cell>)>;
  virtual Result<std::optional<ChunkKey>> read(const ChunkRequest& request, const RowCallback& row) = 0;

  // Watermarks as rows of the signal table (CORE-INC-06). Durable on return.
  virtual Result<void> insert_signal(const std::string& collection, std::string_view id,
                                     std::string_view type, std::string_view data) = 0;
  virtual Result<void> delete_signal(const std::string& collection, std::string_view id) = 0;

  // With written watermarks: a transaction can stand in the log before the watermark and yet not be visible
  // when the rows are read, for a moment. Called right before they are read: waits until all that was
  // streamed is visible.
  virtual Result<void> settle() { return {}; }
  // The event under way is of a transaction that was not yet visible then.
  virtual bool unseen() { return false; }

  // Watermarks without writing (read.only): taken before and after the rows of a chunk are read.
  virtual Result<void> mark_low() = 0;
  virtual Result<void> mark_high() = 0;
  // The event under way may concern rows of the chunk.
  virtual bool window_open() = 0;
  virtual bool window_over(WindowMoment moment) = 0;
};

}  // namespace cdc
