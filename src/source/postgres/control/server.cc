// Asks the server what it is, in two queries.
#include "source/postgres/control/server.h"

#include <fmt/format.h>

namespace cdc::pg {
namespace {

// pg_settings shows base units (ms, MB), and leaves out what this version does not have or our role may not
// see; current_setting would fail there.
constexpr std::string_view kFacts = R"(
SELECT pg_catalog.current_setting('server_version'),
       pg_catalog.current_database(),
       current_user,
       pg_catalog.pg_encoding_to_char(d.encoding),
       pg_catalog.pg_is_in_recovery(),
       pg_catalog.current_setting('wal_level'),
       (SELECT s.system_identifier FROM pg_catalog.pg_control_system() s),
       CASE WHEN pg_catalog.pg_is_in_recovery()
            THEN COALESCE(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())
            ELSE pg_catalog.pg_current_wal_lsn() END,
       s.keep,
       s.timeout,
       pg_catalog.current_setting('max_replication_slots'),
       (SELECT pg_catalog.count(*) FROM pg_catalog.pg_replication_slots),
       pg_catalog.current_setting('max_wal_senders'),
       pg_catalog.current_setting('hot_standby_feedback'),
       pg_catalog.current_setting('synchronous_commit'),
       r.rolsuper,
       r.rolreplication,
       EXISTS (SELECT 1 FROM pg_catalog.pg_roles g
               WHERE g.rolname IN ('rds_superuser', 'rdsadmin', 'rdsrepladmin', 'rds_replication')
                 AND pg_catalog.pg_has_role(r.oid, g.oid, 'MEMBER')),
       pg_catalog.has_database_privilege(d.oid, 'CREATE'),
       r.rolbypassrls,
       s.plugins,
       pg_catalog.current_setting('lc_monetary'),
       1234.5::pg_catalog.numeric::pg_catalog.money::pg_catalog.text,
       (-1234.5)::pg_catalog.numeric::pg_catalog.money::pg_catalog.text
FROM pg_catalog.pg_database d, pg_catalog.pg_roles r,
     (SELECT pg_catalog.max(setting) FILTER (WHERE name = 'max_slot_wal_keep_size') AS keep,
             pg_catalog.max(setting) FILTER (WHERE name = 'wal_sender_timeout') AS timeout,
             pg_catalog.max(setting) FILTER (WHERE name = 'output_plugin_libraries') AS plugins
      FROM pg_catalog.pg_settings) AS s
WHERE d.datname = pg_catalog.current_database() AND r.rolname = current_user)";

// The timeline of a primary is the beginning of its current WAL file's name; a standby's is in its control
// file.
constexpr std::string_view kTimeline = R"(
SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL
            ELSE pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()) END,
       (SELECT c.timeline_id FROM pg_catalog.pg_control_checkpoint() c))";

constexpr std::string_view kNoSuchFile = "58P01";

std::uint64_t unsigned_of(std::string_view text) {
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

std::uint32_t timeline_of(const Rows& rows) {
  if (const auto file = rows.get(0, 0); file && file->size() >= 8) {
    std::uint32_t value = 0;
    for (const char c : file->substr(0, 8))
      value = value * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'A' + 10);
    return value;
  }
  return rows.oid(0, 1);
}

}  // namespace

