// Connections against a real server: settings, deadlines, stop, COPY, errors.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "fixture.h"
#include "source/postgres/control/quote.h"

namespace cdc::pg::live {

TEST_CASE("PG-CONN-02 PG-CONN-05 settings of role and database do not show, on any kind of connection") {
  Live live;
  live.run(
      "ALTER DATABASE cdc_control_live SET intervalstyle = 'iso_8601'; ALTER DATABASE cdc_control_live SET "
      "datestyle = 'German';"
      "ALTER DATABASE cdc_control_live SET bytea_output = 'escape'; ALTER DATABASE cdc_control_live SET "
      "extra_float_digits = 0;"
      "ALTER DATABASE cdc_control_live SET timezone = 'Asia/Kolkata'; ALTER DATABASE cdc_control_live SET "
      "standard_conforming_strings = off;"
      "ALTER DATABASE cdc_control_live SET statement_timeout = 12345; ALTER DATABASE cdc_control_live SET "
      "quote_all_identifiers = on");
  for (const auto kind : {ConnectionKind::general, ConnectionKind::snapshot, ConnectionKind::replication,
                          ConnectionKind::heartbeat}) {
    Connection c = live.open(kind);
    const Rows rows = must(c.exec(
        "SELECT 0.1::float8 + 0.2::float8, '1 mon -2 days'::interval, '2024-02-03'::date, '\\x41'::bytea, "
        "'2024-02-03 04:05:06+00'::timestamptz, current_setting('statement_timeout'), "
        "current_setting('client_encoding'), "
        "current_setting('application_name'), current_setting('idle_in_transaction_session_timeout'), "
        "current_setting('quote_all_identifiers')",
        "testing"));
    CHECK(rows.text(0, 0) == "0.30000000000000004");
    CHECK(rows.text(0, 1) == "1 mon -2 days");
    CHECK(rows.text(0, 2) == "2024-02-03");
    CHECK(rows.text(0, 3) == "\\x41");
    CHECK(rows.text(0, 4) == "2024-02-03 04:05:06+00");
    CHECK(rows.text(0, 5) == "0");
    CHECK(rows.text(0, 6) == "UTF8");
    CHECK(rows.text(0, 7).starts_with("cdc "));
    CHECK(rows.text(0, 8) == "0");
    CHECK(rows.text(0, 9) == "off");
  }
}

TEST_CASE("PG-CONN-02 a SQL_ASCII database keeps its bytes") {
  Live live("TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'");
  CHECK(live.facts.sql_ascii());
  for (const auto kind : {ConnectionKind::general, ConnectionKind::replication}) {
    Connection c = live.open(kind);
    CHECK(must(c.exec("SELECT pg_catalog.convert_from('\\xe9', 'SQL_ASCII')", "testing")).text(0, 0) ==
          "\xE9");
  }
}

TEST_CASE("PG-CONN-03 initial statements run on general connections only") {
  Live live;
  live.options.initial_statements = {"SET work_mem = '5MB'", "SET search_path = 'nowhere'"};
  CHECK(must(live.open(ConnectionKind::general).exec("SHOW work_mem", "testing")).text(0, 0) == "5MB");
  CHECK(must(live.open(ConnectionKind::replication).exec("SHOW work_mem", "testing")).text(0, 0) != "5MB");
}

TEST_CASE("PG-FAIL-01 refusals name the cause and are not retried") {
  Live live;
  auto set = [&](const char* key, const char* value) {
    ConnectOptions o = live.options;
    for (auto& [k, v] : o.keywords)
      if (k == key) v = value;
    return Connection::connect(o, ConnectionKind::general, live.runtime);
  };
  const auto database = set("dbname", "no_such_db");
  REQUIRE_FALSE(database);
  CHECK(database.error().kind == ErrorKind::refused);
  CHECK(database.error().sqlstate == "3D000");
  CHECK_FALSE(database.error().retriable);
  const auto user = set("user", "nobody_here");
  REQUIRE_FALSE(user);
  CHECK(user.error().kind == ErrorKind::refused);
  const auto port = set("port", "1");
  REQUIRE_FALSE(port);
  CHECK(port.error().kind == ErrorKind::unreachable);
  CHECK(port.error().retriable);

  ConnectOptions tls = live.options;
  tls.keywords.emplace_back("sslmode", "verify-full");
  tls.keywords.emplace_back("sslrootcert", "/nowhere/root.crt");
  const auto plain = Connection::connect(tls, ConnectionKind::general, live.runtime);
  REQUIRE_FALSE(plain);
  CHECK(plain.error().kind == ErrorKind::refused);

  live.run("DROP ROLE IF EXISTS cdc_live_weak; CREATE ROLE cdc_live_weak LOGIN");
  ConnectOptions weak = live.options;
  for (auto& [k, v] : weak.keywords)
    if (k == "user") v = "cdc_live_weak";
  const auto walsender = Connection::connect(weak, ConnectionKind::replication, live.runtime);
  REQUIRE_FALSE(walsender);
  MESSAGE(walsender.error().message);
  CHECK(walsender.error().kind == ErrorKind::refused);
  CHECK(walsender.error().message.find("lacks REPLICATION") != std::string::npos);
  live.run("DROP ROLE cdc_live_weak");
}

TEST_CASE("a host that does not answer costs its time only; the next of the list is taken") {
  Live live;
  const int silent = ::socket(AF_INET, SOCK_STREAM, 0);  // takes connections and never says a word
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  REQUIRE(::bind(silent, generic, length) == 0);
  REQUIRE(::listen(silent, 5) == 0);
  REQUIRE(::getsockname(silent, generic, &length) == 0);
  const std::string silent_port = std::to_string(ntohs(address.sin_port));
  ConnectOptions o = live.options;
  for (auto& [k, v] : o.keywords) {
    if (k == "host") v = "127.0.0.1," + v;
    if (k == "port") v = silent_port + "," + v;
  }
  o.connect_timeout = milliseconds(300);
  must(Connection::connect(o, ConnectionKind::general, live.runtime));
  for (auto& [k, v] : o.keywords) {
    if (k == "host") v = "127.0.0.1";
    if (k == "port") v = silent_port;
  }
  const auto late = Connection::connect(o, ConnectionKind::general, live.runtime);
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::unreachable);
  CHECK(late.error().message.find("did not answer within 300 ms") != std::string::npos);
  ::close(silent);
}

