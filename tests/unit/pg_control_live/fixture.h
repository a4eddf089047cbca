// A database of its own on the server that CDC_TEST_PG names (conninfo of a superuser, "host=... port=...
// user=..."), and a log that remembers. Without the variable the tests fail.
#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "source/postgres/control/connection.h"
#include "source/postgres/control/server.h"
#include "source/postgres/control/settings.h"

namespace cdc::pg::live {

struct TestLog : Log {
  std::vector<std::string> lines;
  bool enabled(Level) const override { return true; }
  void write(Level, std::string_view, std::string_view message, std::initializer_list<Member>) override {
    lines.emplace_back(message);
  }
  void warn_once(std::string_view, std::string_view message) override { lines.emplace_back(message); }
};

inline ConnectOptions options_for(const std::string& database) {
  const char* text = std::getenv("CDC_TEST_PG");
  REQUIRE_MESSAGE(text != nullptr, "set CDC_TEST_PG to the conninfo of a superuser of a throw-away server");
  ConnectOptions options;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (word.substr(0, equals) != "dbname")
      options.keywords.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  }
  options.keywords.emplace_back("dbname", database);
  return options;
}

template <class T>
T must(tl::expected<T, Error> result) {
  if (!result) FAIL(std::string(result.error().message), " | ", result.error().hint);
  return std::move(*result);
}
inline void must(Result<void> result) {
  if (!result) FAIL(std::string(result.error().message), " | ", result.error().hint);
}

struct Live {
  TestLog log;
  StopToken stop;
  Stats stats;
  Runtime runtime{log, stop, stats};
  ConnectOptions options;
  std::optional<Connection> connection;
  ServerFacts facts;

  explicit Live(const std::string& create_options = "") : options(options_for("cdc_control_live")) {
    {
      Connection admin = must(Connection::connect(options_for("postgres"), ConnectionKind::general, runtime));
      must(
          admin.exec("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name "
                     "LIKE 'cdc_live%' AND NOT active",
                     "cleaning"));
      must(admin.exec("DROP DATABASE IF EXISTS cdc_control_live WITH (FORCE)", "cleaning"));
      must(admin.exec("CREATE DATABASE cdc_control_live " + create_options, "creating"));
    }
    connection = must(Connection::connect(options, ConnectionKind::general, runtime));
    facts = must(read_server_facts(*connection));
  }
  Connection open(ConnectionKind kind) { return must(Connection::connect(options, kind, runtime)); }
  Rows run(const std::string& sql) { return must(connection->exec(sql, "testing")); }
};

}  // namespace cdc::pg::live
