// Opening the transactions of a snapshot.
#include "source/postgres/snapshot_session.h"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

constexpr std::string_view kAttempted = "opening the snapshot";
constexpr milliseconds kNoTimeout{0};  // a deferrable transaction may wait long (PG-TRAP-SNAP-02)

std::string isolation_sql(const std::string& mode) {
  if (mode == "repeatable_read") return "ISOLATION LEVEL REPEATABLE READ, READ ONLY";
  if (mode == "read_committed") return "ISOLATION LEVEL READ COMMITTED, READ ONLY";
  if (mode == "read_uncommitted") return "ISOLATION LEVEL READ UNCOMMITTED, READ ONLY";
  return "ISOLATION LEVEL SERIALIZABLE, READ ONLY, DEFERRABLE";
}

// First statement of its transaction, before any query (PG-TRAP-SLOT-01).
std::string import_sql(const std::string& snapshot) {
  return fmt::format("BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT {}",
                     quote_literal(snapshot));
}

// Reasons why the server gives no second slot; the snapshot is then opened without one.
bool no_slot_to_spare(const Error& error) {
  return error.sqlstate == "53400" || error.sqlstate == "53300" || error.sqlstate == "42501" ||
         error.sqlstate == "57014";
}

}  // namespace

Result<std::unique_ptr<SnapshotSession>> SnapshotSession::open(const SourceSettings& settings,
                                                               const ServerFacts& facts, Connection& general,
                                                               const SnapshotView& view, unsigned workers,
                                                               Runtime& runtime) {
  std::unique_ptr<SnapshotSession> session(new SnapshotSession(settings, facts, runtime));
  if (view.created) {
    session->lsn_ = view.created->consistent_point;
    CDC_CHECK(session->import(view.created->snapshot_name));
  } else if (view.must_meet_stream && !facts.in_recovery) {
    CDC_CHECK(session->open_beside_slot(general, view.slot_confirmed));
  } else {
    bool opened = false;
    if (view.must_meet_stream) {
      CDC_TRY(opened, session->open_with_temporary_slot(general));
    }
    if (!opened) CDC_CHECK(session->open_plain(general, view.must_meet_stream));
  }
  if (!session->seen_) session->stream_from_ = session->lsn_;
  if (workers > 1) {
    CDC_TRY(const Rows rows,
            session->connection(0).exec("SELECT pg_catalog.pg_export_snapshot()", kAttempted));
    CDC_CHECK(session->add_workers(workers - 1, rows.string(0, 0)));
  }
  CDC_CHECK(session->read_identity());
  return session;
}

Result<void> SnapshotSession::add_worker(const std::string& begin) {
  CDC_TRY(Connection connection,
          Connection::connect(settings_.control.connect, ConnectionKind::snapshot, runtime_));
  CDC_CHECK(connection.exec(begin, kAttempted, kNoTimeout));
  workers_.push_back({std::move(connection), 0});
  return {};
}

Result<void> SnapshotSession::import(const std::string& snapshot) { return add_worker(import_sql(snapshot)); }

Result<void> SnapshotSession::add_workers(unsigned count, const std::string& snapshot) {
  for (unsigned i = 0; i < count; ++i) CDC_CHECK(import(snapshot));
  return {};
}

// PG-SNAP-04: the slot that we shall stream from is older, so that it brings what the state holds too. By its
// own description of the state (which transactions are in it) the stream passes over that, be it committed
// before or after `lsn_`. And nothing is missed: a transaction that is not in the state and is not running
// commits after `lsn_`; one that is running may have its commit in the log already (it waits for a
// synchronous standby, say), so that the stream then starts where the slot stands.
Result<void> SnapshotSession::open_beside_slot(Connection& general, Lsn confirmed) {
  CDC_TRY(lsn_, current_lsn(general, facts_));
  CDC_CHECK(add_worker("BEGIN ISOLATION LEVEL REPEATABLE READ"));
  CDC_TRY(const Rows rows, connection(0).exec(fmt::format("SELECT pg_catalog.{}()::pg_catalog.text, "
                                                          "pg_catalog.pg_current_wal_insert_lsn()",
                                                          facts_.version >= 130000 ? "pg_current_snapshot"
                                                                                   : "txid_current_snapshot"),
                                              kAttempted));
  auto seen = SeenTransactions::parse(rows.text(0, 0), rows.lsn(0, 1).value_or(0));
  if (!seen)
    return fail(ErrorKind::corrupt, fmt::format("{}: the server describes it as '{}', which makes no sense",
                                                kAttempted, rows.text(0, 0)));
  stream_from_ = seen->none_was_running() ? lsn_ : std::min(lsn_, confirmed);
  seen_ = std::make_shared<const SeenTransactions>(std::move(*seen));
  return {};
}

