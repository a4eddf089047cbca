// The table of failures, and its one reader.
#include "source/postgres/control/errors.h"

#include <fmt/format.h>

#include <array>
#include <cctype>

namespace cdc::pg {
namespace {

struct Row {
  std::string_view state;  // SQLSTATE or its beginning; "" = libpq's own failure, "*" = any
  std::string_view word;  // must stand in the message: only words that no translation touches, or libpq's own
  ErrorKind kind;
  bool retriable;
  std::string_view text;  // {user} {host} {db} {object}; empty: the server's message says it
  std::string_view hint;
};

// More special rows first. Class rows ("28") end each group.
constexpr std::array kConnectRows{
    Row{"28P01", "", ErrorKind::refused, false, "{host} does not accept the password of user '{user}'",
        "check database.user and database.password (or the password file)"},
    Row{"28000", "pg_hba.conf", ErrorKind::refused, false,
        "pg_hba.conf on {host} has no {what}entry for {where}/{user}",
        "add a line such as `host {hba} {user} ADDRESS scram-sha-256` to pg_hba.conf and reload the server"},
    Row{"28000", "client certificate", ErrorKind::refused, false, "{host} does not let user '{user}' in",
        "set database.sslcert and database.sslkey"},
    Row{"28000", "certificate", ErrorKind::refused, false, "{host} does not let user '{user}' in",
        "check that database.sslcert is a certificate of this user: its common name must be the role's"},
    Row{"28000", "", ErrorKind::refused, false, "{host} does not let user '{user}' in",
        "check that the role exists and has LOGIN"},
    Row{"28", "", ErrorKind::refused, false, "{host} does not let user '{user}' in",
        "check database.user and how the server authenticates it"},
    Row{"3D000", "", ErrorKind::refused, false, "there is no database '{db}' on {host}",
        "check database.dbname"},
    Row{"42501", "", ErrorKind::refused, false, "{what_refused}", "{what_fix}"},
    Row{"53300", "max_wal_senders", ErrorKind::unreachable, true,
        "no free WAL sender on {host}: raise max_wal_senders",
        "raise max_wal_senders (restart needed), or end a replication connection that is no longer wanted"},
    Row{"53300", "", ErrorKind::unreachable, true, "{host} has no free connection",
        "raise max_connections, or close other sessions"},
    Row{"57P03", "", ErrorKind::unreachable, true, "{host} does not accept connections at the moment",
        "it is starting, stopping or recovering: wait"},
    Row{"08P01", "startup parameter", ErrorKind::refused, false,
        "{host} refuses our startup parameters: it seems to be a pooler",
        "connect to the server itself: poolers such as PgBouncer do not carry replication"},
    Row{"0A000", "", ErrorKind::refused, false, "", ""},
    Row{"08", "", ErrorKind::unreachable, true, "", ""},
    Row{"57P", "", ErrorKind::unreachable, true, "", ""},
    Row{"53", "", ErrorKind::unreachable, true, "", ""},
    Row{"", "startup parameter", ErrorKind::refused, false,
        "{host} refuses our startup parameters: it seems to be a pooler",
        "connect to the server itself: poolers such as PgBouncer do not carry replication"},
    Row{"", "does not exist, but", ErrorKind::refused, false, "", "check database.sslrootcert"},
    Row{"", "key values mismatch", ErrorKind::refused, false, "",
        "database.sslkey is not the key of database.sslcert"},
    Row{"", "bad decrypt", ErrorKind::refused, false, "",
        "database.sslpassword is not the password of this key"},
    Row{"", "private key", ErrorKind::refused, false, "",
        "database.sslkey must be a PEM file with mode 0600; convert keys made for Java: openssl pkcs8 "
        "-inform DER -in KEY -out KEY.pem"},
    Row{"", "alert", ErrorKind::refused, false, "{host} broke the TLS handshake off",
        "check database.sslcert and database.sslkey, and ssl_ca_file on the server"},
    Row{"", "certificate", ErrorKind::refused, false,
        "the TLS certificate of {host} or our own was not accepted",
        "check database.sslrootcert (and driver.sslcrl), database.sslcert and that the host name is the one "
        "in the certificate "
        "(database.sslmode=verify-full asks for it)"},
    Row{"", "does not support SSL", ErrorKind::refused, false, "{host} does not offer TLS",
        "use database.sslmode=prefer or disable, or switch ssl on in the server"},
    Row{"", "sslmode", ErrorKind::refused, false, "", "check database.sslmode and the database.ssl* files"},
    Row{"", "SSL error", ErrorKind::refused, false, "the TLS handshake with {host} failed",
        "check database.sslmode and the database.ssl* files"},
    Row{"", "could not read root certificate", ErrorKind::refused, false, "", "check database.sslrootcert"},
    Row{"", "no password supplied", ErrorKind::refused, false, "{host} asks for a password for user '{user}'",
        "set database.password, database.password.command or a line in ~/.pgpass"},
    Row{"", "definition of service", ErrorKind::refused, false, "",
        "check the service name and PGSERVICEFILE"},
    Row{"", "service file", ErrorKind::refused, false, "", "check the service name and PGSERVICEFILE"},
    Row{"", "session is ", ErrorKind::unreachable, true,
        "no host of {host} is what target_session_attrs asks for",
        "wait for the fail-over, or change driver.targetServerType"},
    Row{"", "server is ", ErrorKind::unreachable, true,
        "no host of {host} is what target_session_attrs asks for",
        "wait for the fail-over, or change driver.targetServerType"},
    Row{"", "received invalid response", ErrorKind::refused, false,
        "what listens at {host} is no PostgreSQL server", "check database.hostname and database.port"},
    Row{"", "invalid ", ErrorKind::usage, false, "", ""},
    Row{"", "could not translate host name", ErrorKind::unreachable, true,
        "the host name of {host} is not known", "check database.hostname"},
    Row{"", "", ErrorKind::unreachable, true, "cannot reach PostgreSQL at {host}",
        "check database.hostname and database.port, and that the server runs"},
    Row{"*", "", ErrorKind::refused, false, "{host} refuses the connection", ""},
};

constexpr std::string_view kForeignSnapshot =
    "the connections reach different servers (use the address of one, not one that spreads connections over "
    "several), or the session that exported the snapshot has ended";

constexpr std::array kServerRows{
    Row{"55000", "wal_level", ErrorKind::refused, false, "wal_level is too low for logical decoding",
        "set wal_level = logical in postgresql.conf and restart the server"},
    Row{"55000", "(Read Only)", ErrorKind::unreachable, true, "the server is read-only at the moment",
        "a fail-over may be under way: wait"},
    Row{"55000", "wal_removed", ErrorKind::position_lost, false, "",
        "the slot was invalidated: drop it and take a new snapshot, and raise max_slot_wal_keep_size"},
    Row{"55000", "max_slot_wal_keep_size", ErrorKind::position_lost, false, "",
        "the slot was invalidated: drop it and take a new snapshot, and raise max_slot_wal_keep_size"},
    Row{"55000", "idle_replication_slot_timeout", ErrorKind::position_lost, false, "",
        "the slot was invalidated: drop it and take a new snapshot, and raise idle_replication_slot_timeout"},
    Row{"55000", "can no longer", ErrorKind::position_lost, false, "",
        "the slot was invalidated and its changes are gone: drop it and take a new snapshot "
        "(snapshot.mode=when_needed does)"},
    Row{"55000", "cannot read from logical replication slot", ErrorKind::position_lost, false, "",
        "the slot was invalidated and its changes are gone: drop it and take a new snapshot "
        "(snapshot.mode=when_needed does)"},
    Row{"55006", "", ErrorKind::refused, true, "", "every instance needs its own slot.name"},
    Row{"58P01", "decoderbufs", ErrorKind::refused, false, "the output plugin decoderbufs is not installed",
        "install it on the server and put it into shared_preload_libraries, or use plugin.name=pgoutput"},
    Row{"58P01", "WAL segment", ErrorKind::position_lost, false,
        "The offset to start reading from has been removed from the database write-ahead log",
        "Create a new snapshot and consider setting of PostgreSQL parameter wal_keep_segments = 0"},
    Row{"42501", "decoderbufs", ErrorKind::refused, false, "",
        "add decoderbufs to output_plugin_libraries on the server, or use plugin.name=pgoutput"},
    Row{"*", "output_plugin_libraries", ErrorKind::refused, false, "",
        "add the plugin to output_plugin_libraries on the server, or use plugin.name=pgoutput"},
    Row{"53400", "", ErrorKind::refused, false,
        "no free replication slot: raise max_replication_slots or drop an unused slot",
        "raise max_replication_slots (restart needed), or drop an unused slot"},
    Row{"53300", "", ErrorKind::unreachable, true, "no free WAL sender: raise max_wal_senders",
        "raise max_wal_senders (restart needed)"},
    Row{"22023", "snapshot identifier", ErrorKind::refused, false, "", kForeignSnapshot},
    Row{"42704", "snapshot", ErrorKind::refused, false, "", kForeignSnapshot},
    Row{"42704", "publication", ErrorKind::refused, false, "",
        "the publication must be older than the slot: make the publication, then drop the slot and take a "
        "new snapshot"},
    Row{"42704", "", ErrorKind::refused, false, "", ""},
    Row{"42501", "", ErrorKind::refused, false, "", "grant the right to role '{user}'"},
    Row{"42P01", "", ErrorKind::refused, false, "", ""},
    Row{"42", "", ErrorKind::refused, false, "", ""},
    Row{"28", "", ErrorKind::refused, false, "", ""},
    Row{"3D000", "", ErrorKind::refused, false, "", "check database.dbname"},
    Row{"55P03", "", ErrorKind::refused, false, "",
        "another session holds a lock: look for it in pg_stat_activity"},
    Row{"57014", "", ErrorKind::refused, false, "", ""},
    Row{"57P01", "", ErrorKind::unreachable, true, "",
        "the server shuts down, or somebody ended our session"},
    Row{"57P02", "", ErrorKind::unreachable, true, "", "the server restarts after a crash"},
    Row{"57P03", "", ErrorKind::unreachable, true, "",
        "the server is starting, stopping or recovering: wait"},
    Row{"57P05", "", ErrorKind::unreachable, true, "", "idle_session_timeout ended our session"},
    Row{"08", "", ErrorKind::unreachable, true, "", ""},
    Row{"40001", "", ErrorKind::unreachable, true, "", ""},
    Row{"40P01", "", ErrorKind::unreachable, true, "", ""},
    Row{"53100", "", ErrorKind::refused, false, "", "the server's disk is full"},
    Row{"53", "", ErrorKind::unreachable, true, "", "the server is short of resources"},
    Row{"XX000", "invalid memory alloc request size", ErrorKind::refused, false, "",
        "a limit of the server in decoding a transaction with many catalog changes: upgrade its minor "
        "version"},
    Row{"XX", "", ErrorKind::refused, false, "", "an internal error of the server: see its log"},
    Row{"0A000", "", ErrorKind::unsupported, false, "", ""},
    Row{"", "", ErrorKind::refused, false, "", ""},
};

// libpq itself says that the connection is gone: no SQLSTATE.
constexpr Row kLost{"",
                    "",
                    ErrorKind::unreachable,
                    true,
                    "lost the connection to {host}",
                    "the server or the network ended it"};

template <std::size_t N>
const Row& find_row(const std::array<Row, N>& rows, std::string_view state, std::string_view message) {
  for (const Row& r : rows) {
    const bool state_fits = r.state == "*" || (r.state.empty() ? state.empty() : state.starts_with(r.state));
    if (state_fits && message.find(r.word) != std::string_view::npos) return r;
  }
  return rows.back();
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : c;
  }
  while (!out.empty() && (out.back() == ' ' || out.back() == '.')) out.pop_back();
  return out;
}

struct Placeholder {
  std::string_view name;
  std::string value;
};

std::string fill(std::string_view text, std::initializer_list<Placeholder> values) {
  std::string out;
  while (!text.empty()) {
    const auto open = text.find('{');
    const auto close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) break;
    out += text.substr(0, open);
    const auto name = text.substr(open + 1, close - open - 1);
    for (const auto& v : values)
      if (v.name == name) out += v.value;
    text.remove_prefix(close + 1);
  }
  return out += text;
}

