// PostgresSource: cdc::Source for PostgreSQL. Decides the order of things (PG-SNAP-01); the work itself is
// done by the parts it holds: control/ for the server, SnapshotSession and snapshot_reader for tables,
// Stream.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cdc/source.h"
#include "source/postgres/confirmations.h"
#include "source/postgres/control/catalog.h"
#include "source/postgres/control/offset_check.h"
#include "source/postgres/control/publication.h"
#include "source/postgres/control/server.h"
#include "source/postgres/control/slot.h"
#include "source/postgres/heartbeat.h"
#include "source/postgres/incremental/chunk_reader.h"
#include "source/postgres/row_reader.h"
#include "source/postgres/settings.h"
#include "source/postgres/snapshot_plan.h"
#include "source/postgres/snapshot_session.h"
#include "source/postgres/stream.h"

namespace cdc::pg {

class PostgresSource final : public Source {
 public:
  PostgresSource(const Config& config, Runtime& runtime);
  ~PostgresSource() override;

  Result<SourceDescription> connect(bool will_stream) override;
  Result<PositionState> check_position(const std::string& offset) override;
  Result<void> prepare(const StartOptions& options) override;
  Result<std::vector<TableId>> captured_tables() override;
  Result<std::vector<TableId>> tables() override;
  Result<std::vector<ColumnId>> captured_columns() override;

  Result<SnapshotPlan> plan_snapshot(const SnapshotRequest& request) override;
  Result<void> read_unit(unsigned worker, const SnapshotUnit& unit,
                         const std::vector<std::string>& resume_after, ChangeSink& sink) override;
  Checkpoint snapshot_checkpoint(bool completed) const override;
  Result<void> end_snapshot() override;

  Result<void> stream(const std::optional<std::string>& offset, const StreamBounds& bounds,
                      ChangeSink& sink) override;
  ChunkReader* chunks() override;
  RowReader* rows() override;
  void acknowledge(const Checkpoint& checkpoint) override { confirmations_.raise(checkpoint.token); }
  Result<void> heartbeat() override { return heartbeat_ ? heartbeat_->run() : Result<void>(); }
  Result<void> close(bool orderly) override;

  SchemaPtr source_schema() const override { return source_block_schema(); }
  std::string connector_name() const override { return "postgresql"; }

 private:
  // Positions of a snapshot do not move from row to row.
  class SnapshotPosition final : public PositionWriter {
   public:
    explicit SnapshotPosition(const PostgresSource& source) : source_(source) {}
    Checkpoint checkpoint() const override { return source_.snapshot_checkpoint(false); }

   private:
    const PostgresSource& source_;
  };

  Result<std::vector<TableRow>> read_captured();
  Result<void> check_snapshot_privileges();
  Result<void> prepare_publication();
  void tell_plugin_limits();
  Result<void> prepare_slot();
  Result<void> set_identities();
  void tell_identities() const;
  Result<void> advance(Lsn to);
  Result<StreamStart> decide(const std::optional<std::string>& offset, const StreamBounds& bounds);
  Result<Lsn> start_from(const std::string& from, Lsn now) const;
  void prepare_history_check(const StartAnswer& answer, StreamStart& start);
  Result<StartAnswer> ask_slot(const std::optional<Offset>& offset);
  Result<std::optional<Lsn>> shared_until(const std::optional<OffsetPoint>& offset);
  Result<Connection> replication_connection();

  const Config& config_;
  Runtime& runtime_;
  std::optional<SourceSettings> settings_;
  std::optional<SnapshotRules> rules_;
  std::optional<Connection> general_;
  std::optional<HeartbeatQuery> heartbeat_;
  std::optional<Connection> replication_;  // holds the exported snapshot of a slot made in this run
  ServerFacts facts_;
  TypeCatalog types_;
  StartOptions start_;
  std::string publication_;
  std::optional<CreatedSlot> created_;
  Lsn slot_confirmed_ = 0;                                     // of a slot that was there
  bool told_unchecked_ = false;                                // about an imported position
  std::optional<std::pair<std::string, StartAnswer>> answer_;  // of check_position, by the offset asked for
  std::vector<TableRow> captured_;
  std::vector<TableId> tables_;  // of the same look: all there are

  std::unique_ptr<SnapshotSession> session_;
  bool on_demand_ = false;  // it reads tables while the stream is paused
  PlannedSnapshot planned_;
  std::vector<std::unique_ptr<PgSourceBlock>> blocks_;  // one a worker
  SnapshotPosition snapshot_position_{*this};
  Offset snapshot_offset_;

  Confirmations confirmations_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<PgChunkReader> chunks_;
  std::unique_ptr<PgRowReader> rows_;
};

}  // namespace cdc::pg
