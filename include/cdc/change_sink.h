// The front door of the event room: a source pushes decoded changes here, in order, from one thread.
// Nothing is built per row but the output bytes themselves (the sink encodes cells where they lie).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cdc/codec.h"
#include "cdc/error.h"
#include "cdc/position.h"
#include "cdc/table.h"

namespace cdc {

enum class Op : char { create = 'c', update = 'u', remove = 'd', read = 'r', truncate = 't', message = 'm' };

// A table version compiled for output: encoders, masks, schema texts, topic. Made by ChangeSink::table
// each time the source sees a shape; owned by the sink until the source drops its handle.
class CompiledTable;
using TableHandle = std::shared_ptr<const CompiledTable>;

// The source's own part of an event. One object per stream, changed by the source between pushes;
// the sink calls it while a push is running.
class SourceBlock {
 public:
  virtual ~SourceBlock() = default;
  // Appends the JSON object of `source` with its braces.
  virtual void append(Buffer& out, const TableId& table, SnapshotMarker marker) const = 0;
  // Source time of the event in microseconds since 1970 (for statistics and transforms).
  virtual std::int64_t timestamp_us() const = 0;
  // Transaction id as printed in `transaction.id` and BEGIN/END records; nothing when the event is
  // outside a transaction. `group` is what stays the same over the whole transaction.
  virtual void append_transaction_id(Buffer& out) const = 0;
  virtual std::string_view transaction_group() const = 0;
  // Where the event lies, for messages: "0/15A3F8, transaction 742".
  virtual std::string place() const = 0;
};

// Renders positions. Called on the source's thread only. A source moves its position after a push
// returned without error, never before: a push that fails leaves no trace in the output.
class PositionWriter {
 public:
  virtual ~PositionWriter() = default;
  // Right after the last complete push.
  virtual Checkpoint checkpoint() const = 0;
  // As it will be once the push that is running is complete (printed by --format record).
  virtual Checkpoint checkpoint_of_current() const { return checkpoint(); }
};

struct RowChange {
  const CompiledTable* table = nullptr;
  Op op = Op::read;
  std::span<const Cell> before;  // empty: the log carried no old row
  std::span<const Cell> after;   // empty for deletes
  // The old row is whole (REPLICA IDENTITY FULL): then nothing in it is absent, and a NULL in it is a stored
  // NULL.
  bool before_is_whole = false;
};

class ChangeSink {
 public:
  virtual ~ChangeSink() = default;

  // Filters, asked before any catalog work. Cheap; cache the answer by the log's own table number.
  virtual bool captured(const TableId& id) const = 0;

  // Compiles a shape. Errors: a key column named by message.key.columns twice, ...
  virtual Result<TableHandle> table(TableShape shape) = 0;

  // Must outlive all pushes that follow.
  virtual void set_source_block(const SourceBlock* block) = 0;
  virtual void set_position_writer(const PositionWriter* writer) = 0;
  // Called about once a second while a push waits for room in the queue: keep the server alive.
  virtual void set_wait_hook(std::function<void()> hook) = 0;

  // Bytes came from the server: what is pushed until the next call carries this moment as the time of its
  // processing. From a source that never calls it, each event reads the clock for itself.
  virtual void received() {}

  // One row. Errors end the stream (kind event, sink, cancelled, internal).
  virtual Result<void> row(const RowChange& change) = 0;
  virtual Result<void> truncate(const CompiledTable& table) = 0;
  // A logical message (PostgreSQL). `transactional` decides about its transaction block.
  virtual Result<void> message(std::string_view prefix, std::string_view content, bool transactional) = 0;

  // Transaction borders; the source block already describes the border.
  virtual Result<void> begin_transaction() = 0;
  virtual Result<void> end_transaction() = 0;

  // Something was read that brought no event (filtered table, keepalive): the position may move on.
  virtual void filtered(std::uint64_t count) = 0;

  // The log has nothing to read at the moment and everything read was pushed (outside a transaction).
  // Returns how long the source may wait before it calls again, news or not.
  virtual Result<std::chrono::milliseconds> idle() { return std::chrono::milliseconds(1000); }

  // Hands everything pushed so far to the writer, with the checkpoint of now. Call when the log has
  // nothing more to read at the moment. `must_store`: store the offset even when no event came.
  virtual Result<void> flush(bool must_store) = 0;

  // True when everything handed over so far is durable and its offset stored.
  virtual bool all_durable() const = 0;

  // A bounded run has what it wanted (--max-events reached): the source returns from stream().
  virtual bool finished() const = 0;
};

}  // namespace cdc
