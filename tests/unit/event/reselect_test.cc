// The post-processor reselect: which cells are read again, when, and what stays when that fails.
#include "event/reselect.h"

#include <doctest/doctest.h>

#include "event/stream_observer.h"
#include "streaming.h"

using namespace cdc;
using namespace cdc::test;

namespace {

// Answers with what the test put in, and notes what was asked: "public.people id=1: name".
class FakeRows : public RowReader {
 public:
  Result<std::optional<Values>> read(const RowRequest& request) override {
    std::string line = request.table.id.schema + "." + request.table.id.table;
    for (const std::size_t k : request.key)
      line += " " + request.table.columns[k].name + "=" + std::string(request.row[k].data);
    line += ":";
    for (const std::size_t c : request.columns) line += " " + request.table.columns[c].name;
    asked.push_back(line);
    if (error) return tl::unexpected<Error>(*error);
    if (gone) return std::nullopt;
    Values values;
    for (const std::size_t c : request.columns) values.push_back(row.at(c));
    return values;
  }
  std::vector<std::optional<std::string>> row{"9", "Ann", "30"};
  std::vector<std::string> asked;
  std::optional<Error> error;
  bool gone = false;
};

Cell toast() { return {Cell::Kind::unavailable, {}}; }

TableShape toasted() {
  TableShape shape = people();
  shape.columns[1].codec.unavailable_json = "\"unavailable\"";
  return shape;
}

struct Stream : Streaming {
  explicit Stream(std::initializer_list<std::pair<std::string_view, std::string_view>> properties)
      : Streaming(properties) {
    events->set_rows(&rows);
  }
  FakeRows rows;
};

#define RESELECT \
  {"post.processors", "re"}, { "re.type", "io.debezium.processors.reselect.ReselectColumnsPostProcessor" }

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("CORE-PP-01: unavailable and null values are read again by the primary key") {
  Stream s({RESELECT});
  const auto table = s.events->table(toasted()).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
  CHECK(holds(s.out(), "\"after\":{\"id\":1,\"name\":\"Ann\",\"age\":30}"));
  CHECK(s.rows.asked == std::vector<std::string>{"public.people id=1: name age"});
  s.rows.row[2].reset();
  REQUIRE(s.push(table, Op::create, {}, {value("2"), value("Bo"), null()}));
  CHECK(holds(s.out(), "\"after\":{\"id\":2,\"name\":\"Bo\",\"age\":null}"));
  CHECK(s.rows.asked.back() == "public.people id=2: age");
  REQUIRE(s.push(table, Op::create, {}, {value("3"), value("Cy"), value("5")}));
  CHECK(s.rows.asked.size() == 2);
}

TEST_CASE("CORE-PP-01: the lists and switches say which columns") {
  SUBCASE("include") {
    Stream s({RESELECT, {"re.reselect.columns.include.list", "public.PEOPLE:age"}});
    const auto table = s.events->table(toasted()).value();
    REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
    CHECK(holds(s.out(), "\"name\":\"unavailable\",\"age\":30"));
  }
  SUBCASE("exclude") {
    Stream s({RESELECT, {"re.reselect.columns.exclude.list", "public.people:age"}});
    const auto table = s.events->table(toasted()).value();
    REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
    CHECK(holds(s.out(), "\"name\":\"Ann\",\"age\":null"));
  }
  SUBCASE("no nulls") {
    Stream s({RESELECT, {"re.reselect.null.values", "false"}});
    const auto table = s.events->table(toasted()).value();
    REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
    CHECK(holds(s.out(), "\"name\":\"Ann\",\"age\":null"));
  }
  SUBCASE("no unavailable values") {
    Stream s({RESELECT, {"re.reselect.unavailable.values", "false"}});
    const auto table = s.events->table(toasted()).value();
    REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
    CHECK(holds(s.out(), "\"name\":\"unavailable\",\"age\":30"));
  }
}

TEST_CASE("CORE-PP-01: deletes, skipped and unchanged events ask for nothing") {
  Stream s({RESELECT, {"skipped.operations", "c"}, {"skip.messages.without.change", "true"}});
  const auto table = s.events->table(toasted()).value();
  REQUIRE(s.push(table, Op::remove, {value("1"), null(), null()}, {}));
  REQUIRE(s.push(table, Op::create, {}, {value("2"), value("Bo"), null()}));
  REQUIRE(
      s.push(table, Op::update, {value("3"), value("Cy"), null()}, {value("3"), value("Cy"), null()}, true));
  CHECK(s.rows.asked.empty());
  CHECK(holds(s.out(), "\"op\":\"d\""));
}

TEST_CASE("CORE-PP-01, CORE-DSP-05: of a changed key the create alone is completed, by the new key") {
  Stream s({RESELECT});
  const auto table = s.events->table(toasted()).value();
  REQUIRE(s.push(table, Op::update, {value("1"), absent(), absent()}, {value("3"), toast(), value("4")}));
  const std::string out = s.out();
  CHECK(holds(out, "\"before\":{\"id\":1,\"name\":\"\",\"age\":null},\"after\":null"));
  CHECK(holds(out, "\"before\":null,\"after\":{\"id\":3,\"name\":\"Ann\",\"age\":4}"));
  CHECK(s.rows.asked == std::vector<std::string>{"public.people id=3: name"});
}

TEST_CASE("CORE-PP-01: the row is found by the event's key where that is asked for") {
  Stream s({RESELECT, {"re.reselect.use.event.key", "true"}, {"message.key.columns", "public.people:name"}});
  const auto table = s.events->table(toasted()).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), value("Ann"), null()}));
  CHECK(s.rows.asked == std::vector<std::string>{"public.people name=Ann: age"});
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));  // what is not known finds no row
  CHECK(s.rows.asked.size() == 1);
  CHECK(s.log.has("the log did not carry the key column name"));
}

