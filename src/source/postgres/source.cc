// PostgresSource: connecting, snapshot, end. What precedes a stream: source_start.cc.
#include "source/postgres/source.h"

#include <algorithm>

#include <fmt/format.h>

#include "source/postgres/make_source.h"
#include "source/postgres/snapshot_reader.h"
#include "source/postgres/values/money.h"

namespace cdc::pg {
namespace {

constexpr milliseconds kShortestSilence{60'000};

// How long a server may say nothing at all before it is taken for dead.
milliseconds silence_limit(const ServerFacts& facts, const LinkSettings& link) {
  return std::max({kShortestSilence, 2 * facts.wal_sender_timeout, 3 * link.status_interval});
}

}  // namespace

PostgresSource::PostgresSource(const Config& config, Runtime& runtime) : config_(config), runtime_(runtime) {}
PostgresSource::~PostgresSource() = default;

std::unique_ptr<Source> make_source(const Config& config, Runtime& runtime) {
  return std::make_unique<PostgresSource>(config, runtime);
}

Result<SourceDescription> PostgresSource::connect(bool will_stream) {
  CDC_TRY(settings_, SourceSettings::read(config_));
  if (!will_stream) settings_->control.streams = false;  // PG-SLOT-06
  CDC_TRY(rules_, SnapshotRules::make(config_));
  const ControlSettings& control = settings_->control;
  for (const std::string& warning : control.connect.warnings) runtime_.log.warn(warning);
  CDC_TRY(general_, Connection::connect(control.connect, ConnectionKind::general, runtime_));
  heartbeat_.emplace(config_.text("heartbeat.action.query"), control.connect, runtime_);
  CDC_TRY(facts_, read_server_facts(*general_));
  if (config_.boolean("read.only") && facts_.version < 130000)
    return fail(ErrorKind::unsupported,
                fmt::format("read.only needs PostgreSQL 13 or newer, the server is {}", facts_.version_text),
                "Set read.only=false and signal.data.collection");
  const auto checks = preflight(facts_, control);
  CDC_CHECK(preflight_result(checks));
  for (const Check& check : checks)
    if (check.status == Check::Status::warn)
      runtime_.log.warn(check.fix.empty() ? check.finding : fmt::format("{} ({})", check.finding, check.fix));
  if (const auto format = MoneyFormat::learn(facts_.money.positive, facts_.money.negative))
    settings_->modes.money = *format;
  settings_->link.silence_limit = silence_limit(facts_, settings_->link);
  if (settings_->names.database.empty()) settings_->names.database = facts_.database;
  return SourceDescription{facts_.version_text, facts_.system_id_text()};
}

Result<std::vector<TableRow>> PostgresSource::read_captured() {
  tables_.clear();
  const auto captured = [this](const TableId& id) {
    tables_.push_back(id);
    return rules_->collections().captured(id);
  };
  const TableFilter filter{captured, settings_->ignore_builtin};
  return read_tables(*general_, filter);
}

Result<std::vector<TableId>> PostgresSource::captured_tables() {
  CDC_TRY(captured_, read_captured());
  std::vector<TableId> ids;
  for (const TableRow& row : captured_) ids.push_back(row.id);
  rules_->collections().sort_for_snapshot(ids);
  return ids;
}

Result<std::vector<TableId>> PostgresSource::tables() { return tables_; }

Result<std::vector<ColumnId>> PostgresSource::captured_columns() {
  std::vector<Oid> oids;
  for (const TableRow& row : captured_) oids.push_back(row.oid);
  CDC_TRY(const auto details, read_details(*general_, oids));
  std::vector<ColumnId> columns;
  for (const TableDetail& table : details)
    for (const ColumnRow& column : table.columns) columns.push_back({table.id, column.name});
  return columns;
}

Result<SnapshotPlan> PostgresSource::plan_snapshot(const SnapshotRequest& request) {
  SnapshotView view;
  // A snapshot on demand has a state of its own (PG-SNAP-16); the stream's position stays what it is.
  on_demand_ = request.on_demand.has_value();
  if (!on_demand_) view.created = created_;
  view.must_meet_stream = start_.will_stream && !on_demand_;
  view.slot_confirmed = slot_confirmed_;
  CDC_TRY(session_, SnapshotSession::open(*settings_, facts_, *general_, view, std::max(1U, request.threads),
                                          runtime_));
  if (settings_->shared_locks) {
    CDC_TRY(auto ids, captured_tables());
    std::erase_if(ids, [this](const TableId& id) { return !rules_->collections().in_snapshot(id); });
    CDC_CHECK(session_->lock(ids, settings_->lock_timeout));
  }
  CDC_TRY(planned_, pg::plan_snapshot(session_->connection(0), *settings_, *rules_, request, types_));

  snapshot_offset_ = Offset{};
  snapshot_offset_.lsn = session_->stream_from();
  snapshot_offset_.seen = session_->seen();
  snapshot_offset_.tx_id = session_->transaction();
  snapshot_offset_.ts_us = session_->time_us(0);
  snapshot_offset_.system_id = facts_.system_id_text();
  snapshot_offset_.timeline = facts_.lasting_timeline();
  Lsn row_lsn = session_->lsn();
  if (on_demand_ && stream_) {
    const Offset& at = stream_->offset();
    snapshot_offset_.lsn = at.lsn ? at.lsn : at.lsn_proc;
    row_lsn = snapshot_offset_.lsn.value_or(0);
    snapshot_offset_.lsn_commit = at.lsn_commit;
    snapshot_offset_.tx_id = at.tx_id;
  }
  blocks_.clear();
  for (unsigned worker = 0; worker < session_->size(); ++worker) {
    auto block = std::make_unique<PgSourceBlock>(settings_->names);
    block->set_time(session_->time_us(worker));
    block->set_transaction(snapshot_offset_.tx_id);
    block->set_commit(snapshot_offset_.lsn_commit);
    block->set_lsn(row_lsn);
    blocks_.push_back(std::move(block));
  }
  return planned_.plan;
}

Result<void> PostgresSource::read_unit(unsigned worker, const SnapshotUnit& unit,
                                       const std::vector<std::string>& resume_after, ChangeSink& sink) {
  if (session_ == nullptr || worker >= session_->size() || unit.table >= planned_.tables.size())
    return fail(ErrorKind::internal, "a unit was asked for that is not part of the snapshot's plan");
  sink.set_source_block(blocks_[worker].get());
  sink.set_position_writer(&snapshot_position_);
  const ShapeOptions options{settings_->modes, settings_->key_decimal_form, settings_->header_decimal_form};
  const UnitReading reading{session_->connection(worker),
                            planned_.tables[unit.table],
                            planned_.plan.tables[unit.table],
                            unit,
                            resume_after,
                            types_,
                            options};
  return pg::read_unit(reading, sink);
}

ChunkReader* PostgresSource::chunks() {
  if (!general_ || !rules_) return nullptr;
  if (chunks_ == nullptr)
    chunks_ = std::make_unique<PgChunkReader>(
        PgChunkReader::Parts{*general_, *settings_, *rules_, facts_, types_, publication_,
                             [this] { return stream_ ? stream_->point() : StreamPoint{}; }, runtime_});
  return chunks_.get();
}

RowReader* PostgresSource::rows() {
  if (!settings_) return nullptr;
  if (rows_ == nullptr)
    rows_ = std::make_unique<PgRowReader>(
        settings_->control.connect, [this] { return stream_ ? stream_->point().xid : 0U; }, runtime_);
  return rows_.get();
}

Checkpoint PostgresSource::snapshot_checkpoint(bool completed) const {
  if (on_demand_)
    return {};  // it moves no position: the stream's stays stored, and it is not repeated (CORE-BLK-03)
  Offset offset = snapshot_offset_;
  offset.snapshot =
      "INITIAL";  // also before the position is known: an unfinished snapshot is not "no offset"
  offset.last_snapshot_record = offset.snapshot_completed = completed;
  Buffer text;
  append_offset(text, offset);
  // What lies before a completed snapshot is in it: the server may let go of it.
  return {std::string(text.view()), completed ? offset.lsn.value_or(0) : 0};
}

Result<void> PostgresSource::end_snapshot() {
  if (session_ == nullptr) return {};
  auto finished = session_->finish();
  session_.reset();
  return finished;
}

Result<void> PostgresSource::close(bool orderly) {
  session_.reset();
  if (stream_ && orderly) stream_->end();
  stream_.reset();
  replication_.reset();
  if (!orderly || !settings_ || !settings_->control.slot.drop_on_stop || !start_.will_stream || !general_)
    return {};
  const SlotSettings& slot = settings_->control.slot;
  if (general_->broken()) {
    CDC_TRY(general_, Connection::connect(settings_->control.connect, ConnectionKind::general, runtime_));
  }
  general_->ignore_stop(true);
  runtime_.log.warn(fmt::format(
      "dropping slot '{}' (slot.drop.on.stop): changes until the next start will be missing", slot.name));
  return drop_slot(*general_, slot.name, runtime_);
}

}  // namespace cdc::pg
