// What a new source must implement: one folder under src/source/, one line in src/source/registry.cc.
// Capture drives it in this order:
//
//   connect -> check_position (an offset is stored) -> prepare (slot, publication, ...)
//     -> [ plan_snapshot -> read_unit ... on N workers -> end_snapshot ] -> stream
//
// All calls but read_unit, acknowledge and interrupt come from one thread. A retriable error lets
// capture throw the object away and start over with a new one from the last position handed over.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/change_sink.h"
#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/hypertables.h"
#include "cdc/position.h"
#include "cdc/runtime.h"
#include "cdc/snapshot.h"

namespace cdc {

class ChunkReader;  // cdc/chunks.h
class RowReader;    // cdc/row_reader.h

// Until when a bounded run goes. Positions are the source's own text (LSN, GTID, file:pos).
struct StreamBounds {
  std::string until;  // empty: for ever; "now": what the server has at the start of the stream; a position;
                      // an ISO timestamp
};

// The answer to "can the stored position still be read?".
struct PositionState {
  bool available = true;
  std::string problem;  // what is wrong, naming both positions; complete sentence
  std::string hint;
};

struct StartOptions {
  bool will_snapshot = false;  // a data snapshot follows, which must be consistent with the stream's start
  bool will_stream = true;
  std::optional<std::string> offset;  // stored offset (JSON), if streaming goes on from one
  std::string from;                   // --from: empty, "now", "beginning" or a position; overrides offset
  bool may_start_over = false;  // what the server keeps for this capture may be replaced when it is of no use
};

struct SourceDescription {
  std::string server_version;
  std::string identity;  // of the database cluster (PostgreSQL: system identifier); kept with the state
};

class Source {
 public:
  virtual ~Source() = default;

  // Connects, reads server facts, checks settings and privileges this configuration needs; reading tables
  // alone (`will_stream` false) needs fewer.
  virtual Result<SourceDescription> connect(bool will_stream) = 0;
  virtual Result<PositionState> check_position(const std::string& offset) = 0;
  // Makes what streaming needs on the server (publication, slot) unless dry.
  virtual Result<void> prepare(const StartOptions& options) = 0;
  // Collections that the filters let through, sorted in reading order; for --dry-run, guardrails and
  // warnings.
  virtual Result<std::vector<TableId>> captured_tables() = 0;
  // Every table there was when captured_tables() looked, captured or not, and the columns of the captured
  // ones; for warnings about names in filters that stand for nothing. A source that cannot tell has none.
  virtual Result<std::vector<TableId>> tables() { return std::vector<TableId>(); }
  virtual Result<std::vector<ColumnId>> captured_columns() { return std::vector<ColumnId>(); }

  virtual Result<SnapshotPlan> plan_snapshot(const SnapshotRequest& request) = 0;
  // Reads one unit through `sink`, on worker `worker` (0 <= worker < request.threads); one call at a
  // time per worker. `resume_after`: key tuple in the source's own form after which to go on.
  virtual Result<void> read_unit(unsigned worker, const SnapshotUnit& unit,
                                 const std::vector<std::string>& resume_after, ChangeSink& sink) = 0;
  // The offset that marks a running / a completed snapshot (CORE-OFF-03).
  virtual Checkpoint snapshot_checkpoint(bool completed) const = 0;
  virtual Result<void> end_snapshot() = 0;  // lets go of locks and snapshot connections

  // Streams from `offset` (or from what prepare() made) until stopped, bounded, or failed.
  virtual Result<void> stream(const std::optional<std::string>& offset, const StreamBounds& bounds,
                              ChangeSink& sink) = 0;
  // For incremental snapshots while streaming; valid from prepare() on, as long as the source. Null: not
  // offered.
  virtual ChunkReader* chunks() { return nullptr; }
  // For reading rows again while streaming (post.processors); valid as chunks() is. Null: not offered.
  virtual RowReader* rows() { return nullptr; }
  // The writer made everything up to the checkpoint durable. Any thread; must not block.
  virtual void acknowledge(const Checkpoint& checkpoint) = 0;
  // A heartbeat record was written; called on the thread that streams. An error ends the stream.
  virtual Result<void> heartbeat() { return {}; }
  // Orderly end: last confirmation to the server, close; drops the slot where configured.
  virtual Result<void> close(bool orderly) = 0;

  virtual SchemaPtr source_schema() const = 0;     // of the `source` member
  virtual std::string connector_name() const = 0;  // "postgresql"
};

// How the rest of cdc finds a source. `collection_id` and `column_id` give the names that filters see.
struct SourceType {
  std::string_view name;                      // "postgresql"
  std::vector<std::string_view> url_schemes;  // "postgres", "postgresql"
  std::vector<std::string_view> connector_classes;
  std::unique_ptr<Source> (*make)(const Config& config, Runtime& runtime);
  // Whether --from and --until (empty: not given) can be positions of this source; needs no server.
  Result<void> (*check_bounds)(const std::string& from, const std::string& until) = nullptr;
  HypertableCatalogFactory hypertables = nullptr;
};

const std::vector<SourceType>& source_types();  // src/source/registry.cc
const SourceType* find_source_type(std::string_view name);

}  // namespace cdc