Error built(const Row& row, std::string text, std::string said, std::string hint, std::string state) {
  Error error;
  error.kind = row.kind;
  error.retriable = row.retriable;
  if (!state.empty()) said += " (SQLSTATE " + state + ")";
  error.message = text.empty() ? std::move(said) : std::move(text) + ": " + said;
  error.hint = std::move(hint);
  error.sqlstate = std::move(state);
  return error;
}

// "... FATAL:  28P01: text": the SQLSTATE and the text after it. libpq writes it so with verbose errors.
struct Verbose {
  std::string state;
  std::string text;
};

bool is_sqlstate(std::string_view s) {
  bool digit = false;
  for (const char c : s) {
    if (c >= '0' && c <= '9')
      digit = true;
    else if (c < 'A' || c > 'Z')
      return false;
  }
  return digit && s.size() == 5;
}

Verbose read_verbose(std::string_view text) {
  Verbose found;
  for (std::size_t at = 0; at + 9 <= text.size(); ++at) {
    if (text.substr(at, 2) != "  " && text.substr(at, 2) != ": ") continue;
    const auto state = text.substr(at + 2, 5);
    if (!is_sqlstate(state) || text.substr(at + 7, 2) != ": ") continue;
    auto rest = text.substr(at + 9);
    found = {std::string(state), std::string(rest.substr(0, rest.find('\n')))};
  }
  return found;
}

}  // namespace

