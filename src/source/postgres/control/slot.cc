// Queries and commands for the slot.
#include "source/postgres/control/slot.h"

#include <fmt/format.h>

#include <thread>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

constexpr int kUnconfirmedTries = 900;
constexpr milliseconds kUnconfirmedPause{2'000};
constexpr milliseconds kPatience{1'000};  // then it is told for whom a new slot waits
constexpr int kDropTries = 3;
constexpr milliseconds kDropPause{1'000};

std::string slot_sql(int version, const std::string& name) {
  return fmt::format(
      "SELECT s.slot_name, s.plugin, s.database, s.temporary, s.active, s.active_pid, a.application_name, "
      "pg_catalog.host(a.client_addr), s.restart_lsn, s.confirmed_flush_lsn, s.catalog_xmin, {}, {}, {}, {} "
      "FROM pg_catalog.pg_replication_slots s LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = "
      "s.active_pid WHERE s.slot_name = {}",
      version >= 130000 ? "s.wal_status, s.safe_wal_size" : "NULL, NULL",
      version >= 160000 ? "COALESCE(s.conflicting, false)" : "false",
      version >= 170000 ? "s.invalidation_reason" : "NULL",
      version >= 170000 ? "s.failover, s.synced" : "false, false", quote_literal(name));
}

SlotState slot_state(const Rows& rows, std::size_t r) {
  SlotState s;
  std::size_t c = 0;
  s.name = rows.string(r, c++);
  s.plugin = rows.string(r, c++);
  s.database = rows.string(r, c++);
  s.temporary = rows.flag(r, c++);
  s.active = rows.flag(r, c++);
  s.active_pid = static_cast<int>(rows.integer(r, c++));
  s.active_application = rows.string(r, c++);
  s.active_address = rows.string(r, c++);
  s.restart_lsn = rows.lsn(r, c++);
  s.confirmed_flush_lsn = rows.lsn(r, c++);
  if (!rows.is_null(r, c)) s.catalog_xmin = rows.oid(r, c);
  ++c;
  s.wal_status = rows.string(r, c++);
  if (!rows.is_null(r, c)) s.safe_wal_size = rows.integer(r, c);
  ++c;
  s.conflicting = rows.flag(r, c++);
  s.invalidation_reason = rows.string(r, c++);
  s.failover = rows.flag(r, c++);
  s.synced = rows.flag(r, c++);
  return s;
}

// Reason of an invalidation, and the setting to look at.
struct Invalidation {
  std::string_view reason, what, setting;
};
constexpr Invalidation kInvalidations[] = {
    {"wal_removed", "its WAL was removed", "raise max_slot_wal_keep_size"},
    {"rows_removed", "catalog rows that it needs were removed",
     "set hot_standby_feedback = on on the standby"},
    {"wal_level_insufficient", "wal_level of the primary was lowered",
     "set wal_level = logical on the primary"},
    {"idle_timeout", "it was idle for too long", "raise idle_replication_slot_timeout"},
    {"conflict", "it conflicted with recovery on the standby",
     "set hot_standby_feedback = on and keep wal_level = logical on the primary"},
};

const Invalidation* invalidation(const SlotState& slot, bool in_recovery) {
  std::string_view reason = slot.invalidation_reason;
  // 16 calls every invalidated slot conflicting, also one on a primary.
  if (reason.empty() && slot.conflicting && in_recovery) reason = "conflict";
  if (reason.empty() && (slot.wal_status == "lost" || slot.conflicting)) reason = "wal_removed";
  if (reason.empty()) return nullptr;
  for (const auto& row : kInvalidations)
    if (row.reason == reason) return &row;
  static constexpr Invalidation other{"", "the server invalidated it",
                                      "look into the server's log for the reason"};
  return &other;
}

// The transactions that session `pid` waits for. A prepared one has no session that could be seen.
std::string holders_sql(int pid) {
  return fmt::format(
      "SELECT CASE WHEN p.gid IS NOT NULL THEN 'prepared transaction ' || pg_catalog.quote_literal(p.gid) || "
      "' of ' || p.prepared ELSE 'the transaction of PID ' || h.pid || COALESCE(' (' || a.usename || "
      "COALESCE(', ' || NULLIF(a.application_name, ''), '') || ')', '') || COALESCE(' since ' || "
      "a.xact_start, '') END "
      "FROM pg_catalog.pg_locks w JOIN pg_catalog.pg_locks h ON h.locktype = w.locktype AND h.transactionid "
      "= "
      "w.transactionid AND h.granted LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = h.pid "
      "LEFT JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = w.transactionid "
      "WHERE w.pid = {} AND w.locktype = 'transactionid' AND NOT w.granted",
      pid);
}

// Told once an attempt, on the connection that does not wait. What cannot be found out is only not said.
void tell_holders(Connection& replication, Connection& general, const ServerFacts& facts,
                  const std::string& attempted, Runtime& runtime) {
  const auto rows = general.exec(holders_sql(replication.backend_pid()), "looking for what holds up a slot");
  std::string who;
  for (std::size_t r = 0; rows && r < rows->size(); ++r)
    who += fmt::format("{}{}", who.empty() ? "" : ", ", rows->string(r, 0));
  if (who.empty()) who = "running transactions";
  runtime.log.warn(fmt::format("{} waits for {} to end{}", attempted, who,
                               facts.in_recovery ? "; pg_log_standby_snapshot() on the primary helps" : ""));
}

bool timed_out(const Error& error) { return error.sqlstate == "57014" || error.sqlstate == "55P03"; }

}  // namespace

Result<std::optional<SlotState>> read_slot(Connection& connection, const std::string& name) {
  CDC_TRY(const Rows rows, connection.exec(slot_sql(connection.server_version(), name),
                                           fmt::format("reading the state of slot '{}'", name)));
  if (rows.empty()) return std::nullopt;
  return slot_state(rows, 0);
}

std::optional<Error> slot_problem(const SlotState& slot, const SlotSettings& settings,
                                  const ServerFacts& facts) {
  const auto refused = [](std::string message, std::string hint) {
    return Error{ErrorKind::refused, std::move(message), std::move(hint), {}, false};
  };
  if (slot.plugin.empty())
    return refused(fmt::format("slot '{}' is a physical slot", slot.name),
                   "choose another slot.name, or drop the slot");
  if (slot.database != facts.database)
    return refused(fmt::format("slot '{}' belongs to database '{}', not to '{}'", slot.name, slot.database,
                               facts.database),
                   "choose another slot.name: a slot belongs to one database");
  if (slot.plugin != settings.plugin)
    return refused(
        fmt::format("slot '{}' was made for plugin {}, not for {}", slot.name, slot.plugin, settings.plugin),
        fmt::format("set plugin.name={}, or choose another slot.name", slot.plugin));
  if (slot.temporary)
    return refused(
        fmt::format("slot '{}' is a temporary slot of another session (pid {})", slot.name, slot.active_pid),
        "choose another slot.name");
  if (const Invalidation* lost = invalidation(slot, facts.in_recovery)) {
    return Error{
        ErrorKind::position_lost,
        fmt::format("slot '{}' was invalidated: {}; the changes since its last position are lost to it",
                    slot.name, lost->what),
        fmt::format("{}; drop the slot and take a new snapshot (snapshot.mode=when_needed does both)",
                    lost->setting),
        {},
        false};
  }
  return std::nullopt;
}

Error slot_active_error(const SlotState& slot) {
  std::string who = slot.active_application;
  if (!slot.active_address.empty())
    who += fmt::format("{}from {}", who.empty() ? "" : " ", slot.active_address);
  if (!who.empty()) who = " (" + who + ")";
  return Error{ErrorKind::refused,
               fmt::format("slot '{}' is used by PID {}{}: every instance needs its own slot.name", slot.name,
                           slot.active_pid, who),
               fmt::format("set a distinct replication slot name, stop the other instance, or end its "
                           "session: SELECT pg_terminate_backend({})",
                           slot.active_pid),
               "55006", false};
}

Result<std::optional<SlotState>> await_slot(Connection& general, const SlotSettings& settings,
                                            const ServerFacts& facts, Runtime& runtime) {
  for (int attempt = 0; attempt < kUnconfirmedTries; ++attempt) {
    CDC_TRY(auto slot, read_slot(general, settings.name));
    if (!slot || slot->confirmed_flush_lsn || slot_problem(*slot, settings, facts)) return slot;
    if (slot->restart_lsn) {
      CDC_TRY(
          const Rows idle,
          general.exec("SELECT 1 FROM pg_catalog.pg_stat_activity WHERE state LIKE 'idle in transaction%' "
                       "AND pid <> pg_catalog.pg_backend_pid() LIMIT 1",
                       "looking for sessions idle in transaction"));
      if (idle.empty()) {
        slot->confirmed_flush_lsn = slot->restart_lsn;
        return slot;
      }
    }
    if (attempt == 0)
      runtime.log.info(
          fmt::format("slot '{}' has no position yet: waiting for running transactions", settings.name));
    if (runtime.stop.wait_for(kUnconfirmedPause))
      return fail(ErrorKind::cancelled, "stopped while waiting for the slot");
  }
  return fail(
      ErrorKind::refused,
      fmt::format(
          "Unable to obtain valid replication slot. Make sure there are no long-running transactions running "
          "in "
          "parallel as they may hinder the allocation of the replication slot when starting (slot '{}')",
          settings.name),
      "look for long transactions in pg_stat_activity");
}

std::string create_slot_sql(int server_version, bool in_recovery, const SlotSettings& settings,
                            const std::string& name, SlotLife life) {
  const bool failover =
      settings.failover && life == SlotLife::permanent && server_version >= 170000 && !in_recovery;
  return fmt::format("CREATE_REPLICATION_SLOT {}{} LOGICAL {}{}", quote_ident(name),
                     life == SlotLife::temporary ? " TEMPORARY" : "", quote_ident(settings.plugin),
                     failover ? " (FAILOVER)" : "");
}

Result<CreatedSlot> create_slot(Connection& replication, Connection& general, const ServerFacts& facts,
                                const SlotSettings& settings, const std::string& name, SlotLife life,
                                Runtime& runtime) {
  const std::string sql = create_slot_sql(facts.version, facts.in_recovery, settings, name, life);
  const std::string attempted = fmt::format("creating slot '{}'", name);
  for (int attempt = 0;; ++attempt) {
    replication.when_slow(kPatience, [&] { tell_holders(replication, general, facts, attempted, runtime); });
    auto rows = replication.exec(sql, attempted, settings.create_timeout);
    replication.when_slow({}, {});
    if (rows) {
      CreatedSlot slot{rows->string(0, 0), rows->lsn(0, 1).value_or(0), rows->string(0, 2)};
      if (slot.consistent_point == 0)
        return fail(ErrorKind::corrupt, fmt::format("{}: the server gave no consistent point", attempted));
      return slot;
    }
    Error error = std::move(rows).error();
    if (error.sqlstate == "42710") {
      error.message = fmt::format(
          "slot '{}' exists already (of another database or plugin, or just made by somebody else)", name);
      error.hint = "choose another slot.name";
    }
    if (!timed_out(error) || replication.broken()) return tl::unexpected(std::move(error));
    if (attempt >= settings.max_retries) {
      return tl::unexpected(Error{
          ErrorKind::refused,
          fmt::format(
              "Creation of replication slot failed; query to create replication slot timed out, please "
              "make sure that there are no long running queries on the database (slot '{}')",
              name),
          facts.in_recovery ? "run SELECT pg_log_standby_snapshot() on the primary"
                            : "look for long transactions in pg_stat_activity, and in pg_prepared_xacts",
          std::move(error.sqlstate), false});
    }
    runtime.log.warn(
        fmt::format("{} waits for running transactions: trying again in {} ms ({} of {}){}", attempted,
                    settings.retry_delay.count(), attempt + 1, settings.max_retries,
                    facts.in_recovery ? "; pg_log_standby_snapshot() on the primary helps" : ""));
    if (runtime.stop.wait_for(settings.retry_delay))
      return fail(ErrorKind::cancelled, "stopped while " + attempted);
  }
}

Result<void> drop_slot(Connection& general, const std::string& name, Runtime& runtime) {
  const std::string sql = fmt::format("SELECT pg_catalog.pg_drop_replication_slot({})", quote_literal(name));
  for (int attempt = 1;; ++attempt) {
    auto dropped = general.exec(sql, fmt::format("dropping slot '{}'", name));
    if (dropped || dropped.error().sqlstate == "42704") return {};
    if (dropped.error().sqlstate != "55006" || attempt >= kDropTries)
      return tl::unexpected(std::move(dropped).error());
    runtime.log.debug(fmt::format("slot '{}' is still active: trying again to drop it", name));
    std::this_thread::sleep_for(kDropPause);  // at the end of a run stop was already asked for
  }
}

Result<Lsn> advance_slot(Connection& general, const std::string& name, Lsn to) {
  CDC_TRY(const Rows rows,
          general.exec(fmt::format("SELECT end_lsn FROM pg_catalog.pg_replication_slot_advance({}, {})",
                                   quote_literal(name), quote_literal(format_lsn(to))),
                       fmt::format("advancing slot '{}' to {}", name, format_lsn(to))));
  return rows.lsn(0, 0).value_or(to);
}

}  // namespace cdc::pg