// PG-SNAP-04 (a), on a standby, whose description of a state does not name the running transactions: a
// temporary slot tells a position and a state that belong together.
Result<bool> SnapshotSession::open_with_temporary_slot(Connection& general) {
  auto replication = Connection::connect(settings_.control.connect, ConnectionKind::replication, runtime_);
  if (!replication) {
    if (no_slot_to_spare(replication.error())) return false;
    return tl::unexpected(std::move(replication).error());
  }
  const std::string name = fmt::format("cdc_snapshot_{}_{}", replication->backend_pid(), getpid());
  const auto slot =
      create_slot(*replication, general, facts_, settings_.control.slot, name, SlotLife::temporary, runtime_);
  if (!slot) {
    if (!no_slot_to_spare(slot.error())) return tl::unexpected(slot.error());
    runtime_.log.info(fmt::format("no temporary slot for the snapshot ({}); it is opened without one",
                                  slot.error().message));
    return false;
  }
  lsn_ = slot->consistent_point;
  CDC_CHECK(import(slot->snapshot_name));
  return true;  // the slot goes with its connection
}

// The position first, then the state: what commits between the two is in both. What committed before the
// position but was not visible yet would be in neither: for that the transactions then running are awaited.
Result<void> SnapshotSession::open_plain(Connection& general, bool wait) {
  CDC_TRY(lsn_, current_lsn(general, facts_));
  if (wait) CDC_CHECK(wait_for_running(general));
  return add_worker("BEGIN; SET TRANSACTION " + isolation_sql(settings_.isolation));
}

Result<void> SnapshotSession::wait_for_running(Connection& general) {
  const char* sql = facts_.version >= 130000
                        ? "SELECT pg_catalog.pg_snapshot_xmin(s), pg_catalog.pg_snapshot_xmax(s) FROM "
                          "pg_catalog.pg_current_snapshot() s"
                        : "SELECT pg_catalog.txid_snapshot_xmin(s), pg_catalog.txid_snapshot_xmax(s) FROM "
                          "pg_catalog.txid_current_snapshot() s";
  CDC_TRY(const Rows first, general.exec(sql, kAttempted));
  const std::int64_t next = first.integer(0, 1);
  for (bool told = false;; told = true) {
    CDC_TRY(const Rows now, general.exec(sql, kAttempted));
    if (now.integer(0, 0) >= next) return {};
    if (!told) runtime_.log.info("waiting for running transactions to end before the snapshot is taken");
    if (runtime_.stop.wait_for(milliseconds(100)))
      return fail(ErrorKind::cancelled, "stopped while opening the snapshot");
  }
}

Result<void> SnapshotSession::read_identity() {
  for (Worker& worker : workers_) {
    CDC_TRY(const Rows rows,
            worker.connection.exec(
                "SELECT (pg_catalog.date_part('epoch', current_timestamp) * 1000000)::pg_catalog.int8",
                kAttempted));
    worker.time_us = rows.integer(0, 0);
  }
  if (facts_.in_recovery) return {};
  const char* sql = facts_.version >= 130000 ? "SELECT pg_catalog.pg_current_xact_id()::pg_catalog.text"
                                             : "SELECT pg_catalog.txid_current()::pg_catalog.text";
  CDC_TRY(const Rows rows, connection(0).exec(sql, kAttempted));
  xid_ = static_cast<std::uint64_t>(rows.integer(0, 0));
  return {};
}

Result<void> SnapshotSession::lock(std::span<const TableId> tables, milliseconds timeout) {
  if (tables.empty()) return {};
  CDC_CHECK(connection(0).exec(fmt::format("SET LOCAL lock_timeout = {}", timeout.count()), kAttempted));
  for (const TableId& table : tables) {
    auto locked = connection(0).exec(fmt::format("LOCK TABLE {} IN ACCESS SHARE MODE", quote_table(table)),
                                     fmt::format("locking table {} for the snapshot", dotted(table)));
    if (locked) continue;
    Error error = std::move(locked).error();
    if (error.sqlstate == "55P03")
      error.hint = "Raise snapshot.lock.timeout.ms, or wait for the other session's DDL to end";
    return tl::unexpected(std::move(error));
  }
  return connection(0).exec("SET LOCAL lock_timeout = 0", kAttempted).map([](const Rows&) {});
}

Result<void> SnapshotSession::finish() {
  for (Worker& worker : workers_)
    if (!worker.connection.broken()) CDC_CHECK(worker.connection.exec("COMMIT", "ending the snapshot"));
  return {};
}

}  // namespace cdc::pg
