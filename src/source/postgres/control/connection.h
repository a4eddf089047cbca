// Connection: one libpq connection of ours, and Rows, what a query brought. The socket is non-blocking
// and every wait also watches the stop request and a deadline. No catalog knowledge here.
//
// Threads: a Connection belongs to one thread at a time; nothing in it is locked.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdc/error.h"
#include "cdc/runtime.h"
#include "source/postgres/control/errors.h"

struct pg_conn;
struct pg_result;

namespace cdc::pg {

using std::chrono::milliseconds;

enum class ConnectionKind : std::uint8_t {
  general,      // metadata, watermarks, administration; runs the initial statements
  snapshot,     // reads tables; runs the initial statements
  replication,  // replication=database: only simple queries and replication commands
  heartbeat,    // heartbeat.action.query
};

// Everything that is needed to connect; made from the configuration by connect_options() (settings.h).
struct ConnectOptions {
  std::vector<std::pair<std::string, std::string>> keywords;  // libpq's own: host, port, user, sslmode, ...
  std::string password_command;                 // run before each connect; its first line is the password
  std::vector<std::string> initial_statements;  // PG-CONN-03
  milliseconds connect_timeout{10'000};         // per host
  milliseconds query_timeout{600'000};          // database.query.timeout.ms; 0: none
  std::string timezone = "UTC";
  std::vector<std::string> warnings;  // driver properties that have no meaning here, ...
};

// The answer to a query. Owns the PGresult; the views live as long as the Rows.
class Rows {
 public:
  Rows() = default;
  explicit Rows(pg_result* result) : result_(result) {}  // takes ownership
  std::size_t size() const;
  std::size_t columns() const;
  bool empty() const { return size() == 0; }
  bool is_null(std::size_t row, std::size_t column) const;
  std::string_view text(std::size_t row, std::size_t column) const;  // "" for NULL; text("") is the same
  std::optional<std::string_view> get(std::size_t row, std::size_t column) const;
  std::string string(std::size_t row, std::size_t column) const { return std::string(text(row, column)); }
  bool flag(std::size_t row, std::size_t column) const { return text(row, column) == "t"; }
  char letter(std::size_t row, std::size_t column) const;           // '\0' for NULL and ""
  std::int64_t integer(std::size_t row, std::size_t column) const;  // 0 for NULL and for what is no number
  std::uint32_t oid(std::size_t row, std::size_t column) const;
  std::optional<std::uint64_t> lsn(std::size_t row, std::size_t column) const;

 private:
  struct Free {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Free> result_;
};

// One message of a running COPY, freed with the object; reused from call to call.
class CopyRow {
 public:
  CopyRow() = default;
  ~CopyRow() { reset(); }
  CopyRow(const CopyRow&) = delete;
  CopyRow& operator=(const CopyRow&) = delete;
  std::string_view view() const { return {data_, size_}; }
  void reset();

 private:
  friend class Connection;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

enum class CopyStep : std::uint8_t { row, wait, end };
enum class Wait : std::uint8_t { ready, timeout };

class Connection {
 public:
  // Settings of PG-CONN-02/05 are in force when it returns. Errors: unreachable, refused, cancelled.
  static Result<Connection> connect(const ConnectOptions& options, ConnectionKind kind, Runtime& runtime);

  Connection(Connection&&) noexcept;
  Connection& operator=(Connection&&) noexcept;
  ~Connection();

  // Runs one or more statements; returns the rows of the last. `attempted` is for the error text
  // ("reading the catalog"). `timeout`: unset takes the configured query timeout, 0 waits for ever. When
  // it passes, the statement is cancelled on the server and the error has SQLSTATE 57014; when stop is
  // requested it is cancelled and the kind is `cancelled`. Afterwards the connection can be used again
  // unless broken().
  Result<Rows> exec(std::string_view sql, std::string_view attempted,
                    std::optional<milliseconds> timeout = {});
  // Each later statement that runs for longer than `after` calls `tell`, once; empty: none does.
  void when_slow(milliseconds after, std::function<void()> tell);
  // With bound parameters as text ($1, ...); not on a replication connection.
  Result<Rows> exec_params(std::string_view sql, std::span<const std::optional<std::string>> params,
                           std::string_view attempted, std::optional<milliseconds> timeout = {});

  // COPY (...) TO STDOUT. The query timeout counts up to the first row; later rows have no limit but
  // the stop request and TCP keepalive.
  Result<void> begin_copy_out(std::string_view sql, std::string_view attempted);
  // START_REPLICATION. Errors of the plugin come later, from the first rows (PG-LIBPQ-09).
  Result<void> begin_copy_both(std::string_view sql, std::string_view attempted,
                               std::optional<milliseconds> timeout = {});
  // Blocks until a row is there (true) or the copy has ended (false). No copy is made of the row.
  Result<bool> next_copy_row(CopyRow& row);
  // Never blocks. `wait`: nothing complete is buffered and the socket has nothing more.
  Result<CopyStep> try_copy_row(CopyRow& row);
  // Until the socket is readable. A stop request is `cancelled` (at once when already requested).
  Result<Wait> wait_readable(milliseconds timeout);
  // Sends a message on COPY BOTH; keeps reading into libpq's buffer while the server does not take it.
  // `timeout` as error: SQLSTATE "" and kind unreachable.
  Result<void> put_copy(std::string_view message, milliseconds timeout);
  // Orderly end of COPY BOTH: CopyDone, discards what still comes; gives up after `timeout` (no error).
  void end_copy_both(milliseconds timeout);
  // Ends a running COPY OUT that nobody reads any more (cancels it on the server).
  void abandon_copy();

  // While true, a stop request does not interrupt anything (orderly end: last confirm, slot drop).
  void ignore_stop(bool ignore);
  // Looks whether the server has ended an idle session; never blocks.
  bool ended_by_server();
  bool broken() const;                            // PQstatus is bad; only destruction is left
  int server_version() const;                     // 150020
  std::string parameter(const char* name) const;  // reported by the server: server_encoding, ...
  int backend_pid() const;
  const Subject& subject() const;  // for error texts
  pg_conn* raw() const;            // for a reader of the hot path; same thread

 private:
  struct State;
  explicit Connection(std::unique_ptr<State> state);
  Result<Rows> collect(std::string_view attempted, std::optional<milliseconds> timeout);
  Result<Rows> await_copy(std::string_view attempted, std::optional<milliseconds> timeout);
  Error last_error(std::string_view attempted) const;
  std::unique_ptr<State> state_;
};

}  // namespace cdc::pg
