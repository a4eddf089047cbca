// A thin, throwing-free skin over SQLite: database, statement, errors as ours. sqlite3.h stays inside the
// .cc file.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cdc {

// One prepared statement. Parameters count from 1, columns from 0. Lives no longer than its database.
class Statement {
 public:
  Statement() = default;
  // `text` must stay as it is until the statement is reset.
  Statement& bind(int at, std::string_view text);
  Statement& bind(int at, std::int64_t number);
  // True: there is a row to look at. Resets itself when there is none.
  Result<bool> step();
  // Runs a statement that gives no rows.
  Result<void> run();
  void reset();

  std::string text(int column) const;
  std::optional<std::string> optional_text(int column) const;
  std::int64_t number(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3_stmt* statement, const std::string* path) : statement_(statement), path_(path) {}
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const std::string* path_ = nullptr;
};

class Database {
 public:
  enum class Mode : std::uint8_t {
    create,
    read_write,
    read_only,
    frozen,  // read-only, in a folder where SQLite cannot make its helper files, with nobody writing
  };
  static Result<Database> open(const std::string& path, Mode mode);

  Result<void> execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  Result<std::int64_t> number(std::string_view sql);  // of the first column of the first row
  Result<std::string> text(std::string_view sql);
  std::int64_t last_row_id() const;
  // In the path of errors.
  const std::string& path() const { return *path_; }

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  Database(sqlite3* db, std::string path) : db_(db), path_(std::make_unique<std::string>(std::move(path))) {}
  std::unique_ptr<sqlite3, Close> db_;
  std::unique_ptr<std::string> path_;
};

}  // namespace cdc
