// Changes -> records: operations, keys, tombstones, skipping, transactions, all or nothing.
#include "event/stream_events.h"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

#include "streaming.h"

using namespace cdc;
using namespace cdc::test;

using Stream = Streaming;

TEST_CASE("CORE-EVT-01: insert, update and delete print their envelope in order") {
  Stream s;
  const auto table = s.events->table(people()).value();
  REQUIRE(s.push(table, Op::create, {}, {value("1"), value("Ann"), null()}));
  REQUIRE(s.push(table, Op::update, {}, {value("1"), value("Ann"), value("30")}));
  REQUIRE(s.push(table, Op::remove, {value("1"), absent(), absent()}, {}));
  CHECK(s.out() ==
        "test.public.people {\"id\":1} "
        "{\"before\":null,\"after\":{\"id\":1,\"name\":\"Ann\",\"age\":null},\"source\":{\"snapshot\":"
        "\"streaming\"},"
        "\"transaction\":null,\"op\":\"c\"\n"
        "test.public.people {\"id\":1} "
        "{\"before\":null,\"after\":{\"id\":1,\"name\":\"Ann\",\"age\":30},\"source\":{\"snapshot\":"
        "\"streaming\"},"
        "\"transaction\":null,\"op\":\"u\"\n"
        "test.public.people {\"id\":1} "
        "{\"before\":{\"id\":1,\"name\":\"\",\"age\":null},\"after\":null,\"source\":{\"snapshot\":"
        "\"streaming\"},"
        "\"transaction\":null,\"op\":\"d\"\n"
        "test.public.people {\"id\":1} tombstone\n");
}

TEST_CASE("CORE-DSP-05: a changed key is a delete, its tombstone and a create, with headers") {
  Stream s;
  const auto table = s.events->table(people()).value();
  REQUIRE(s.push(table, Op::update, {value("1"), absent(), absent()}, {value("2"), value("Ann"), null()}));
  CHECK(s.out() ==
        "test.public.people {\"id\":1} __debezium.newkey={\"id\":2} "
        "{\"before\":{\"id\":1,\"name\":\"\",\"age\":null},\"after\":null,\"source\":"
        "{\"snapshot\":\"streaming\"},\"transaction\":null,\"op\":\"d\"\n"
        "test.public.people {\"id\":1} __debezium.newkey={\"id\":2} tombstone\n"
        "test.public.people {\"id\":2} __debezium.oldkey={\"id\":1} "
        "{\"before\":null,\"after\":{\"id\":2,\"name\":\"Ann\",\"age\":null},\"source\":"
        "{\"snapshot\":\"streaming\"},\"transaction\":null,\"op\":\"c\"\n");
}

TEST_CASE("PG-KEY-04: a key the old row does not carry is never made up") {
  Stream s;
  const auto table = s.events->table(people()).value();
  REQUIRE(s.push(table, Op::remove, {absent(), value("Ann"), absent()}, {}));
  REQUIRE(s.push(table, Op::update, {absent(), value("Ann"), absent()}, {value("1"), value("Bo"), null()}));
  const std::string out = s.out();
  CHECK(out.find("tombstone") == std::string::npos);
  CHECK(out.starts_with(
      "test.public.people null {\"before\":{\"id\":0,\"name\":\"Ann\",\"age\":null},\"after\":null"));
  CHECK(out.find("\"op\":\"u\"") != std::string::npos);
}

TEST_CASE(
    "CORE-ERR-04: a stored NULL in a NOT NULL column prints null, a value without form too, with a warning") {
  Stream s;
  TableShape shape = people();
  shape.columns[2] = column("age", Type::int32, false, encode_picky);
  const auto table = s.events->table(std::move(shape)).value();
  REQUIRE(s.push(table, Op::create, {}, {value("1"), null(), value("bad")}));
  CHECK(s.out().find("\"after\":{\"id\":1,\"name\":null,\"age\":null}") != std::string::npos);
  CHECK(s.log.has("public.people.age"));
}