Result<ServerFacts> read_server_facts(Connection& general) {
  // Older ones do not know the names that are asked for below.
  if (const int version = general.server_version(); version < 100000)
    return fail(ErrorKind::refused,
                fmt::format("PostgreSQL {}.{} is too old: 10 is the oldest that works", version / 10000,
                            version / 100 % 100),
                "Upgrade the server");
  CDC_TRY(const Rows rows, general.exec(kFacts, "reading the server's settings"));
  if (rows.empty()) return fail(ErrorKind::internal, "the server has no row for its own database");
  ServerFacts facts;
  facts.version = general.server_version();
  std::size_t c = 0;
  facts.version_text = rows.string(0, c++);
  facts.database = rows.string(0, c++);
  facts.user = rows.string(0, c++);
  facts.encoding = rows.string(0, c++);
  facts.in_recovery = rows.flag(0, c++);
  facts.wal_level = rows.string(0, c++);
  facts.system_identifier = unsigned_of(rows.text(0, c++));
  facts.current_lsn = rows.lsn(0, c++).value_or(0);
  const auto keep = rows.get(0, c++);
  facts.max_slot_wal_keep_mb = keep ? rows.integer(0, c - 1) : -1;
  facts.wal_sender_timeout = milliseconds(rows.integer(0, c++));
  facts.max_replication_slots = static_cast<int>(rows.integer(0, c++));
  facts.used_replication_slots = static_cast<int>(rows.integer(0, c++));
  facts.max_wal_senders = static_cast<int>(rows.integer(0, c++));
  facts.hot_standby_feedback = rows.text(0, c++) == "on";
  facts.synchronous_commit = rows.string(0, c++);
  facts.superuser = rows.flag(0, c++);
  const bool replication = rows.flag(0, c++);
  const bool managed = rows.flag(0, c++);
  facts.may_replicate = facts.superuser || replication || managed;
  facts.may_create = rows.flag(0, c++);
  facts.row_security_bypass = rows.flag(0, c++) || facts.superuser;
  if (const auto plugins = rows.get(0, c++)) facts.output_plugin_libraries = std::string(*plugins);
  facts.money.lc_monetary = rows.string(0, c++);
  facts.money.positive = rows.string(0, c++);
  facts.money.negative = rows.string(0, c++);
  CDC_TRY(const Rows timeline, general.exec(kTimeline, "reading the server's timeline"));
  facts.timeline = timeline_of(timeline);
  return facts;
}

Result<Lsn> current_lsn(Connection& general, const ServerFacts& facts) {
  const std::string_view sql =
      facts.in_recovery
          ? "SELECT COALESCE(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())"
          : "SELECT pg_catalog.pg_current_wal_lsn()";
  CDC_TRY(const Rows rows, general.exec(sql, "reading the current WAL position"));
  const auto lsn = rows.lsn(0, 0);
  if (!lsn)
    return fail(ErrorKind::unreachable, "the server has no WAL position yet",
                "the standby has received nothing: wait");
  return *lsn;
}

Result<SystemIdentity> identify_system(Connection& replication) {
  CDC_TRY(const Rows rows, replication.exec("IDENTIFY_SYSTEM", "asking the server for its identity"));
  if (rows.empty() || rows.columns() < 3)
    return fail(ErrorKind::corrupt, "the server's answer to IDENTIFY_SYSTEM has another form than expected");
  return SystemIdentity{unsigned_of(rows.text(0, 0)), rows.oid(0, 1), rows.lsn(0, 2).value_or(0)};
}

Lsn history_end(std::string_view history, std::uint32_t timeline) {
  while (!history.empty()) {
    const std::size_t end = std::min(history.find('\n'), history.size());
    const std::string_view line = history.substr(0, end);
    history.remove_prefix(std::min(end + 1, history.size()));
    const std::size_t tab = line.find_first_of(" \t");  // "1<tab>0/3000158<tab>no recovery target specified"
    if (tab == std::string_view::npos || unsigned_of(line.substr(0, tab)) != timeline) continue;
    const std::size_t begin = std::min(line.find_first_not_of(" \t", tab), line.size());
    const std::size_t stop = std::min(line.find_first_of(" \t", begin), line.size());
    return parse_lsn(line.substr(begin, stop - begin)).value_or(0);
  }
  return 0;
}

Result<std::optional<Lsn>> shared_history(Connection& replication, std::uint32_t timeline,
                                          std::uint32_t now) {
  if (timeline > now) return Lsn{0};  // timelines only grow: the server never was on that one
  auto rows = replication.exec(fmt::format("TIMELINE_HISTORY {}", now), "reading the server's timelines");
  if (!rows && rows.error().sqlstate == kNoSuchFile) return std::nullopt;
  if (!rows) return tl::unexpected(std::move(rows).error());
  return history_end(rows->text(0, 1), timeline);
}

}  // namespace cdc::pg
