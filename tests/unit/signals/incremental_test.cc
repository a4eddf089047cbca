// Incremental snapshots on a table in memory: windows, the queue, what is kept over restarts.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "../event/streaming.h"
#include "fake_reader.h"
#include "json/json_read.h"
#include "signals/signal_desk.h"

using namespace cdc;
using namespace cdc::test;

namespace {

using Properties = std::initializer_list<std::pair<std::string_view, std::string_view>>;

struct Capture : Streaming {
  explicit Capture(Properties properties, const std::string& offset = "") : Streaming(properties, offset) {
    desk = SignalDesk::make(*room, offset);
    REQUIRE(desk != nullptr);
    events->set_observer(desk.get());
    desk->attach(&reader);
    TableShape shape = people();
    shape.id.table = "sig";
    shape.columns = {column("id", Type::string, false), column("type", Type::string, false),
                     column("data", Type::string, true)};
    signals = events->table(shape).value();
  }
  void signal(std::string_view id, std::string_view type, std::string_view data) {
    REQUIRE(push(signals, Op::create, {}, {value(id), value(type), value(data)}));
  }
  // The stream brings the watermarks that were written, and those that this leads to.
  void run(std::size_t most = 100) {
    while (!reader.written.empty() && most-- > 0) {
      const auto row = reader.written.front();
      reader.written.erase(reader.written.begin());
      const std::vector<Cell> cells{value(row.id), value(row.type), value(row.data)};
      if (row.type == "deleted")
        REQUIRE(push(signals, Op::remove, cells, {}, true));
      else
        REQUIRE(push(signals, Op::create, {}, cells));
    }
  }
  void change(const std::string& table, Op op, std::string_view id, std::string_view name) {
    const auto handle = events->table(reader.known[table].shape).value();
    const std::vector<Cell> cells{value(id), value(name), null()};
    if (op == Op::remove)
      REQUIRE(push(handle, op, cells, {}, true));
    else
      REQUIRE(push(handle, op, {}, cells));
  }
  // "r1 r2 c9 N:COMPLETED": reads and changes by their id, notifications by their type; signal rows left out.
  std::string out() {
    const std::string text = Streaming::out();
    std::string words;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      at = end + 1;
      if (line.find(".sig ") != std::string::npos || line.find(" tombstone") != std::string::npos) continue;
      if (!words.empty()) words += ' ';
      if (line.starts_with("notes ")) {
        const std::size_t type = line.find("\"type\":\"") + 8;
        words += "N:" + line.substr(type, line.find('"', type) - type);
        last_notification = line;
        continue;
      }
      const std::size_t op = line.find("\"op\":\"") + 6, id = line.find("\"id\":") + 5;
      words += line[op] + line.substr(id, line.find_first_of(",}", id) - id);
    }
    return words;
  }
  FakeReader reader;
  std::unique_ptr<SignalDesk> desk;
  TableHandle signals;
  std::string last_notification;
};

constexpr std::pair<std::string_view, std::string_view> kTable{"signal.data.collection", "public.sig"},
    kTwo{"incremental.snapshot.chunk.size", "2"}, kSink{"notification.enabled.channels", "sink"},
    kTopic{"notification.sink.topic.name", "notes"};

std::string member(const std::string& offset, std::string_view name) {
  const auto members = json::members(offset);
  REQUIRE(members);
  for (const auto& [member_name, text] : *members)
    if (member_name == name) return std::string(text);
  return "";
}

}  // namespace