TEST_CASE("PG-CONN-05 a query timeout cancels on the server, and the connection goes on") {
  Live live;
  const auto began = std::chrono::steady_clock::now();
  const auto slow = live.connection->exec("SELECT pg_sleep(20)", "sleeping", milliseconds(200));
  REQUIRE_FALSE(slow);
  CHECK(slow.error().sqlstate == "57014");
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(5));
  CHECK_FALSE(live.connection->broken());
  CHECK(live.run("SELECT 1").text(0, 0) == "1");
}

TEST_CASE("a stop request interrupts a query; an orderly end may still talk") {
  Live live;
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(200));
    live.stop.request("signal");
  });
  const auto slow = live.connection->exec("SELECT pg_sleep(20)", "sleeping");
  stopper.join();
  REQUIRE_FALSE(slow);
  CHECK(slow.error().kind == ErrorKind::cancelled);
  CHECK_FALSE(live.connection->exec("SELECT 1", "testing"));
  live.connection->ignore_stop(true);
  CHECK(live.run("SELECT 2").text(0, 0) == "2");
}

TEST_CASE("PG-FAIL-03 a session that was ended is an unreachable server") {
  Live live;
  Connection other = live.open(ConnectionKind::general);
  live.run("SELECT pg_terminate_backend(" + std::to_string(other.backend_pid()) + ")");
  std::this_thread::sleep_for(milliseconds(100));
  const auto ended = other.exec("SELECT 1", "testing");
  REQUIRE_FALSE(ended);
  CHECK(ended.error().kind == ErrorKind::unreachable);
  CHECK(ended.error().retriable);
  CHECK(other.broken());
  CHECK_FALSE(other.exec("SELECT 1", "testing"));
}

TEST_CASE("PG-SNAP-10 COPY: rows, errors in the middle, giving up, timeout before the first row") {
  Live live;
  Connection& c = *live.connection;
  CopyRow row;
  must(c.begin_copy_out("COPY (SELECT g, NULL, E'a\\tb' FROM generate_series(1, 100000) g) TO STDOUT",
                        "copying"));
  std::size_t rows = 0;
  while (must(c.next_copy_row(row)))
    if (++rows == 7) CHECK(row.view() == "7\t\\N\ta\\tb\n");
  CHECK(rows == 100000);

  must(c.begin_copy_out("COPY (SELECT 1 / (50000 - g) FROM generate_series(1, 100000) g) TO STDOUT",
                        "copying"));
  Result<bool> step = true;
  for (rows = 0; (step = c.next_copy_row(row)) && *step;) ++rows;
  CHECK(rows == 49999);
  REQUIRE_FALSE(step);
  CHECK(step.error().sqlstate == "22012");
  CHECK(live.run("SELECT 1").size() == 1);

  must(c.begin_copy_out("COPY (SELECT repeat('x', 1000) FROM generate_series(1, 10000000) g) TO STDOUT",
                        "copying"));
  for (int i = 0; i < 10; ++i) CHECK(must(c.next_copy_row(row)));
  c.abandon_copy();
  CHECK(live.run("SELECT 1").size() == 1);

  ConnectOptions hasty = live.options;
  hasty.query_timeout = milliseconds(300);
  Connection h = must(Connection::connect(hasty, ConnectionKind::snapshot, live.runtime));
  must(h.begin_copy_out("COPY (SELECT pg_sleep(30)) TO STDOUT", "copying"));
  const auto late = h.next_copy_row(row);
  REQUIRE_FALSE(late);
  CHECK(late.error().kind == ErrorKind::refused);
  CHECK(must(h.exec("SELECT 1", "testing")).size() == 1);

  CHECK_FALSE(c.begin_copy_out("COPY nothing_here TO STDOUT", "copying"));
  CHECK_FALSE(c.begin_copy_out("SELECT 1", "copying"));
  CHECK(live.run("SELECT 1").size() == 1);
}

TEST_CASE("notices go to the log, parameters are bound") {
  Live live;
  live.run("DO $$ BEGIN RAISE WARNING 'look here'; END $$");
  REQUIRE_FALSE(live.log.lines.empty());
  CHECK(live.log.lines.back() == "the server says: look here");
  const std::optional<std::string> params[] = {"it's", std::nullopt};
  const Rows rows =
      must(live.connection->exec_params("SELECT $1::text, $2::text IS NULL", params, "testing"));
  CHECK(rows.text(0, 0) == "it's");
  CHECK(rows.flag(0, 1));
}

TEST_CASE("database.password.command gives the password; its failures are refusals") {
  Live live;
  live.options.password_command = "printf 'secret\\nmore\\n'";
  CHECK(Connection::connect(live.options, ConnectionKind::general, live.runtime));
  for (const char* wrong : {"exit 3", "true", "exec no-such-program-here 2>/dev/null"}) {
    live.options.password_command = wrong;
    const auto refused = Connection::connect(live.options, ConnectionKind::general, live.runtime);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::refused);
  }
}

}  // namespace cdc::pg::live
