// States that are torn, foreign, newer, unreadable or on a full disk: one exact error each, and never taken
// for an empty state.
#include <doctest/doctest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "cdc/state.h"
#include "folder.h"

namespace cdc::testing {
namespace {

const StateKey kShop{"shop", R"({"server":"shop"})"};

Error error_of(const std::string& path, StateAccess access = StateAccess::exclusive) {
  auto got = open_state(path, "shop", access);
  if (got) return {ErrorKind::internal, "no error", {}, {}, false};
  CHECK(got.error().message.find(path) != std::string::npos);
  CHECK(!got.error().hint.empty());
  return got.error();
}

void make(const std::string& path, int files = 0) {
  auto store = open_state(path, "shop", StateAccess::exclusive);
  REQUIRE(store);
  StateChange change;
  change.offset = R"({"lsn":1})";
  change.files.emplace();
  for (int i = 0; i < files; ++i)
    change.files->push_back({"/p" + std::to_string(i), "/p" + std::to_string(i), 1, 1, 1, 1, false});
  REQUIRE((*store)->commit(kShop, change));
}

void sql(const std::string& path, const char* text) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
  CHECK(sqlite3_exec(db, text, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(db);
}

}  // namespace

TEST_CASE("CORE-OFF-12: an empty state file is an error") {
  Folder folder;
  for (const char* name : {"s.db", "s.json"}) {
    write_all(folder / name, "");
    for (const auto access : {StateAccess::exclusive, StateAccess::read_only}) {
      const Error error = error_of(folder / name, access);
      CHECK(error.kind == ErrorKind::corrupt);
      CHECK(error.message.find("is empty") != std::string::npos);
    }
  }
}

TEST_CASE("CORE-OFF-12: a JSON state that is cut anywhere is an error") {
  Folder folder;
  const std::string path = folder / "s.json";
  make(path, 2);
  const std::string whole = read_all(path);
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    write_all(path, whole.substr(0, size));
    CHECK(error_of(path).kind == ErrorKind::corrupt);
  }
  write_all(path, whole);
  CHECK(open_state(path, "shop", StateAccess::exclusive));
}

TEST_CASE("JSON of somebody else, of a newer cdc, with unknown members") {
  Folder folder;
  const std::string path = folder / "s.json";
  const auto kind = [&](const std::string& text) {
    write_all(path, text);
    return error_of(path).kind;
  };
  CHECK(kind("{}") == ErrorKind::corrupt);
  CHECK(kind("[1]") == ErrorKind::corrupt);
  CHECK(kind("{\"name\":\"x\"}") == ErrorKind::corrupt);
  CHECK(kind("\x01\x02") == ErrorKind::corrupt);
  CHECK(kind("{\"cdc_state\":1,\"captures\":[{\"engine\":\"\xff\",\"partition\":{}}]}") ==
        ErrorKind::corrupt);
  CHECK(kind(R"({"cdc_state":2,"captures":[]})") == ErrorKind::unsupported);
  CHECK(kind(R"({"cdc_state":1})") == ErrorKind::corrupt);
  CHECK(kind(R"({"cdc_state":1,"captures":[{"engine":"a"}]})") == ErrorKind::corrupt);
  CHECK(kind(R"({"cdc_state":1,"captures":[{"engine":"a","partition":{},"ofset":{}}]})") ==
        ErrorKind::corrupt);
  CHECK(kind(R"({"cdc_state":1,"captures":[{"engine":"a","partition":{},"offset":"x"}]})") ==
        ErrorKind::corrupt);
  CHECK(kind(R"({"cdc_state":1,"captures":[{"engine":"a","partition":{}},{"engine":"a","partition":{}}]})") ==
        ErrorKind::corrupt);
  CHECK(
      kind(
          R"({"cdc_state":1,"captures":[{"engine":"a","partition":{},"files":[{"path":"/x","length":-1}]}]})") ==
      ErrorKind::corrupt);
}

TEST_CASE("a database that is cut, overwritten, of another program or of a newer cdc") {
  Folder folder;
  const std::string path = folder / "s.db";
  make(path, 500);
  const std::string whole = read_all(path);
  REQUIRE(whole.size() > 20'000);
  for (const std::size_t size :
       {std::size_t{10}, std::size_t{100}, std::size_t{5000}, whole.size() / 2, whole.size() - 4096}) {
    CAPTURE(size);
    write_all(path, whole.substr(0, size));
    CHECK(error_of(path).kind == ErrorKind::corrupt);
    CHECK(error_of(path, StateAccess::read_only).kind == ErrorKind::corrupt);
  }
  write_all(path, "this is a text, and quite a long one, longer than the header of a database: " +
                      std::string(200, 'x'));
  CHECK(error_of(path).kind == ErrorKind::corrupt);
  std::string torn = whole;
  for (std::size_t i = 4096; i < 3 * 4096; ++i) torn[i] = 'x';
  write_all(path, torn);
  CHECK(error_of(path).kind == ErrorKind::corrupt);

  const std::string other = folder / "other.db";
  sql(other, "CREATE TABLE songs(title)");
  CHECK(error_of(other).message.find("another program") != std::string::npos);
  write_all(path, whole);
  sql(path, "PRAGMA user_version=2");
  CHECK(error_of(path).kind == ErrorKind::unsupported);
}

TEST_CASE("a state that is missing is made by a run, and an error for a reader") {
  Folder folder;
  for (const char* name : {"s.db", "s.json"}) {
    CHECK(error_of(folder / name, StateAccess::read_only).kind == ErrorKind::usage);
    CHECK(open_state(folder / name, "shop", StateAccess::exclusive));
    CHECK(open_state(folder / name, "shop", StateAccess::read_only));
  }
}

TEST_CASE("paths that cannot be a state") {
  Folder folder;
  for (const char* name : {"s.db", "s.json"}) {
    ::mkdir((folder / name).c_str(), 0700);
    CHECK(error_of(folder / name).kind == ErrorKind::usage);
    write_all(folder / "file", "x");
    CHECK(open_state(folder / (std::string("file/") + name), "shop", StateAccess::exclusive).error().kind ==
          ErrorKind::usage);
  }
}

TEST_CASE("a folder or file without permission is a matter for the user") {
  if (::geteuid() == 0) {
    MESSAGE("root may do everything: left out");
    return;
  }
  for (const char* name : {"s.db", "s.json"}) {
    Folder folder;
    make(folder / name);
    ::chmod((folder / name).c_str(), 0000);
    CHECK(error_of(folder / name).kind == ErrorKind::usage);
    ::chmod((folder / name).c_str(), 0600);
    ::unlink((folder / (std::string(name) + ".lock")).c_str());
    ::chmod(folder.path.c_str(), 0500);
    CHECK(open_state(folder / name, "shop", StateAccess::exclusive).error().kind == ErrorKind::usage);
    CHECK(open_state(folder / name, "shop", StateAccess::read_only));
    CHECK(open_state(folder / (std::string("new") + name), "shop", StateAccess::exclusive).error().kind ==
          ErrorKind::usage);
  }
}

TEST_CASE("a commit that the disk does not take is kind sink and leaves what was stored before") {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"s.db", "s.json"}) {
    Folder folder;
    const std::string path = folder / name;
    make(path);
    auto store = open_state(path, "shop", StateAccess::exclusive);
    REQUIRE(store);
    StateChange big;
    big.offset = R"({"lsn":2})";
    big.facts = {{"big", std::string(3'000'000, 'x')}};
    rlimit old{};
    ::getrlimit(RLIMIT_FSIZE, &old);
    rlimit small = old;
    small.rlim_cur = 1'000'000;  // stands for a full disk
    ::setrlimit(RLIMIT_FSIZE, &small);
    const auto got = (*store)->commit(kShop, big);
    ::setrlimit(RLIMIT_FSIZE, &old);
    REQUIRE(!got);
    CHECK(got.error().kind == ErrorKind::sink);
    CHECK((*store)->load(kShop)->offset == R"({"lsn":1})");
    StateChange next;
    next.offset = R"({"lsn":3})";
    CHECK((*store)->commit(kShop, next));
    store->reset();
    CHECK((*open_state(path, "shop", StateAccess::read_only))->load(kShop)->offset == R"({"lsn":3})");
  }
}

}  // namespace cdc::testing