TEST_CASE("CORE-INC-05, -08: chunks are read one by one, each written when its close watermark comes by") {
  Capture c({kTable, kTwo, kSink, kTopic});
  c.reader.add("public.t", {{1, "a"}, {2, "b"}, {3, "c"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  CHECK(c.out() == "N:STARTED N:IN_PROGRESS");
  REQUIRE(c.reader.written.size() == 2);
  CHECK(c.reader.written[0].id.ends_with("-open"));
  CHECK(c.reader.written[1].type == "snapshot-window-close");
  c.run();
  CHECK(c.out() == "r1 r2 N:IN_PROGRESS r3 N:TABLE_SCAN_COMPLETED N:COMPLETED");
}

TEST_CASE("CORE-INC-07, -09: events in the window win over rows of the chunk; before it they do not") {
  Capture c({kTable, {"incremental.snapshot.chunk.size", "10"}});
  c.reader.add("public.t", {{1, "a"}, {2, "b"}, {3, "c"}, {4, "d"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  c.change("public.t", Op::update, "1", "early");
  c.run(1);  // the open watermark
  c.change("public.t", Op::update, "2", "late");
  c.change("public.t", Op::remove, "3", "c");
  c.run();
  CHECK(c.out() == "u1 u2 d3 r1 r4");
}

TEST_CASE("CORE-INC-07: watermarks of other runs are ignored") {
  Capture c({kTable});
  c.reader.add("public.t", {{1, "a"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  c.signal("00000000-0000-4000-8000-000000000000-close", "snapshot-window-close", "{}");
  CHECK(c.out() == "");
}

TEST_CASE("CORE-INC-06: insert_delete closes a window with the deletion of its open row") {
  Capture c({kTable, {"incremental.snapshot.watermarking.strategy", "insert_delete"}});
  c.reader.add("public.t", {{1, "a"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  REQUIRE(c.reader.written.size() == 2);
  CHECK(c.reader.written[1].type == "deleted");
  c.run();
  CHECK(c.out() == "r1");
}

TEST_CASE("a condition for a table that the signal does not ask for is told") {
  Capture c({kTable});
  c.reader.add("public.t", {{1, "a"}});
  c.signal(
      "7", "execute-snapshot",
      R"({"data-collections":["public.t"],"additional-conditions":[{"data-collection":"public.x","filter":"id > 2"}]})");
  CHECK(c.log.has("signal '7' (execute-snapshot): its condition for public.x is that of no table"));
}

TEST_CASE(
    "CORE-SIG-05, CORE-SIG-06: lines of the file; what the server's loss interrupts is taken up again") {
  char name[] = "/tmp/cdc-signals-XXXXXX";
  const std::string folder = ::mkdtemp(name), file = folder + "/signals.txt";
  Capture c({kTable, {"signal.enabled.channels", "file"}, {"signal.file", file}});
  c.reader.add("public.t", {{1, "a"}});
  std::ofstream(file) << "no signal\n"
                      << R"({"id":"1","type":"execute-snapshot","data":{"data-collections":["public.t"]}})"
                      << "\n\n"
                      << R"({"id":"2","type":"log","data":{"message":"at {}"}})"
                      << "\n";
  c.reader.lost = true;
  const auto lost = c.desk->idle(c.events->output());
  REQUIRE_FALSE(lost.has_value());
  CHECK(lost.error().kind == ErrorKind::unreachable);
  CHECK(c.log.has("a line is no signal and is passed over"));
  CHECK(c.stats.erroneous == 1);
  CHECK(std::filesystem::is_empty(file));
  c.reader.lost = false;
  c.desk->attach(&c.reader);
  REQUIRE(c.desk->commit(c.events->output()));
  CHECK(c.log.has("at {\"lsn\":1"));
  c.run();
  CHECK(c.out() == "r1");
  std::filesystem::remove_all(folder);
}

TEST_CASE("CORE-INC-02, -03, -04: regexes, conditions, twice in the queue") {
  Capture c({kTable});
  c.reader.add("public.a1", {{1, "a"}});
  c.reader.add("public.a2", {{2, "a"}});
  c.reader.add("public.b", {{3, "b"}});
  c.signal(
      "s", "execute-snapshot",
      R"({"data-collections":["public\\.a.","public.b","PUBLIC.A1"],"additional-conditions":[{"data-collection":"PUBLIC.B","filter":"id > 2"}]})");
  c.signal("s2", "execute-snapshot", R"({"data-collections":["public.b"]})");
  c.run();
  CHECK(c.out() == "r1 r2 r3 r3");
  CHECK(c.log.has("there is no captured table PUBLIC.A1"));
  CHECK(c.reader.conditions == std::vector<std::string>{"", "", "", "", "id > 2", "id > 2", "", ""});
}

TEST_CASE("CORE-INC-27: a failed collection is told and the next one is read at once") {
  Capture c({kTable, kSink, kTopic});
  c.reader.add("public.a", {{1, "a"}}).broken = "no such function";
  c.reader.add("public.b", {{2, "b"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.a","public.b"]})");
  CHECK(c.out() == "N:STARTED N:TABLE_SCAN_COMPLETED N:IN_PROGRESS");
  CHECK(c.log.has("public.a: no such function"));
  c.run();
  CHECK(c.out() == "r2 N:TABLE_SCAN_COMPLETED N:COMPLETED");
}

TEST_CASE("CORE-INC-27: no watermark can be written") {
  Capture c({kTable, kSink, kTopic});
  c.reader.add("public.a", {{1, "a"}});
  c.reader.add("public.b", {{2, "b"}});
  c.reader.unwritable = true;
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.a","public.b"]})");
  CHECK(c.out() == "N:STARTED N:TABLE_SCAN_COMPLETED N:TABLE_SCAN_COMPLETED N:COMPLETED");
  CHECK(c.log.has("the open watermark could not be written to public.sig: permission denied"));
}

TEST_CASE("CORE-INC-20: tables without a key; with a surrogate key the window goes by its value") {
  Capture c({kTable, kSink, kTopic});
  auto& table = c.reader.add("public.t", {{1, "a"}, {2, "b"}, {3, "c"}}, false);
  table.unique = false;
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  CHECK(c.out() == "N:STARTED N:TABLE_SCAN_COMPLETED N:COMPLETED");
  CHECK(c.last_notification.find("NO_PRIMARY_KEY") == std::string::npos);  // of COMPLETED
  CHECK(c.log.has("it has no key to read it by"));
  c.reader.written.clear();
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"],"surrogate-key":"id"})");
  CHECK(c.log.has("public.t: surrogate-key id has no unique index"));
  c.run(1);
  c.change("public.t", Op::update, "2", "new");
  c.run();
  CHECK(c.out() == "N:STARTED N:IN_PROGRESS u2 r1 r3 N:TABLE_SCAN_COMPLETED N:COMPLETED");
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"],"surrogate-key":"nothing"})");
  CHECK(c.log.has("it has no column nothing (surrogate-key)"));
}

TEST_CASE("CORE-INC-14: a pause lets the open window end; resume reads on") {
  Capture c({kTable, {"incremental.snapshot.chunk.size", "1"}, kSink, kTopic});
  c.reader.add("public.t", {{1, "a"}, {2, "b"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  c.signal("p", "pause-snapshot", R"({"type":"incremental"})");
  c.run();
  CHECK(c.out() == "N:STARTED N:IN_PROGRESS N:PAUSED r1");
  c.signal("r", "resume-snapshot", "{}");
  c.run();
  CHECK(c.out() == "N:RESUMED N:IN_PROGRESS r2 N:TABLE_SCAN_COMPLETED N:COMPLETED");
}

TEST_CASE("CORE-INC-14: resumed while the window is still open, no row is lost") {
  Capture c({kTable, {"incremental.snapshot.chunk.size", "1"}});
  c.reader.add("public.t", {{1, "a"}, {2, "b"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  c.signal("p", "pause-snapshot", "{}");
  c.signal("r", "resume-snapshot", "{}");
  c.run();
  CHECK(c.out() == "r1 r2");
}

TEST_CASE("CORE-INC-15: stop one, stop all, stop when paused") {
  Capture c({kTable, {"incremental.snapshot.chunk.size", "1"}, kSink, kTopic});
  c.reader.add("public.a", {{1, "a"}, {2, "b"}});
  c.reader.add("public.b", {{3, "c"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.a","public.b"]})");
  c.signal("x", "stop-snapshot", R"({"data-collections":["public.a"]})");
  c.run();
  CHECK(c.out() ==
        "N:STARTED N:IN_PROGRESS r1 N:ABORTED N:IN_PROGRESS r3 N:TABLE_SCAN_COMPLETED N:COMPLETED");
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.a","public.b"]})");
  c.signal("x", "stop-snapshot", "{}");
  c.run();
  CHECK(c.out() == "N:STARTED N:IN_PROGRESS r1 N:COMPLETED N:ABORTED");
  CHECK(c.last_notification.find("\"public.b,public.a\"") != std::string::npos);
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.a"]})");
  c.signal("p", "pause-snapshot", "{}");
  c.run();
  c.signal("x", "stop-snapshot", "{}");
  CHECK(c.out() == "N:STARTED N:IN_PROGRESS N:PAUSED r1 N:COMPLETED N:ABORTED");
  c.signal("x", "stop-snapshot", "{}");  // nothing runs
  CHECK(c.out() == "");
}

TEST_CASE("CORE-OFF-07: what of a stored snapshot cannot be understood is told") {
  const auto told = [](const std::string& collections) {
    Capture c({kTable}, R"({"lsn":1,"incremental_snapshot_collections":)" + collections + "}");
    return c.log.has("not all can be understood");
  };
  CHECK(told("7"));
  CHECK(told(R"("x")"));
  CHECK(told(R"("[{\"incremental_snapshot_collections_id\":\"public.t\"},7]")"));
  CHECK(told(R"("[{}]")"));
  CHECK_FALSE(told("null"));
  CHECK_FALSE(told(R"("[]")"));
  CHECK_FALSE(told(R"("[{\"incremental_snapshot_collections_id\":\"public.t\"}]")"));
}

TEST_CASE("CORE-INC-13, CORE-OFF-07: the offset tells what was written, and a restart goes on behind it") {
  std::string stored;
  {
    Capture c({kTable, kTwo});
    c.reader.add("public.t", {{1, "a"}, {2, "b"}, {3, "c"}});
    c.signal(
        "s", "execute-snapshot",
        R"({"data-collections":["public.t"],"additional-conditions":[{"data-collection":"public.t","filter":"id > 0"}]})");
    CHECK(member(c.events->checkpoint().offset, "incremental_snapshot_primary_key") == "null");
    CHECK(member(c.events->checkpoint().offset, "incremental_snapshot_maximum_key") ==
          R"([{"t":"int32","v":3}])");
    c.run(2);
    stored = c.events->checkpoint().offset;
  }
  CHECK(member(stored, "lsn") == "1");
  CHECK(member(stored, "incremental_snapshot_primary_key") == R"([{"t":"int32","v":2}])");
  CHECK(member(stored, "incremental_snapshot_correlation_id") == "\"s\"");
  Capture c({kTable, kTwo}, stored);
  c.reader.add("public.t", {{1, "a"}, {2, "b"}, {3, "c"}, {4, "new"}});
  CHECK(c.events->checkpoint().offset == stored);  // a second crash finds the same place
  REQUIRE(c.events->end_transaction());
  c.run();
  CHECK(c.out() == "r3");
  CHECK(c.events->checkpoint().offset == "{\"lsn\":1}");
}

TEST_CASE("CORE-INC-13: a lost connection has the chunk under way read again") {
  Capture c({kTable, kTwo});
  c.reader.add("public.t", {{1, "a"}, {2, "b"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  const auto old = std::exchange(c.reader.written, {});
  c.desk->attach(&c.reader);
  REQUIRE(c.events->end_transaction());
  c.signal(old[1].id, old[1].type, old[1].data);  // of the old chunk: ignored
  CHECK(c.out() == "");
  c.run();
  CHECK(c.out() == "r1 r2");
}

TEST_CASE("CORE-INC-24: read-only windows close at rows, at commits and at rest") {
  const std::string offset =
      R"({"lsn":1,"incremental_snapshot_collections":"[{\"incremental_snapshot_collections_id\":\"public.t\"}]","incremental_snapshot_primary_key":null})";
  Capture c({{"read.only", "true"}, kTwo}, offset);
  c.reader.add("public.t", {{1, "a"}, {2, "b"}, {3, "c"}});
  REQUIRE(c.events->end_transaction());
  CHECK(c.reader.written.empty());
  CHECK(c.reader.lows == 1);
  c.change("public.t", Op::update, "2", "late");
  CHECK(c.out() == "u2");
  c.reader.over = {WindowMoment::commit};
  REQUIRE(c.events->end_transaction());
  CHECK(c.out() == "r1 r3");
  CHECK(c.events->checkpoint().offset == "{\"lsn\":1}");
}

TEST_CASE("a truncation in the window leaves nothing to write") {
  Capture c({kTable, {"skipped.operations", "none"}});
  c.reader.add("public.t", {{1, "a"}});
  c.signal("s", "execute-snapshot", R"({"data-collections":["public.t"]})");
  c.run(1);
  REQUIRE(c.events->truncate(*c.events->table(c.reader.known["public.t"].shape).value()));
  c.run();
  CHECK(c.out().find("r1") == std::string::npos);
}

TEST_CASE("CORE-SIG-02, -06: bad signals are told and ignored") {
  Capture c({kTable});
  c.reader.add("public.t", {{1, "a"}});
  c.signal("1", "no-such-type", "{}");
  c.signal("2", "execute-snapshot", R"({"data-collections": ["public.t")");
  c.signal("3", "execute-snapshot", R"({"data-collections": [["public.t"]]})");
  c.signal("4", "execute-snapshot", R"({"type":"strange","data-collections":["public.t"]})");
  c.signal("5", "execute-snapshot", R"({"data-collections":["public.["]})");
  for (const char* id : {"'1'", "'2'", "'3'", "'4'", "'5'"}) CHECK(c.log.has(std::string("signal ") + id));
  c.signal("6", "log", R"({"message":"now {}, yes {}"})");
  CHECK(c.log.has(R"(signal: now {"lsn":1}, yes {"lsn":1})"));
  CHECK(c.reader.written.empty());

  TableShape shape = c.signals->shape;
  shape.columns.push_back(column("at", Type::int32, true));
  const auto four = c.events->table(shape).value();
  const std::vector<Cell> cells{value("7"), value("execute-snapshot"),
                                value(R"({"data-collections":["public.t"]})"), null()};
  REQUIRE(c.events->row({four.get(), Op::create, {}, cells, false}));
  CHECK(c.log.has("a signal table has three columns"));
  CHECK(c.reader.written.empty());
}

TEST_CASE("CORE-BLK-01, -03: blocking snapshots run behind the event that asked for them, one by one") {
  Capture c({kTable});
  for (const char* name : {"public.a", "public.b", "public.sig"}) c.reader.add(name);
  std::vector<std::vector<OnDemandTable>> runs;
  c.desk->on_blocking([&](const std::vector<OnDemandTable>& tables, StreamOutput&) -> Result<void> {
    runs.push_back(tables);
    return {};
  });
  c.signal(
      "1", "execute-snapshot",
      R"({"type":"BLOCKING","data-collections":["PUBLIC.A, public.b"],"additional-conditions":[{"data-collection":"public.b","filter":"SELECT 1"}]})");
  c.signal("2", "execute-snapshot", R"({"type":"blocking","data-collections":["public.sig"]})");
  CHECK(runs.size() == 1);
  c.signal("3", "execute-snapshot", R"({"type":"blocking","data-collections":["public.b"]})");
  CHECK(runs.size() == 2);
  REQUIRE(c.events->end_transaction());
  REQUIRE(runs.size() == 3);
  REQUIRE(runs[0].size() == 2);
  CHECK(runs[0][0].collection == "public.a");
  CHECK(runs[0][1].select == "SELECT 1");
  CHECK(runs[1].empty());  // the signal table is never read
  CHECK(c.log.has("no captured table has a name"));
  CHECK(runs[2][0].collection == "public.b");
}

TEST_CASE("without channels and without an unfinished snapshot nobody watches the stream") {
  Room room;
  CHECK(SignalDesk::make(*room.room, "{\"lsn\":1}") == nullptr);
}
