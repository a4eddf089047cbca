// The statement, and one more try when the connection was lost meanwhile.
#include "source/postgres/row_reader.h"

#include <fmt/format.h>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

// While the answer is awaited the replication connection is silent: half of the server's default for
// wal_sender_timeout.
constexpr milliseconds kTimeout{30'000};

// The log brings a commit a moment before other sessions see it: the writer still holds the lock on its own
// transaction then.
constexpr std::string_view kStillEnding =
    "SELECT 1 FROM pg_catalog.pg_locks WHERE locktype = 'transactionid' AND transactionid = "
    "$1::pg_catalog.xid";
constexpr milliseconds kLookAgain{2}, kLongestEnding{5'000};

bool is_null(const RowRequest& request, std::size_t column) {
  return request.row[column].kind == Cell::Kind::null;
}

}  // namespace

// The parameters have no declared type: the server gives each that of its column, also after ALTER TYPE.
std::string row_sql(const RowRequest& request) {
  std::string columns, where;
  for (const std::size_t column : request.columns)
    columns += (columns.empty() ? "" : ", ") + quote_ident(request.table.columns[column].name);
  unsigned parameter = 0;
  for (const std::size_t column : request.key) {
    where += (where.empty() ? "" : " AND ") + quote_ident(request.table.columns[column].name);
    where += is_null(request, column) ? " IS NULL" : fmt::format(" = ${}", ++parameter);
  }
  return fmt::format("SELECT {} FROM {} WHERE {} LIMIT 2", columns, quote_table(request.table.id), where);
}

Result<Rows> PgRowReader::ask(const std::string& sql, std::span<const std::optional<std::string>> key,
                              const std::string& attempted) {
  const bool used = connection_.has_value();
  if (!used) {
    CDC_TRY(connection_, Connection::connect(options_, ConnectionKind::general, runtime_));
  }
  auto rows = connection_->exec_params(sql, key, attempted, kTimeout);
  if (rows || !connection_->broken()) return rows;
  connection_.reset();
  return used && rows.error().kind != ErrorKind::cancelled ? ask(sql, key, attempted) : std::move(rows);
}

Result<void> PgRowReader::await_visible() {
  const std::uint32_t xid = transaction_();
  if (xid == 0 || xid == visible_) return {};
  const std::optional<std::string> key[] = {std::to_string(xid)};
  const auto patience = std::chrono::steady_clock::now() + kLongestEnding;
  while (std::chrono::steady_clock::now() < patience) {
    CDC_TRY(const Rows held, ask(std::string(kStillEnding), key, "waiting for the end of a transaction"));
    if (held.empty()) break;
    if (runtime_.stop.wait_for(kLookAgain)) return fail(ErrorKind::cancelled, "stopped");
  }
  visible_ = xid;
  return {};
}

Result<std::optional<RowReader::Values>> PgRowReader::read(const RowRequest& request) {
  const std::string attempted = fmt::format("reading a row of {} again", dotted(request.table.id));
  std::vector<std::optional<std::string>> key;
  for (const std::size_t column : request.key)
    if (!is_null(request, column)) key.emplace_back(request.row[column].data);
  CDC_CHECK(await_visible());
  CDC_TRY(const Rows rows, ask(row_sql(request), key, attempted));
  if (rows.empty()) return std::nullopt;
  if (rows.size() > 1)
    return fail(ErrorKind::event, fmt::format("{}: more than one row has this key", attempted),
                "Let the columns of the key identify one row");
  Values values;
  for (std::size_t i = 0; i < request.columns.size(); ++i) {
    const auto text = rows.get(0, i);
    values.push_back(text ? std::optional(std::string(*text)) : std::nullopt);
  }
  return values;
}

}  // namespace cdc::pg
