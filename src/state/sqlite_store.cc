// Of the files only what changed is written: a run may have ten thousand of them, and a commit touches few.
#include "state/sqlite_store.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "cdc/wall_clock.h"
#include "state/disk.h"
#include "state/lock_file.h"
#include "state/partition.h"
#include "state/sqlite.h"
#include "state/sqlite_schema.h"

namespace cdc {
namespace {

bool same(const FilePosition& a, const FilePosition& b) {
  return a.path == b.path && a.final_path == b.final_path && a.length == b.length && a.lines == b.lines &&
         a.sequence == b.sequence && a.opened_ms == b.opened_ms && a.finished == b.finished;
}

struct Statements {
  Statement find, load, list, insert, set_offset;
  Statement load_snapshot, set_snapshot, drop_snapshot;
  Statement load_files, put_file, drop_file;
  Statement load_facts, put_fact;
  Statement begin, commit, rollback;
};

struct Row {
  Statement Statements::*statement;
  std::string_view sql;
};
constexpr Row kSql[] = {
    {&Statements::find, "SELECT id FROM captures WHERE engine=?1 AND partition=?2"},
    {&Statements::load, "SELECT offset FROM captures WHERE id=?1"},
    {&Statements::list, "SELECT engine, partition FROM captures ORDER BY engine, partition"},
    {&Statements::insert, "INSERT INTO captures(engine, partition) VALUES(?1, ?2)"},
    {&Statements::set_offset, "UPDATE captures SET offset=?2, updated_ms=?3 WHERE id=?1"},
    {&Statements::load_snapshot, "SELECT progress FROM snapshots WHERE capture=?1"},
    {&Statements::set_snapshot, "INSERT OR REPLACE INTO snapshots VALUES(?1, ?2)"},
    {&Statements::drop_snapshot, "DELETE FROM snapshots WHERE capture=?1"},
    {&Statements::load_files,
     "SELECT path, final_path, length, lines, sequence, opened_ms, finished FROM files WHERE capture=?1 "
     "ORDER BY path"},
    {&Statements::put_file, "INSERT OR REPLACE INTO files VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"},
    {&Statements::drop_file, "DELETE FROM files WHERE capture=?1 AND path=?2"},
    {&Statements::load_facts, "SELECT name, value FROM facts WHERE capture=?1"},
    {&Statements::put_fact, "INSERT OR REPLACE INTO facts VALUES(?1, ?2, ?3)"},
    {&Statements::begin, "BEGIN IMMEDIATE"},
    {&Statements::commit, "COMMIT"},
    {&Statements::rollback, "ROLLBACK"},
};
constexpr std::string_view kOwned[] = {"snapshots", "files", "facts", "schema_history"};

class SqliteStore final : public StateStore {
 public:
  SqliteStore(LockFile lock, Database db, Statements statements, bool writable)
      : lock_(std::move(lock)), db_(std::move(db)), sql_(std::move(statements)), writable_(writable) {}

  Result<StoredState> load(const StateKey& key) override {
    // One read transaction, so that a reader beside the writer sees one commit and not parts of two.
    CDC_CHECK(db_.execute("BEGIN"));
    auto state = read(key);
    CDC_CHECK(db_.execute("COMMIT"));
    return state;
  }

  Result<void> commit(const StateKey& key, const StateChange& change) override {
    return in_transaction([&] { return write(key, change); });
  }

  Result<std::vector<StateKey>> keys() override {
    std::vector<StateKey> out;
    for (;;) {
      CDC_TRY(const bool row, sql_.list.step());
      if (!row) return out;
      out.push_back({sql_.list.text(0), sql_.list.text(1)});
    }
  }

  Result<void> remove(const StateKey& key) override {
    ids_.clear();
    known_files_.clear();
    return in_transaction([&]() -> Result<void> {
      CDC_TRY(const auto id, find(key));
      if (!id) return {};
      for (const std::string_view table : kOwned)
        CDC_CHECK(db_.execute(fmt::format("DELETE FROM {} WHERE capture={}", table, *id)));
      return db_.execute(fmt::format("DELETE FROM captures WHERE id={}", *id));
    });
  }

  std::string path() const override { return db_.path(); }

 private:
  using Files = std::unordered_map<std::string, FilePosition>;  // by path

  template <class Work>
  Result<void> in_transaction(Work work) {
    if (!writable_)
      return fail(ErrorKind::internal, fmt::format("the state {} was opened for reading only", db_.path()));
    CDC_CHECK(sql_.begin.run());
    auto done = work();
    if (done) done = sql_.commit.run();
    if (!done) {
      ids_.clear();
      known_files_.clear();
      if (auto undone = sql_.rollback.run(); !undone) {
        // SQLite has rolled back by itself, which a full disk makes it do.
      }
    }
    return done;
  }

  Result<std::optional<std::int64_t>> find(const StateKey& key) {
    const std::string partition = canonical_json(key.partition);
    sql_.find.bind(1, key.engine).bind(2, partition);
    CDC_TRY(const bool row, sql_.find.step());
    if (!row) return std::nullopt;
    const std::int64_t id = sql_.find.number(0);
    sql_.find.reset();
    return id;
  }

