// The checks of spec 1.3 that settings and role attributes answer, as a table of small functions.
#include <fmt/format.h>

#include "source/postgres/control/quote.h"
#include "source/postgres/control/server.h"

namespace cdc::pg {
namespace {

using Status = Check::Status;

Check passed(std::string name, std::string finding) {
  return {Status::ok, std::move(name), std::move(finding), {}};
}

Check version(const ServerFacts& f, const ControlSettings& s) {
  Check check = passed("server version", "PostgreSQL " + f.version_text);
  const int oldest = s.publishes() ? 100000 : 90400;
  if (f.version < oldest) {
    check.status = Status::fail;
    check.finding =
        fmt::format("PostgreSQL {} is too old: {} is the oldest that works", f.version_text, oldest / 10000);
  } else if (s.streams && f.in_recovery && f.version < 160000) {
    check.status = Status::fail;
    check.finding = fmt::format(
        "the server is a standby (in recovery), and PostgreSQL {} decodes changes on the primary only",
        f.version_text);
    check.fix = "set database.hostname to the primary, or use PostgreSQL 16";
    check.passing = true;
  }
  return check;
}

Check wal_level(const ServerFacts& f, const ControlSettings&) {
  if (f.wal_level == "logical") return passed("wal_level", "wal_level is 'logical'");
  return {Status::fail, "wal_level",
          fmt::format("wal_level is '{}', must be 'logical' (restart needed)", f.wal_level),
          "ALTER SYSTEM SET wal_level = logical; then restart the server (Amazon RDS: "
          "rds.logical_replication=1)"};
}

Check replication_role(const ServerFacts& f, const ControlSettings&) {
  if (f.may_replicate) return passed("role", fmt::format("role '{}' may replicate", f.user));
  return {Status::fail, "role", fmt::format("role '{}' lacks REPLICATION", f.user),
          fmt::format("ALTER ROLE {} REPLICATION (Amazon RDS: GRANT rds_replication TO {})",
                      quote_ident(f.user), quote_ident(f.user))};
}

Check wal_senders(const ServerFacts& f, const ControlSettings&) {
  if (f.max_wal_senders > 0)
    return passed("max_wal_senders", fmt::format("max_wal_senders is {}", f.max_wal_senders));
  return {Status::fail, "max_wal_senders", "no free WAL sender: raise max_wal_senders",
          "ALTER SYSTEM SET max_wal_senders = 10; then restart the server"};
}

Check slots(const ServerFacts& f, const ControlSettings&) {
  if (f.max_replication_slots == 0)
    return {Status::fail, "max_replication_slots",
            "max_replication_slots is 0: the server can hold no replication slot",
            "ALTER SYSTEM SET max_replication_slots = 10; then restart the server"};
  return passed("max_replication_slots", fmt::format("{} of {} replication slots are in use",
                                                     f.used_replication_slots, f.max_replication_slots));
}

Check plugin(const ServerFacts& f, const ControlSettings& s) {
  const std::string& name = s.slot.plugin;
  if (s.publishes() || !f.output_plugin_libraries ||
      f.output_plugin_libraries->find(name) != std::string::npos)
    return passed("plugin", "output plugin " + name);
  return {Status::fail, "plugin",
          fmt::format("output plugin {} is not in output_plugin_libraries ('{}')", name,
                      *f.output_plugin_libraries),
          // No quotes around the list: they would make one odd name of it, which shuts out pgoutput too.
          fmt::format("ALTER SYSTEM SET output_plugin_libraries = pgoutput, {}; SELECT pg_reload_conf(); "
                      "or ALTER ROLE {} SET output_plugin_libraries = {}; or use plugin.name=pgoutput",
                      name, quote_ident(f.user), quote_literal(name))};
}

Check status_interval(const ServerFacts& f, const ControlSettings& s) {
  if (f.wal_sender_timeout.count() == 0 || s.status_interval < f.wal_sender_timeout)
    return passed("wal_sender_timeout",
                  fmt::format("wal_sender_timeout is {} ms", f.wal_sender_timeout.count()));
  return {Status::warn, "wal_sender_timeout",
          fmt::format("status.update.interval.ms ({}) is not below wal_sender_timeout ({} ms): the server "
                      "may end the stream",
                      s.status_interval.count(), f.wal_sender_timeout.count()),
          "lower status.update.interval.ms"};
}

Check keep_size(const ServerFacts& f, const ControlSettings&) {
  if (f.max_slot_wal_keep_mb < 0) return passed("max_slot_wal_keep_size", "slots keep WAL without limit");
  return passed("max_slot_wal_keep_size",
                fmt::format("a slot that falls more than {} MB behind is lost (max_slot_wal_keep_size)",
                            f.max_slot_wal_keep_mb));
}

Check feedback(const ServerFacts& f, const ControlSettings&) {
  if (!f.in_recovery || f.hot_standby_feedback)
    return passed("hot_standby_feedback",
                  f.in_recovery ? "hot_standby_feedback is on" : "the server is a primary");
  return {Status::warn, "hot_standby_feedback",
          "the server is a standby with hot_standby_feedback off: the slot may be invalidated",
          "ALTER SYSTEM SET hot_standby_feedback = on; SELECT pg_reload_conf()"};
}

Check drop_on_stop(const ServerFacts&, const ControlSettings& s) {
  if (!s.slot.drop_on_stop) return passed("slot.drop.on.stop", "the slot is kept between runs");
  return {
      Status::warn, "slot.drop.on.stop",
      fmt::format(
          "slot.drop.on.stop=true: slot '{}' is dropped at the end, and changes between two runs are lost",
          s.slot.name),
      "leave slot.drop.on.stop at false, but for tests"};
}

Check encoding(const ServerFacts& f, const ControlSettings& s) {
  // The server converts text for pgoutput only.
  if (!s.publishes() && s.streams && f.encoding != "UTF8" && !f.sql_ascii())
    return {Status::fail, "encoding",
            fmt::format("database {} is encoded as {}: plugin {} sends its text unconverted", f.database,
                        f.encoding, s.slot.plugin),
            "use plugin.name=pgoutput, for which the server converts it"};
  if (!f.sql_ascii()) return passed("encoding", "the database's encoding is " + f.encoding);
  return {Status::warn,
          "encoding",
          fmt::format("database {} is SQL_ASCII: bytes that are no UTF-8 are written as U+FFFD", f.database),
          {}};
}

struct Row {
  Check (*run)(const ServerFacts&, const ControlSettings&);
  bool for_streaming_only;
};
constexpr Row kChecks[] = {
    {version, false}, {wal_level, true},    {replication_role, true}, {wal_senders, true},
    {slots, true},    {plugin, true},       {status_interval, true},  {keep_size, true},
    {feedback, true}, {drop_on_stop, true}, {encoding, false},
};

}  // namespace

std::vector<Check> preflight(const ServerFacts& facts, const ControlSettings& settings) {
  std::vector<Check> out;
  for (const Row& row : kChecks)
    if (settings.streams || !row.for_streaming_only) out.push_back(row.run(facts, settings));
  return out;
}

Result<void> preflight_result(const std::vector<Check>& checks) {
  std::string findings, fixes;
  bool passing = true;
  for (const Check& check : checks) {
    if (check.status != Status::fail) continue;
    passing = passing && check.passing;
    if (!findings.empty()) findings += '\n';
    findings += check.finding;
    if (check.fix.empty()) continue;
    if (!fixes.empty()) fixes += '\n';
    fixes += check.fix;
  }
  if (findings.empty()) return {};
  const ErrorKind kind = passing ? ErrorKind::unreachable : ErrorKind::refused;
  return tl::unexpected(Error{kind, std::move(findings), std::move(fixes), {}, passing});
}

}  // namespace cdc::pg
