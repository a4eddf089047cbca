// What kind of server this is and what our role may do there, read once after connecting, and the
// checks of settings and privileges that a configuration needs (spec 1.3). Tables are catalog.h's.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdc/error.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/lsn.h"
#include "source/postgres/control/settings.h"

namespace cdc::pg {

// How this server prints money, which depends on lc_monetary: the texts of 1234.5 and -1234.5, from which
// MoneyFormat::learn (values/money.h) finds the format.
struct MoneyProbe {
  std::string lc_monetary;
  std::string positive, negative;
};

struct ServerFacts {
  int version = 0;           // 150020
  std::string version_text;  // "15.20 (Debian ...)"
  std::string database, user;
  std::string encoding;      // server_encoding
  bool in_recovery = false;  // a standby
  std::string wal_level;
  std::uint64_t system_identifier = 0;              // 0: may not be read
  std::uint32_t timeline = 0;                       // 0: not known
  Lsn current_lsn = 0;                              // at the time of reading; see current_lsn()
  std::int64_t max_slot_wal_keep_mb = -1;           // -1: unlimited, or older than 13
  std::chrono::milliseconds wal_sender_timeout{0};  // 0: off
  int max_replication_slots = 0, used_replication_slots = 0;
  int max_wal_senders = 0;
  bool hot_standby_feedback = false;
  std::string synchronous_commit;
  bool superuser = false;            // rolsuper, or one of the managed services' equivalents for slots
  bool may_replicate = false;        // rolreplication, superuser or membership in an RDS role
  bool may_create = false;           // CREATE on the database
  bool row_security_bypass = false;  // rolbypassrls or superuser
  std::optional<std::string> output_plugin_libraries;  // unset: the server has no such setting
  MoneyProbe money;

  // What to store with a position. A standby may be promoted under a running stream, so that nobody knows
  // on which side of the switch a position lies: none.
  std::optional<std::uint64_t> lasting_timeline() const {
    return in_recovery || timeline == 0 ? std::nullopt : std::optional<std::uint64_t>(timeline);
  }
  bool sql_ascii() const { return encoding == "SQL_ASCII"; }
  std::string system_id_text() const {
    return system_identifier == 0 ? std::string() : std::to_string(system_identifier);
  }
};

Result<ServerFacts> read_server_facts(Connection& general);

// The position to begin a snapshot or stream "now" at (PG-SNAP-05): pg_current_wal_lsn(), on a standby
// what was received, else replayed.
Result<Lsn> current_lsn(Connection& general, const ServerFacts& facts);

struct SystemIdentity {
  std::uint64_t system_identifier = 0;
  std::uint32_t timeline = 0;
  Lsn flushed = 0;
};
// IDENTIFY_SYSTEM. Must not be sent between making a slot and importing its snapshot (PG-SLOT-05).
Result<SystemIdentity> identify_system(Connection& replication);

// Where `timeline` ended for a server that is on timeline `now`: what it and `timeline` have in common lies
// before. 0: nothing, it does not stem from it. nullopt: the server has no record of it any more.
Result<std::optional<Lsn>> shared_history(Connection& replication, std::uint32_t timeline, std::uint32_t now);
// Of the text of a history file; pure.
Lsn history_end(std::string_view history, std::uint32_t timeline);

// One line of `cdc check`.
struct Check {
  enum class Status : std::uint8_t { ok, warn, fail };
  Status status = Status::ok;
  std::string name;      // "wal_level"
  std::string finding;   // "wal_level is 'replica', must be 'logical' (restart needed)"
  std::string fix;       // the SQL or setting; empty: none needed
  bool passing = false;  // a failure that may be over soon: a standby that is about to be promoted
};

// Settings and role attributes only (no table is looked at). `settings` says what is needed: a run that
// does not stream needs no replication right and no slot (PG-SLOT-06).
std::vector<Check> preflight(const ServerFacts& facts, const ControlSettings& settings);
// All `fail` lines as one Error, one finding a line: refused, or unreachable and to be tried again when all
// are passing.
Result<void> preflight_result(const std::vector<Check>& checks);

}  // namespace cdc::pg