TEST_CASE("CORE-DSP-08: a push that fails leaves no line behind") {
  Stream s({{"event.converting.failure.handling.mode", "fail"}});
  TableShape shape = people();
  shape.columns[2] = column("age", Type::int32, true, encode_picky);
  const auto table = s.events->table(std::move(shape)).value();
  REQUIRE(s.push(table, Op::create, {}, {value("1"), value("Ann"), value("30")}));
  const auto failed = s.push(table, Op::create, {}, {value("2"), value("Bo"), value("bad")});
  REQUIRE_FALSE(failed);
  CHECK(failed.error().kind == ErrorKind::event);
  const std::string out = s.out();
  CHECK(out.find("Ann") != std::string::npos);
  CHECK(out.find("Bo") == std::string::npos);
}

TEST_CASE("PG-HB: a heartbeat that fails belongs to what follows its event, which counts and goes out") {
  Stream s({{"heartbeat.interval.ms", "1"}});
  s.room->after_heartbeat = [] { return Result<void>(fail(ErrorKind::refused, "no such table")); };
  const auto table = s.events->table(people()).value();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));  // it is due
  CHECK(s.push(table, Op::create, {}, {value("1"), value("Ann"), null()}));
  CHECK_FALSE(s.push(table, Op::create, {}, {value("2"), value("Bo"), null()}));
  CHECK_FALSE(s.events->flush(false));
  const std::string out = s.lines();
  CHECK(out.find("Ann") != std::string::npos);
  CHECK(out.find("Bo") == std::string::npos);
}

TEST_CASE("CORE-DSP-02, -04: skipped operations and updates without change") {
  Stream s({{"skipped.operations", "c"}, {"skip.messages.without.change", "true"}});
  const auto table = s.events->table(people()).value();
  REQUIRE(s.push(table, Op::create, {}, {value("1"), value("Ann"), null()}));
  REQUIRE(s.push(table, Op::update, {value("1"), value("Ann"), null()}, {value("1"), value("Ann"), null()},
                 true));
  CHECK(s.out().empty());
  CHECK(s.stats.filtered == 1);
  CHECK(s.stats.unchanged == 1);
}

TEST_CASE("CORE-TX-02 .. 05: BEGIN, numbered events, END with counts in Java's map order") {
  Stream s({{"provide.transaction.metadata", "true"}});
  TableShape other = people();
  other.id.table = "ta";
  const auto people_table = s.events->table(people()).value();
  const auto ta = s.events->table(std::move(other)).value();
  REQUIRE(s.events->begin_transaction());
  REQUIRE(s.push(people_table, Op::create, {}, {value("1"), value("Ann"), null()}));
  REQUIRE(s.push(ta, Op::create, {}, {value("2"), value("Bo"), null()}));
  REQUIRE(s.push(ta, Op::create, {}, {value("3"), value("Cy"), null()}));
  REQUIRE(s.events->end_transaction());
  const std::string out = s.out();
  CHECK(
      out.starts_with("test.transaction {\"id\":\"7:100\"} "
                      "{\"status\":\"BEGIN\",\"id\":\"7:100\",\"event_count\":null,\"data_collections\":null,"
                      "\"ts_ms\":1000}\n"));
  CHECK(out.find("\"transaction\":{\"id\":\"7:100\",\"total_order\":3,\"data_collection_order\":2}") !=
        std::string::npos);
  CHECK(out.find("{\"status\":\"END\",\"id\":\"7:100\",\"event_count\":3,\"data_collections\":[") !=
        std::string::npos);
}

TEST_CASE("CORE-TX-06: counters come back from the stored offset, BEGIN is not repeated") {
  Room room({{"provide.transaction.metadata", "true"}});
  auto events =
      StreamEvents::make(
          *room.room, R"({"lsn":1,"transaction_id":"7","transaction_data_collection_order_public.people":2})")
          .value();
  PlainBlock block;
  FixedPosition position;
  events->set_source_block(&block);
  events->set_position_writer(&position);
  const auto table = events->table(people()).value();
  const std::vector<Cell> after{value("3"), value("Cy"), null()};
  REQUIRE(events->begin_transaction());
  REQUIRE(events->row({table.get(), Op::create, {}, after, false}));
  CHECK(events->checkpoint().offset ==
        R"({"lsn":1,"transaction_id":"7","transaction_data_collection_order_public.people":3})");
  REQUIRE(events->flush(true));
  const std::string out = room.lines();
  CHECK(out.find("BEGIN") == std::string::npos);
  CHECK(out.find("\"total_order\":3") != std::string::npos);
}
