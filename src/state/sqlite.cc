// Result codes become kinds by one table: what the user can mend (usage), what the disk does (sink), and
// what makes no sense (corrupt).
#include "state/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>

namespace cdc {
namespace {

struct Row {
  int code;
  ErrorKind kind;
  std::string_view hint;
};
constexpr std::string_view kRestoreHint =
    "Restore the file from a backup, or move it away: the capture then starts anew, with a snapshot if "
    "snapshot.mode asks for one";
constexpr std::string_view kRightsHint =
    "Give the user that runs cdc the right to it, or choose another place with --state";
constexpr std::array kErrors{
    Row{SQLITE_FULL, ErrorKind::sink,
        "Free some space and start again: the last stored position is still good"},
    Row{SQLITE_IOERR, ErrorKind::sink, "The disk reports an error; see the kernel log"},
    Row{SQLITE_BUSY, ErrorKind::sink, "Another program holds the database open in a transaction; end it"},
    Row{SQLITE_LOCKED, ErrorKind::sink, "Another program holds the database open in a transaction; end it"},
    Row{SQLITE_READONLY, ErrorKind::usage, kRightsHint},
    Row{SQLITE_PERM, ErrorKind::usage, kRightsHint},
    Row{SQLITE_AUTH, ErrorKind::usage, kRightsHint},
    Row{SQLITE_CANTOPEN, ErrorKind::usage, kRightsHint},
    Row{SQLITE_NOTADB, ErrorKind::corrupt, kRestoreHint},
    Row{SQLITE_CORRUPT, ErrorKind::corrupt, kRestoreHint},
};

tl::unexpected<Error> failure(sqlite3* db, int code, const std::string& path) {
  std::string message = fmt::format("the state {} cannot be used: {}", path,
                                    db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code));
  for (const Row& row : kErrors)
    if (row.code == (code & 0xFF)) return fail(row.kind, std::move(message), std::string(row.hint));
  return fail(ErrorKind::internal, std::move(message));
}

// A path as file: URI.
std::string uri_of(const std::string& path, std::string_view parameters) {
  std::string out = path.starts_with("//") ? "file://" : "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#')
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out.push_back(c);
  }
  return out + std::string(parameters);
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* db) const { sqlite3_close_v2(db); }

Statement& Statement::bind(int at, std::string_view text) {
  // An empty view may have no address, which SQLite would take for NULL.
  sqlite3_bind_text64(statement_.get(), at, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC,
                      SQLITE_UTF8);
  return *this;
}
Statement& Statement::bind(int at, std::int64_t number) {
  sqlite3_bind_int64(statement_.get(), at, number);
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  auto error = code == SQLITE_DONE ? tl::unexpected<Error>(Error{})
                                   : failure(sqlite3_db_handle(statement_.get()), code, *path_);
  reset();
  if (code == SQLITE_DONE) return false;
  return error;
}

Result<void> Statement::run() {
  for (;;) {
    CDC_TRY(const bool row, step());
    if (!row) return {};
  }
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::string Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return text == nullptr ? std::string()
                         : std::string(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
}
std::optional<std::string> Statement::optional_text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
  return text(column);
}
std::int64_t Statement::number(int column) const { return sqlite3_column_int64(statement_.get(), column); }

Result<Database> Database::open(const std::string& path, Mode mode) {
  int flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  flags |= mode == Mode::create       ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
           : mode == Mode::read_write ? SQLITE_OPEN_READWRITE
                                      : SQLITE_OPEN_READONLY;
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(uri_of(path, mode == Mode::frozen ? "?immutable=1" : "").c_str(), &raw, flags, nullptr);
  Database db(raw, path);  // owns it even when it could not be opened
  if (code != SQLITE_OK) return failure(raw, code, path);
  sqlite3_busy_timeout(raw, 5000);
  return db;
}

Result<void> Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(db_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure(db_.get(), code, *path_);
  return {};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(db_.get(), sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (code != SQLITE_OK) return failure(db_.get(), code, *path_);
  return Statement(statement, path_.get());
}

Result<std::int64_t> Database::number(std::string_view sql) {
  CDC_TRY(Statement statement, prepare(sql));
  CDC_TRY(const bool row, statement.step());
  return row ? statement.number(0) : 0;
}

Result<std::string> Database::text(std::string_view sql) {
  CDC_TRY(Statement statement, prepare(sql));
  CDC_TRY(const bool row, statement.step());
  return row ? statement.text(0) : std::string();
}

std::int64_t Database::last_row_id() const { return sqlite3_last_insert_rowid(db_.get()); }

}  // namespace cdc