Error server_error(std::string_view attempted, const Failure& failure, const Subject& subject) {
  const bool lost =
      failure.sqlstate.empty() && (failure.message.empty() || failure.detail == "connection lost");
  const Row& row =
      lost ? kLost : find_row(kServerRows, failure.sqlstate, failure.message + failure.detail + failure.hint);
  const std::initializer_list<Placeholder> values{
      {"user", subject.user}, {"host", subject.host}, {"db", subject.database}, {"object", subject.object}};
  std::string said = one_line(failure.message);
  if (!failure.detail.empty() && !lost) said += " (" + one_line(failure.detail) + ")";
  std::string text = fill(row.text, values);
  if (text.empty())
    text = std::string(attempted) + " failed";
  else if (!attempted.empty())
    text += " (" + std::string(attempted) + ")";
  std::string hint = fill(row.hint, values);
  if (hint.empty()) hint = one_line(failure.hint);
  return built(row, std::move(text), said.empty() ? "no answer" : std::move(said), std::move(hint),
               failure.sqlstate);
}

Error connect_error(std::string_view text, const Subject& subject, bool replication, bool needs_password) {
  Verbose verbose = read_verbose(text);
  std::string said = verbose.state.empty() ? one_line(text) : one_line(verbose.text);
  const Row& row = needs_password && verbose.state.empty()
                       ? find_row(kConnectRows, "", "no password supplied")
                       : find_row(kConnectRows, verbose.state, said);
  const std::string& db = subject.database;
  const std::initializer_list<Placeholder> values{
      {"user", subject.user},
      {"host", subject.host},
      {"db", db},
      {"what", replication ? "replication " : ""},
      {"where", replication ? subject.host : "database " + db},
      {"hba", replication ? "replication" : db},
      {"what_refused",
       replication ? fmt::format("role '{0}' lacks REPLICATION: ALTER ROLE {0} REPLICATION", subject.user)
                   : fmt::format("role '{}' may not connect to database '{}'", subject.user, db)},
      {"what_fix",
       replication
           ? fmt::format("ALTER ROLE {} REPLICATION (managed services: GRANT rds_replication or the like)",
                         subject.user)
           : fmt::format("GRANT CONNECT ON DATABASE {} TO {}", db, subject.user)}};
  return built(row, fill(row.text, values), std::move(said), fill(row.hint, values),
               std::move(verbose.state));
}

}  // namespace cdc::pg