  Result<StoredState> read(const StateKey& key) {
    StoredState state;
    CDC_TRY(const auto id, find(key));
    if (!id) return state;
    sql_.load.bind(1, *id);
    CDC_TRY(const bool row, sql_.load.step());
    if (row) state.offset = sql_.load.optional_text(0);
    sql_.load.reset();
    sql_.load_snapshot.bind(1, *id);
    CDC_TRY(const bool running, sql_.load_snapshot.step());
    if (running) state.snapshot = sql_.load_snapshot.text(0);
    sql_.load_snapshot.reset();
    CDC_TRY(state.files, read_files(*id));
    sql_.load_facts.bind(1, *id);
    for (;;) {
      CDC_TRY(const bool fact, sql_.load_facts.step());
      if (!fact) return state;
      state.facts[sql_.load_facts.text(0)] = sql_.load_facts.text(1);
    }
  }

  Result<std::vector<FilePosition>> read_files(std::int64_t id) {
    std::vector<FilePosition> files;
    Statement& s = sql_.load_files;
    s.bind(1, id);
    for (;;) {
      CDC_TRY(const bool row, s.step());
      if (!row) return files;
      const auto unsigned_number = [&s](int column) { return static_cast<std::uint64_t>(s.number(column)); };
      files.push_back({s.text(0), s.text(1), unsigned_number(2), unsigned_number(3), unsigned_number(4),
                       s.number(5), s.number(6) != 0});
    }
  }

  Result<std::int64_t> id_of(const StateKey& key) {
    const auto known = ids_.find({key.engine, key.partition});
    if (known != ids_.end()) return known->second;
    CDC_TRY(auto id, find(key));
    if (!id) {
      const std::string partition = canonical_json(key.partition);
      CDC_CHECK(sql_.insert.bind(1, key.engine).bind(2, partition).run());
      id = db_.last_row_id();
    }
    ids_[{key.engine, key.partition}] = *id;
    return *id;
  }

  Result<void> write(const StateKey& key, const StateChange& change) {
    CDC_TRY(const std::int64_t id, id_of(key));
    if (change.offset)
      CDC_CHECK(sql_.set_offset.bind(1, id).bind(2, *change.offset).bind(3, wall_clock_ms()).run());
    if (change.snapshot) {
      CDC_CHECK(change.snapshot->empty() ? sql_.drop_snapshot.bind(1, id).run()
                                         : sql_.set_snapshot.bind(1, id).bind(2, *change.snapshot).run());
    }
    for (const auto& [name, text] : change.facts)
      CDC_CHECK(sql_.put_fact.bind(1, id).bind(2, name).bind(3, text).run());
    if (change.files) CDC_CHECK(write_files(id, *change.files));
    return {};
  }

  Result<void> write_files(std::int64_t id, const std::vector<FilePosition>& files) {
    auto known = known_files_.find(id);
    if (known == known_files_.end()) {
      CDC_TRY(const std::vector<FilePosition> stored, read_files(id));
      known = known_files_.try_emplace(id).first;
      for (const FilePosition& file : stored) known->second.emplace(file.path, file);
    }
    // `known` is what the table holds once this transaction is committed; a failed one forgets all of it.
    Files& table = known->second;
    std::size_t kept = 0;
    for (const FilePosition& file : files) {
      const auto [at, added] = table.try_emplace(file.path, file);
      ++kept;
      if (!added && same(at->second, file)) continue;
      at->second = file;
      CDC_CHECK(put_file(id, file));
    }
    if (kept < table.size()) CDC_CHECK(drop_others(id, files, table));
    return {};
  }

  Result<void> put_file(std::int64_t id, const FilePosition& file) {
    const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
    Statement& s = sql_.put_file;
    s.bind(1, id)
        .bind(2, file.path)
        .bind(3, file.final_path)
        .bind(4, number(file.length))
        .bind(5, number(file.lines));
    s.bind(6, number(file.sequence)).bind(7, file.opened_ms).bind(8, std::int64_t{file.finished});
    return s.run();
  }

  Result<void> drop_others(std::int64_t id, const std::vector<FilePosition>& files, Files& table) {
    std::unordered_map<std::string_view, bool> wanted;
    for (const FilePosition& file : files) wanted.emplace(file.path, true);
    for (auto at = table.begin(); at != table.end();) {
      if (wanted.contains(at->first)) {
        ++at;
        continue;
      }
      CDC_CHECK(sql_.drop_file.bind(1, id).bind(2, at->first).run());
      at = table.erase(at);
    }
    return {};
  }

  LockFile lock_;  // goes last
  Database db_;
  Statements sql_;
  bool writable_;
  std::map<std::pair<std::string, std::string>, std::int64_t> ids_;
  std::unordered_map<std::int64_t, Files> known_files_;
};

}  // namespace

Result<std::unique_ptr<StateStore>> open_sqlite_store(const std::string& path, StateAccess access) {
  const bool writable = access == StateAccess::exclusive;
  const auto missing = [&path] { return ::access(path.c_str(), F_OK) != 0; };
  LockFile lock;
  if (writable) {
    CDC_CHECK(make_folders_above(path));
    CDC_TRY(lock, LockFile::take(path));
    if (missing()) CDC_CHECK(make_state_database(path));
  } else if (missing()) {
    return fail(ErrorKind::usage, fmt::format("there is no state at {}", path),
                "Check --state and --name; a first run makes it");
  }
  CDC_TRY(Database db, open_state_database(path, writable));
  Statements statements;
  for (const Row& row : kSql) {
    CDC_TRY(statements.*(row.statement), db.prepare(row.sql));
  }
  return std::make_unique<SqliteStore>(std::move(lock), std::move(db), std::move(statements), writable);
}

}  // namespace cdc
