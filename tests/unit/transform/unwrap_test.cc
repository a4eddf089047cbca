// ExtractNewRecordState and its companions: CORE-SMT-03, -08, -09.
#include "support.h"

using namespace cdc;
using namespace cdc::test;

namespace {

Properties unwrap(Properties more = {}) {
  Properties p{{"transforms", "u"}, {"transforms.u.type", "io.debezium.transforms.ExtractNewRecordState"}};
  for (auto& [name, value] : more)
    p.emplace_back(name.starts_with("transforms.") || name.starts_with("value.converter.")
                       ? name
                       : "transforms.u." + name,
                   value);
  return p;
}

}  // namespace

TEST_CASE(
    "CORE-SMT-03: the row alone; a delete is a null value, its tombstone is gone, TRUNCATE is dropped") {
  Bench b(unwrap());
  CHECK(b.insert({"1", "a"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"a\"}");
  CHECK(b.update({"1", "a"}, {"1", {}}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":null}");
  CHECK(b.remove({"1", "a"}) == "cdc.public.t {\"id\":1} null");
  CHECK(b.tombstone({"1", {}}).empty());
  CHECK(Bench::written(b.change(Op::truncate, {}, {})).empty());
  CHECK(b.heartbeat() == "__debezium-heartbeat.cdc {\"serverName\":\"cdc\"} {\"ts_ms\":5}");
}

TEST_CASE("CORE-SMT-03: delete.tombstone.handling.mode") {
  struct Case {
    const char* mode;
    const char* removed;
    const char* tombstone;
  };
  const Case cases[] = {
      {"drop", "", ""},
      {"rewrite", "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"a\",\"__deleted\":\"true\"}", ""},
      {"rewrite-with-tombstone", "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"a\",\"__deleted\":\"true\"}",
       "cdc.public.t {\"id\":1} null"},
      {"delete-to-tombstone", "cdc.public.t {\"id\":1} null", ""},
  };
  for (const Case& c : cases) {
    CAPTURE(c.mode);
    Bench b(unwrap({{"delete.tombstone.handling.mode", c.mode}}));
    CHECK(b.remove({"1", "a"}) == c.removed);
    CHECK(b.tombstone({"1", {}}) == c.tombstone);
  }
}

TEST_CASE("CORE-SMT-03: schemas of the row, of the tombstone mode's delete, and none for a real tombstone") {
  Bench b(unwrap({{"value.converter.schemas.enable", "true"}, {"add.fields", "op,snapshot"}}));
  CHECK(
      b.insert({"1", "a"}) ==
      "cdc.public.t {\"id\":1} "
      "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"int32\",\"optional\":false,\"field\":\"id\"},"
      "{\"type\":\"string\",\"optional\":true,\"field\":\"v\"},{\"type\":\"string\",\"optional\":true,"
      "\"field\":\"__op\"},"
      "{\"type\":\"string\",\"optional\":true,\"field\":\"__snapshot\"}],\"optional\":false,\"name\":\"cdc."
      "public.t.Value\"},"
      "\"payload\":{\"id\":1,\"v\":\"a\",\"__op\":\"c\",\"__snapshot\":null}}");
  CHECK(
      b.remove({"1", "a"}) ==
      "cdc.public.t {\"id\":1} "
      "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"int32\",\"optional\":false,\"field\":\"id\"},"
      "{\"type\":\"string\",\"optional\":true,\"field\":\"v\"}],\"optional\":true,\"name\":\"cdc.public.t."
      "Value\"},\"payload\":null}");
  Bench none(unwrap({{"value.converter.schemas.enable", "true"},
                     {"delete.tombstone.handling.mode", "delete-to-tombstone"}}));
  CHECK(none.remove({"1", "a"}) == "cdc.public.t {\"id\":1} null");
}

TEST_CASE(
    "CORE-SMT-03: added fields by source, envelope and transaction; renamed, prefixed; unknown ones left "
    "out") {
  Bench b(unwrap({{"add.fields", "op:OP,source.table,lsn,nope,source.nope,nowhere.x,ts_ms,total_order"},
                  {"add.fields.prefix", "m."}}));
  CHECK(b.insert({"1", "a"}) ==
        "cdc.public.t {\"id\":1} "
        "{\"id\":1,\"v\":\"a\",\"m.OP\":\"c\",\"m.source_table\":\"t\",\"m.lsn\":77,\"m.ts_ms\":"
        "1700000000123,\"m.total_order\":null}");
}

TEST_CASE("CORE-SMT-03: a tombstone has the headers of its delete, and op once more") {
  Bench b(unwrap(
      {{"delete.tombstone.handling.mode", "rewrite-with-tombstone"}, {"add.headers", "op,source.table"}}));
  CHECK(contains(b.remove({"1", "a"}), "} __op=\"d\" __source_table=\"t\""));
  CHECK(b.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} null __op=\"d\" __source_table=\"t\" __op=\"d\"");
  b.insert({"2", "a"});
  CHECK(b.tombstone({"2", {}}) == "cdc.public.t {\"id\":2} null __op=\"d\"");
}

TEST_CASE("CORE-SMT-03: a column of the name of an added field stops the run") {
  Bench b(unwrap({{"delete.tombstone.handling.mode", "rewrite"}}));
  b.table({column("id", Type::int32, false), column("__deleted", Type::string)});
  const auto failed = b.change(Op::create, {}, {"1", "x"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(failed.error().kind == ErrorKind::event);
  CHECK(contains(failed.error().message, "'__deleted'"));
  CHECK(contains(failed.error().message, "The transform 'u' (ExtractNewRecordState)"));
  CHECK_FALSE(contains(failed.error().message, "\"id\":1"));
}

TEST_CASE("CORE-SMT-03: route.by.field takes the topic from the row, of before for deletes") {
  Bench b(unwrap({{"route.by.field", "v"}}));
  CHECK(b.insert({"1", "fruit"}) == "fruit {\"id\":1} {\"id\":1,\"v\":\"fruit\"}");
  CHECK(b.destinations.at(b.last_destination).topic == "fruit");
  CHECK(b.destinations.at(b.last_destination).table == "t");
  CHECK(b.remove({"1", "nut"}) == "nut {\"id\":1} null");
  CHECK_FALSE(b.change(Op::create, {}, {"1", {}}).has_value());
}

TEST_CASE("CORE-SMT-03: only the rewrite modes fill nulls of columns with a default") {
  const std::vector<ColumnShape> columns{column("id", Type::int32, false),
                                         column("a", with_default(Type::int32, true, "7"))};
  Bench plain(unwrap({{"add.fields", "op"}}));
  plain.table(columns);
  CHECK(plain.insert({"1", {}}) == "cdc.public.t {\"id\":1} {\"id\":1,\"a\":null,\"__op\":\"c\"}");
  Bench rewrite(unwrap({{"delete.tombstone.handling.mode", "rewrite"}}));
  rewrite.table(columns);
  CHECK(rewrite.insert({"1", {}}) == "cdc.public.t {\"id\":1} {\"id\":1,\"a\":7,\"__deleted\":\"false\"}");
  Bench kept(unwrap({{"delete.tombstone.handling.mode", "rewrite"}, {"replace.null.with.default", "false"}}));
  kept.table(columns);
  CHECK(kept.insert({"1", {}}) == "cdc.public.t {\"id\":1} {\"id\":1,\"a\":null,\"__deleted\":\"false\"}");
}

TEST_CASE("CORE-SMT-08, CORE-SMT-03: changed columns in headers; unchanged ones dropped where they may be") {
  Bench b(Properties{{"transforms", "c,u"},
                     {"transforms.c.type", "ExtractChangedRecordState"},
                     {"transforms.c.header.changed.name", "C"},
                     {"transforms.c.header.unchanged.name", "U"},
                     {"transforms.u.type", "ExtractNewRecordState"},
                     {"transforms.u.drop.fields.header.name", "U"},
                     {"transforms.u.drop.fields.from.key", "true"}});
  b.table({column("id", Type::int32, false), column("a", Type::string), column("b", Type::string)});
  CHECK(b.update({"1", "x", "y"}, {"1", "x", "z"}) ==
        "cdc.public.t {\"id\":1} {\"id\":1,\"b\":\"z\"} C=[\"b\"] U=[\"id\",\"a\"]");
  CHECK(b.insert({"1", "x", "y"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"a\":\"x\",\"b\":\"y\"} C=[] U=[]");
}

TEST_CASE("CORE-SMT-09: headers become fields, nested ones inside of structs that are there") {
  Bench b(Properties{{"transforms", "i,h"},
                     {"transforms.i.type", "InsertHeader"},
                     {"transforms.i.header", "n"},
                     {"transforms.i.value.literal", "12"},
                     {"transforms.h.type", "HeaderToValue"},
                     {"transforms.h.headers", "n,n,n,missing"},
                     {"transforms.h.fields", "after.x,top,none.y,m"},
                     {"transforms.h.operation", "move"}});
  const std::string line = b.insert({"1", "a"});
  CHECK(contains(line, "\"after\":{\"id\":1,\"v\":\"a\",\"x\":12}"));
  CHECK(line.ends_with("\"ts_ns\":1700000000123456789,\"top\":12}"));
  CHECK(b.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} null n=12");
}

TEST_CASE("flatten: the property is an unwrap at the end of the chain, and works alone") {
  Bench alone(Properties{{"flatten", "true"}});
  CHECK(alone.insert({"1", "a"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"a\"}");
  Bench behind(Properties{{"flatten", "true"},
                          {"transforms", "c"},
                          {"transforms.c.type", "ExtractChangedRecordState"},
                          {"transforms.c.header.changed.name", "C"}});
  CHECK(behind.update({"1", "a"}, {"1", "b"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"b\"} C=[\"v\"]");
}

TEST_CASE("without transforms nothing is made") {
  const Config config = configuration({});
  SilentLog log;
  StopToken stop;
  Stats stats;
  Runtime runtime{log, stop, stats};
  Destinations destinations;
  const auto made = make_transforms(config, destinations, runtime);
  REQUIRE(made.has_value());
  CHECK_FALSE(static_cast<bool>(*made));
}
