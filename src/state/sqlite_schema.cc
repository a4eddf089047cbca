// user_version tells the version of the tables, application_id whose they are.
#include "state/sqlite_schema.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "state/disk.h"

namespace cdc {
namespace {

constexpr std::int64_t kApplication = 0x43444373;  // "CDCs"
constexpr std::int64_t kVersion = 1;
constexpr std::int64_t kCheckedWhole = std::int64_t{1}
                                       << 22;  // larger ones would take too long at each start

// One row in `captures` is one offset; everything else belongs to one of them. schema_history is the log of
// table structures that sources with statement-based DDL need to read old positions.
constexpr std::string_view kTables = R"(
CREATE TABLE captures(
  id INTEGER PRIMARY KEY,
  engine TEXT NOT NULL,
  partition TEXT NOT NULL,
  offset TEXT,
  updated_ms INTEGER NOT NULL DEFAULT 0,
  UNIQUE(engine, partition));
CREATE TABLE snapshots(
  capture INTEGER PRIMARY KEY,
  progress TEXT NOT NULL);
CREATE TABLE files(
  capture INTEGER NOT NULL,
  path TEXT NOT NULL,
  final_path TEXT NOT NULL,
  length INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  opened_ms INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  PRIMARY KEY(capture, path)) WITHOUT ROWID;
CREATE TABLE facts(
  capture INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY(capture, name)) WITHOUT ROWID;
CREATE TABLE schema_history(
  capture INTEGER NOT NULL,
  number INTEGER NOT NULL,
  entry TEXT NOT NULL,
  PRIMARY KEY(capture, number)) WITHOUT ROWID;
)";

tl::unexpected<Error> corrupt(const std::string& path, std::string_view what) {
  return fail(ErrorKind::corrupt, fmt::format("the state {} {}", path, what),
              "Restore the file from a backup, or move it away: the capture then starts anew, with a "
              "snapshot if snapshot.mode asks for one");
}

Result<void> check(Database& db, std::int64_t size) {
  CDC_TRY(const std::int64_t application, db.number("PRAGMA application_id"));
  CDC_TRY(const std::int64_t version, db.number("PRAGMA user_version"));
  if (application != kApplication) return corrupt(db.path(), "is a database of another program");
  if (version > kVersion)
    return fail(ErrorKind::unsupported,
                fmt::format("the state {} was written by a newer cdc (form {}, this one knows {})", db.path(),
                            version, kVersion),
                "Use that newer cdc");
  if (version < 1) return corrupt(db.path(), "has no version");
  if (size > kCheckedWhole) return {};
  CDC_TRY(const std::string verdict, db.text("PRAGMA quick_check(1)"));
  if (verdict != "ok") return corrupt(db.path(), fmt::format("is damaged: {}", verdict));
  return {};
}

}  // namespace

Result<Database> open_state_database(const std::string& path, bool writable) {
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) return state_fail("read the state", path, errno);
  if (S_ISDIR(st.st_mode)) return state_fail("read the state", path, EISDIR);
  if (::access(path.c_str(), R_OK) != 0) return state_fail("read the state", path, errno);
  if (writable && ::access(path.c_str(), W_OK) != 0) return state_fail("write the state", path, errno);
  if (st.st_size == 0) return corrupt(path, "is empty");
  const auto open = [&](Database::Mode mode) -> Result<Database> {
    CDC_TRY(Database db, Database::open(path, mode));
    CDC_CHECK(check(db, st.st_size));
    return db;
  };
  if (!writable) {
    auto db = open(Database::Mode::read_only);
    // In a read-only folder the helper files of WAL cannot be made. With no log beside it, the file is all
    // there is.
    if (!db && db.error().kind == ErrorKind::usage && ::access((path + "-wal").c_str(), F_OK) != 0)
      return open(Database::Mode::frozen);
    return db;
  }
  CDC_TRY(Database db, open(Database::Mode::read_write));
  CDC_CHECK(db.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA temp_store=MEMORY"));
  return db;
}

Result<void> make_state_database(const std::string& path) {
  const std::string temporary = path + ".tmp";
  const auto sweep = [&] {
    for (const std::string_view suffix : {"", "-journal", "-wal", "-shm"})
      ::unlink((temporary + std::string(suffix)).c_str());
  };
  sweep();
  const auto make = [&]() -> Result<void> {
    CDC_TRY(Database db, Database::open(temporary, Database::Mode::create));
    CDC_CHECK(db.execute(fmt::format(
        "PRAGMA synchronous=FULL; BEGIN; {} PRAGMA application_id={}; PRAGMA user_version={}; COMMIT; "
        "PRAGMA journal_mode=WAL",
        kTables, kApplication, kVersion)));
    return {};
  };
  if (auto made = make(); !made) {
    sweep();
    return made;
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    const int failed = errno;
    sweep();
    return state_fail("make the state", path, failed);
  }
  return sync_folder_of(path);
}

}  // namespace cdc