TEST_CASE("CORE-PP-01: a table without key is told about once and left as it is") {
  Stream s({RESELECT});
  TableShape shape = toasted();
  shape.key.clear();
  const auto table = s.events->table(std::move(shape)).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
  CHECK(s.rows.asked.empty());
  CHECK(s.log.has("public.people: the table has no primary key"));
}

TEST_CASE("CORE-PP-01: a row that is gone and a failure leave the values, with a line that names them") {
  Stream s({RESELECT});
  const auto table = s.events->table(toasted()).value();
  s.rows.gone = true;
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
  CHECK(holds(s.out(), "\"after\":{\"id\":1,\"name\":\"unavailable\",\"age\":null}"));
  CHECK(s.log.has("re: name, age of public.people (id=1) not read again"));
  s.rows.gone = false;
  s.rows.error = Error{ErrorKind::refused, "permission denied", "GRANT SELECT", "42501", false};
  REQUIRE(s.push(table, Op::update, {}, {value("2"), toast(), value("4")}));
  CHECK(holds(s.out(), "\"after\":{\"id\":2,\"name\":\"unavailable\",\"age\":4}"));
  CHECK(s.log.has("permission denied (GRANT SELECT)"));
}

TEST_CASE(
    "CORE-PP-01: error mode fail stops at the event; a lost connection is never a trouble of the event") {
  Stream s({RESELECT, {"re.reselect.error.handling.mode", "fail"}});
  const auto table = s.events->table(toasted()).value();
  s.rows.error = Error{ErrorKind::refused, "permission denied", "GRANT SELECT", "42501", false};
  const auto failed = s.push(table, Op::update, {}, {value("1"), toast(), null()});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::event);
  CHECK(failed.error().hint == "GRANT SELECT");
  CHECK(s.out().empty());

  Stream w({RESELECT});
  const auto other = w.events->table(toasted()).value();
  w.rows.error = Error{ErrorKind::unreachable, "connection lost", "", "", true};
  const auto lost = w.push(other, Op::update, {}, {value("1"), toast(), null()});
  REQUIRE_FALSE(lost);
  CHECK(lost.error().retriable);
  CHECK(w.out().empty());
}

TEST_CASE(
    "CORE-PP-01, PG-TOAST-01: a value without placeholder is told about only when it was not read again") {
  Stream s({RESELECT});
  const auto table = s.events->table(people()).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), value("4")}));
  CHECK(holds(s.out(), "\"name\":\"Ann\""));
  CHECK_FALSE(s.log.has("value not sent by the server"));
  s.rows.gone = true;
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), value("4")}));
  CHECK(holds(s.out(), "\"name\":null"));
  CHECK(s.log.has("value not sent by the server"));
}

TEST_CASE("CORE-DSP-03: values are read again after the window of an incremental snapshot was looked at") {
  struct Watcher : StreamObserver {
    explicit Watcher(FakeRows& r) : rows(r) {}
    Result<void> between(StreamOutput&) override { return {}; }
    Result<void> row(const RowChange&, StreamOutput&) override { return {}; }
    Result<void> event(const RowChange&, std::string_view key, StreamOutput&) override {
      rows.asked.push_back("window " + std::string(key));
      return {};
    }
    Result<void> commit(StreamOutput&) override { return {}; }
    Result<std::chrono::milliseconds> idle(StreamOutput&) override { return std::chrono::milliseconds(1000); }
    void append_offset(std::string&) const override {}
    FakeRows& rows;
  };
  Stream s({RESELECT});
  Watcher watcher(s.rows);
  s.events->set_observer(&watcher);
  const auto table = s.events->table(toasted()).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), value("4")}));
  CHECK(s.rows.asked == std::vector<std::string>{"window {\"id\":1}", "public.people id=1: name"});
}

TEST_CASE("CORE-PP-01: a table compiled anew takes the place of the former; two processors work in turn") {
  Stream s({{"post.processors", "a,b"},
            {"a.type", "reselect"},
            {"a.reselect.columns.include.list", ".*:name"},
            {"b.type", "reselect"},
            {"b.reselect.columns.include.list", ".*:age"}});
  auto table = s.events->table(toasted()).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
  CHECK(s.rows.asked == std::vector<std::string>{"public.people id=1: name", "public.people id=1: age"});
  CHECK(holds(s.out(), "\"name\":\"Ann\",\"age\":30"));
  TableShape keyless = toasted();
  keyless.key.clear();
  table = s.events->table(std::move(keyless)).value();
  REQUIRE(s.push(table, Op::update, {}, {value("1"), toast(), null()}));
  CHECK(s.rows.asked.size() == 2);
}
