// What every form of the state keeps: the same story told to SQLite, JSON and memory.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>

#include "cdc/state.h"
#include "folder.h"

namespace cdc::testing {
namespace {

const StateKey kShop{"shop", R"({"server":"shop"})"};

std::unique_ptr<StateStore> open(const std::string& path, StateAccess access = StateAccess::exclusive) {
  auto got = open_state(path, "shop", access);
  if (!got) FAIL(got.error().message);
  return std::move(*got);
}

FilePosition file(const std::string& path, std::uint64_t length) {
  return {path + ".part", path, length, length / 10, 3, 1'700'000'000'123, length % 2 == 1};
}

void check_file(const FilePosition& got, const FilePosition& want) {
  CHECK(got.path == want.path);
  CHECK(got.final_path == want.final_path);
  CHECK(got.length == want.length);
  CHECK(got.lines == want.lines);
  CHECK(got.sequence == want.sequence);
  CHECK(got.opened_ms == want.opened_ms);
  CHECK(got.finished == want.finished);
}

StateChange offset(std::string text) {
  StateChange change;
  change.offset = std::move(text);
  return change;
}

}  // namespace

TEST_CASE("CORE-OFF-14: a commit comes back whole in the next run") {
  for (const char* name : {"s.db", "s.json"}) {
    CAPTURE(name);
    Folder folder;
    const std::string path = folder / (std::string("deep/er/") + name);
    {
      auto store = open(path);
      CHECK(!store->load(kShop)->offset);
      StateChange change = offset(R"({"lsn":24023128, "txId":571})");
      change.snapshot = R"({"done":[1,2]})";
      change.files = {file("/out/b", 10), file("/out/a \"x\"", 21)};
      change.facts = {{"server.identity", "7312"}, {"tool", "cdc \n\"1\""}};
      REQUIRE(store->commit(kShop, change));
      REQUIRE(store->commit({"other", R"({"server":"x"})"}, offset("{}")));
    }
    struct stat st {};
    REQUIRE(::stat((folder / "deep").c_str(), &st) == 0);
    CHECK((st.st_mode & 077) == 0);
    auto store = open(path);
    CHECK(store->path() == path);
    const StoredState state = *store->load({"shop", "{ \"server\" : \"sho\\u0070\" }"});
    CHECK(state.offset == R"({"lsn":24023128, "txId":571})");
    CHECK(state.snapshot == R"({"done":[1,2]})");
    REQUIRE(state.files.size() == 2);
    const bool sorted = state.files[0].final_path == "/out/b";
    check_file(state.files[sorted ? 0 : 1], file("/out/b", 10));
    check_file(state.files[sorted ? 1 : 0], file("/out/a \"x\"", 21));
    CHECK(state.facts ==
          std::map<std::string, std::string>{{"server.identity", "7312"}, {"tool", "cdc \n\"1\""}});
    REQUIRE(store->keys()->size() == 2);
    CHECK(store->keys()->front().engine == "other");
    CHECK(!store->load({"shop", R"({"server":"other"})"})->offset);
  }
}

TEST_CASE(
    "unset members stay, an empty snapshot is removed, files are the whole set, captures can be removed") {
  for (const char* name : {"s.db", "s.json", "none", ":memory:"}) {
    CAPTURE(name);
    Folder folder;
    auto store = open(name[0] == 's' ? folder / name : name);
    StateChange change = offset("{\"n\":1}");
    change.snapshot = "chunk 7";
    change.facts = {{"a", "1"}};
    change.files = {file("/1", 1), file("/2", 2), file("/3", 3)};
    REQUIRE(store->commit(kShop, change));
    StateChange next;
    next.facts = {{"b", "2"}};
    next.files = {file("/2", 2), file("/3", 30), file("/4", 4)};
    REQUIRE(store->commit(kShop, next));
    StoredState state = *store->load(kShop);
    CHECK(state.offset == "{\"n\":1}");
    CHECK(state.snapshot == "chunk 7");
    CHECK(state.facts.size() == 2);
    REQUIRE(state.files.size() == 3);
    check_file(state.files[0], file("/2", 2));
    check_file(state.files[1], file("/3", 30));
    check_file(state.files[2], file("/4", 4));
    next = {};
    next.snapshot = "";
    next.files.emplace();
    REQUIRE(store->commit(kShop, next));
    state = *store->load(kShop);
    CHECK(!state.snapshot);
    CHECK(state.files.empty());
    REQUIRE(store->remove(kShop));
    CHECK(store->keys()->empty());
    CHECK(!store->load(kShop)->offset);
    REQUIRE(store->commit(kShop, offset("{\"n\":2}")));
    CHECK(store->load(kShop)->offset == "{\"n\":2}");
    CHECK(store->load(kShop)->facts.empty());
  }
}

TEST_CASE("a state behind a symbolic link stays where the link leads") {
  const Folder folder;
  std::filesystem::create_directory(folder / "disk");
  for (const std::string name : {"s.db", "s.json"}) {
    CAPTURE(name);
    const std::string link = folder / name;
    std::filesystem::create_symlink("disk/" + name, link);
    for (const std::string position : {R"({"lsn":1})", R"({"lsn":2})"}) {
      auto store = open(link);
      REQUIRE(store->commit(kShop, offset(position)));
      CHECK(!open_state(folder / ("disk/" + name), "shop", StateAccess::exclusive));  // locked by either name
    }
    CHECK(std::filesystem::is_symlink(link));
    CHECK(std::filesystem::is_regular_file(folder / ("disk/" + name)));
    auto store = open(folder / ("disk/" + name));
    auto stored = store->load(kShop);
    REQUIRE(stored);
    CHECK(stored->offset == R"({"lsn":2})");
  }
}

TEST_CASE("a state behind links that lead in a circle is refused") {
  const Folder folder;
  std::filesystem::create_symlink("b.json", folder / "a.json");
  std::filesystem::create_symlink("a.json", folder / "b.json");
  const auto got = open_state(folder / "a.json", "shop", StateAccess::exclusive);
  REQUIRE(!got);
  CHECK(got.error().kind == ErrorKind::usage);
  CHECK(got.error().hint.find("circle") != std::string::npos);
}

TEST_CASE("two processes with one state: the second is refused and told the first's pid") {
  for (const char* name : {"s.db", "s.json"}) {
    Folder folder;
    const std::string path = folder / name;
    int ready[2], go[2];
    REQUIRE((::pipe(ready) == 0 && ::pipe(go) == 0));
    const pid_t child = ::fork();
    if (child == 0) {
      auto store = open_state(path, "shop", StateAccess::exclusive);
      char c = store && (*store)->commit(kShop, offset("{\"n\":1}")) ? 'y' : 'n';
      [[maybe_unused]] auto n = ::write(ready[1], &c, 1);
      n = ::read(go[0], &c, 1);
      ::_exit(0);  // as a killed process goes: nothing is closed in order
    }
    char c = 'n';
    REQUIRE(::read(ready[0], &c, 1) == 1);
    CHECK(c == 'y');
    const auto second = open_state(path, "shop", StateAccess::exclusive);
    REQUIRE(!second);
    CHECK(second.error().kind == ErrorKind::usage);
    CHECK(second.error().message.find("process " + std::to_string(child)) != std::string::npos);
    CHECK(second.error().message.find(path) != std::string::npos);
    // Looking at it is allowed.
    CHECK(open(path, StateAccess::read_only)->load(kShop)->offset == "{\"n\":1}");
    CHECK(!open(path, StateAccess::read_only)->commit(kShop, offset("{}")));
    REQUIRE(::write(go[1], "x", 1) == 1);
    ::waitpid(child, nullptr, 0);
    CHECK(open(path)->load(kShop)->offset == "{\"n\":1}");
    for (const int fd : {ready[0], ready[1], go[0], go[1]}) ::close(fd);
  }
}

TEST_CASE("the default place follows XDG_STATE_HOME and HOME") {
  Folder folder;
  ::setenv("XDG_STATE_HOME", folder.path.c_str(), 1);
  CHECK(open("")->path() == folder / "cdc/shop.db");
  ::unsetenv("XDG_STATE_HOME");
  ::setenv("HOME", folder.path.c_str(), 1);
  CHECK((*open_state("", "../x", StateAccess::exclusive))->path() == folder / ".local/state/cdc/%2E.%2Fx.db");
  ::unsetenv("HOME");
  CHECK(open_state("", "shop", StateAccess::exclusive).error().kind == ErrorKind::usage);
  CHECK(open_state("state", "shop", StateAccess::exclusive).error().kind == ErrorKind::usage);
}

TEST_CASE("a commit is quick, with ten thousand files, too") {
  Folder folder;
  auto store = open(folder / "s.db");
  StateChange change = offset("{\"n\":0}");
  change.files.emplace();
  for (int i = 0; i < 10'000; ++i) change.files->push_back(file("/out/" + std::to_string(i), 7));
  REQUIRE(store->commit(kShop, change));
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 1; i <= 20; ++i) {
    change.offset = "{\"n\":" + std::to_string(i) + "}";
    (*change.files)[static_cast<std::size_t>(i)].length = 1000;
    REQUIRE(store->commit(kShop, change));
  }
  const auto took = std::chrono::steady_clock::now() - begin;
  MESSAGE("ms a commit: " << std::chrono::duration<double, std::milli>(took).count() / 20);
  CHECK(took < std::chrono::seconds(4));
}

}  // namespace cdc::testing
