// Making and ending connections: keywords, start-up settings, the password command, waiting.
#include "source/postgres/control/connection.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <openssl/ssl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "source/postgres/control/connection_state.h"
#include "source/postgres/control/password_command.h"

namespace cdc::pg {
namespace {

struct KindRow {
  ConnectionKind kind;
  const char* application_name;
  bool initial_statements;
};
constexpr KindRow kKinds[] = {
    {ConnectionKind::general, "cdc general", true},
    {ConnectionKind::snapshot, "cdc snapshot", true},
    {ConnectionKind::replication, "cdc streaming", false},
    {ConnectionKind::heartbeat, "cdc heartbeat", false},
};
const KindRow& kind_row(ConnectionKind kind) {
  for (const auto& row : kKinds)
    if (row.kind == kind) return row;
  return kKinds[0];
}

// What decides how values are printed, and what could end a long session (PG-CONN-02, PG-CONN-05). Sent in
// the start-up packet, so that settings of the database or the role never show. Known to every version.
constexpr std::pair<std::string_view, std::string_view> kSettings[] = {
    {"datestyle", "ISO"},
    {"intervalstyle", "postgres"},
    {"bytea_output", "hex"},
    {"extra_float_digits", "1"},
    {"standard_conforming_strings", "on"},
    {"quote_all_identifiers", "off"},
    {"statement_timeout", "0"},
    {"idle_in_transaction_session_timeout", "0"},
};

std::string option_value(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == ' ' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string start_options(const std::string& timezone, std::string_view users_own) {
  std::string out(users_own);
  for (const auto& [name, value] : kSettings) out += fmt::format(" -c {}={}", name, value);
  return out + " -c timezone=" + option_value(timezone);
}

// What only a known version or encoding may be asked for.
std::string session_settings(PGconn* conn) {
  std::string sql;
  const int version = PQserverVersion(conn);
  const char* encoding = PQparameterStatus(conn, "server_encoding");
  if (encoding != nullptr && std::string_view(encoding) == "SQL_ASCII")
    sql += "SET client_encoding = 'SQL_ASCII';";
  if (version < 120000) sql += "SET extra_float_digits = 3;";
  if (version >= 140000) sql += "SET idle_session_timeout = 0;";
  return sql;
}

Subject subject_of(const ConnectOptions& options) {
  Subject subject;
  std::string port;
  for (const auto& [key, value] : options.keywords) {
    if (key == "host") subject.host = value;
    if (key == "port") port = value;
    if (key == "user") subject.user = value;
    if (key == "dbname") subject.database = value;
  }
  if (subject.host.empty()) subject.host = "the local socket";
  if (!port.empty() && subject.host.find(',') == std::string::npos) subject.host += ":" + port;
  return subject;
}

// A comma-separated list from its n-th member on; a list that is no list stays (one port for all hosts).
std::string tail_of(const std::string& list, std::size_t n) {
  if (list.find(',') == std::string::npos) return list;
  std::size_t at = 0;
  for (; n > 0; --n) at = list.find(',', at) + 1;
  return list.substr(at);
}

void log_notice(void* argument, const PGresult* result) {
  auto* state = static_cast<Log*>(argument);
  const char* severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char* text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  if (text == nullptr) return;
  const bool warning = severity != nullptr && std::string_view(severity) == "WARNING";
  state->write(warning ? Level::warn : Level::debug, warning ? "warning" : "debug",
               fmt::format("the server says: {}", text));
}

}  // namespace

Connection::State::~State() {
  if (conn != nullptr) PQfinish(conn);
}

Wakeup Connection::State::wait(short events, Clock::time_point deadline) const {
  if (stop_wanted()) return Wakeup::stopped;
  if ((events & POLLIN) != 0 && PQsslInUse(conn) != 0) {
    // A part of a TLS record may lie decrypted in OpenSSL, where no poll sees it.
    auto* ssl = static_cast<SSL*>(PQsslStruct(conn, "OpenSSL"));
    if (ssl != nullptr && SSL_pending(ssl) > 0) return Wakeup::ready;
  }
  for (;;) {
    int timeout = 3'600'000;
    if (deadline != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now()).count();
      if (left < timeout) timeout = left > 0 ? static_cast<int>(left) : 0;
    }
    pollfd fds[2] = {{PQsocket(conn), events, 0}, {ignore_stop ? -1 : runtime->stop.fd(), POLLIN, 0}};
    if (fds[0].fd < 0) return Wakeup::failed;
    const int n = ::poll(fds, 2, timeout);
    if (n < 0 && errno != EINTR) return Wakeup::failed;
    if (stop_wanted()) return Wakeup::stopped;
    if (n > 0 && fds[0].revents != 0) return Wakeup::ready;
    if (n <= 0 && deadline != Clock::time_point::max() && Clock::now() >= deadline) return Wakeup::timeout;
  }
}

Wakeup Connection::State::flush(Clock::time_point deadline) {
  for (;;) {
    const int rest = PQflush(conn);
    if (rest == 0) return Wakeup::ready;
    if (rest < 0) return Wakeup::failed;
    const Wakeup woken = wait(POLLIN | POLLOUT, deadline);
    if (woken != Wakeup::ready) return woken;
    if (PQconsumeInput(conn) == 0) return Wakeup::failed;
  }
}

void Connection::State::cancel() const {
  PGcancel* request = PQgetCancel(conn);
  if (request == nullptr) return;
  try {
    std::thread([request] {
      char text[256];
      PQcancel(request, text, sizeof text);
      PQfreeCancel(request);
    }).detach();
  } catch (const std::exception&) {  // no thread to be had: the answer is then waited for in vain
    PQfreeCancel(request);
  }
}

namespace {

struct Keywords {
  std::vector<const char*> names, values;
  void add(const char* name, const std::string& value) {
    names.push_back(name);
    values.push_back(value.c_str());
  }
};

}  // namespace

Result<Connection> Connection::connect(const ConnectOptions& options, ConnectionKind kind, Runtime& runtime) {
  const KindRow& row = kind_row(kind);
  const Subject subject = subject_of(options);
  std::string hosts, ports, users_options, password;
  for (const auto& [key, value] : options.keywords) {
    if (key == "host") hosts = value;
    if (key == "port") ports = value;
    if (key == "options") users_options = value;
  }
  if (!options.password_command.empty()) {
    CDC_TRY(password, run_password_command(options.password_command, runtime.stop));
  }
  const std::string settings = start_options(options.timezone, users_options);
  // OpenSSL would ask for the password of an encrypted key at the terminal; this takes database.sslpassword.
  PQsetSSLKeyPassHook_OpenSSL(PQdefaultSSLKeyPassHook_OpenSSL);

  for (;;) {
    Keywords words;
    for (const auto& [key, value] : options.keywords) {
      if (key == "host" || key == "port" || key == "options" || (key == "password" && !password.empty()))
        continue;
      words.add(key.c_str(), value);
    }
    const std::string application = row.application_name, utf8 = "UTF8", database = "database";
    if (!hosts.empty()) words.add("host", hosts);
    if (!ports.empty()) words.add("port", ports);
    if (!password.empty()) words.add("password", password);
    words.add("options", settings);
    words.add("client_encoding", utf8);
    words.add("application_name", application);
    if (kind == ConnectionKind::replication) words.add("replication", database);
    words.names.push_back(nullptr);
    words.values.push_back(nullptr);

    auto state = std::make_unique<State>();
    state->runtime = &runtime;
    state->subject = subject;
    state->query_timeout = options.query_timeout;
    state->conn = PQconnectStartParams(words.names.data(), words.values.data(), 0);
    if (state->conn == nullptr)
      return fail(ErrorKind::internal, "out of memory while connecting to PostgreSQL");
    PQsetErrorVerbosity(state->conn, PQERRORS_VERBOSE);  // puts the SQLSTATE into the message (errors.h)
    PQsetNoticeReceiver(state->conn, log_notice, &runtime.log);

    const auto failed = [&]() -> tl::unexpected<Error> {
      return tl::unexpected<Error>(connect_error(PQerrorMessage(state->conn), subject,
                                                 kind == ConnectionKind::replication,
                                                 PQconnectionNeedsPassword(state->conn) != 0));
    };
    if (PQstatus(state->conn) == CONNECTION_BAD) return failed();

    std::string current;
    std::size_t host_number = 0;
    auto deadline = deadline_in(options.connect_timeout);
    bool timed_out = false;
    short events = POLLOUT;
    for (;;) {
      const char* host = PQhost(state->conn);
      const char* port = PQport(state->conn);
      const std::string now = fmt::format("{}:{}", host == nullptr ? "" : host, port == nullptr ? "" : port);
      if (now != current) {
        if (!current.empty()) ++host_number;
        current = now;
        deadline = deadline_in(options.connect_timeout);
      }
      const Wakeup woken = state->wait(events, deadline);
      if (woken == Wakeup::stopped)
        return fail(ErrorKind::cancelled, "stopped while connecting to PostgreSQL");
      if (woken == Wakeup::timeout) {
        timed_out = true;
        break;
      }
      const PostgresPollingStatusType step = PQconnectPoll(state->conn);
      if (step == PGRES_POLLING_OK) break;
      if (step == PGRES_POLLING_FAILED) return failed();
      events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    }
    if (timed_out) {
      const auto members = static_cast<std::size_t>(std::count(hosts.begin(), hosts.end(), ',')) + 1;
      if (host_number + 1 < members) {
        ports = tail_of(ports, host_number + 1);
        hosts = tail_of(hosts, host_number + 1);
        continue;
      }
      return fail(ErrorKind::unreachable,
                  fmt::format("PostgreSQL at {} did not answer within {} ms", current,
                              options.connect_timeout.count()),
                  "check database.hostname, database.port and firewalls");
    }

    if (PQsetnonblocking(state->conn, 1) != 0) return failed();
    PQsetErrorVerbosity(state->conn, PQERRORS_DEFAULT);
    Connection connection(std::move(state));
    const std::string sql = session_settings(connection.raw());
    if (!sql.empty()) CDC_CHECK(connection.exec(sql, "setting up the session"));
    if (row.initial_statements) {
      for (const auto& statement : options.initial_statements)
        CDC_CHECK(connection.exec(statement, "running database.initial.statements"));
    }
    return connection;
  }
}

Connection::Connection(std::unique_ptr<State> state) : state_(std::move(state)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

void Connection::ignore_stop(bool ignore) { state_->ignore_stop = ignore; }
bool Connection::broken() const { return state_->dead || PQstatus(state_->conn) != CONNECTION_OK; }
int Connection::server_version() const { return PQserverVersion(state_->conn); }
int Connection::backend_pid() const { return PQbackendPID(state_->conn); }
const Subject& Connection::subject() const { return state_->subject; }
pg_conn* Connection::raw() const { return state_->conn; }

std::string Connection::parameter(const char* name) const {
  const char* value = PQparameterStatus(state_->conn, name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace cdc::pg
