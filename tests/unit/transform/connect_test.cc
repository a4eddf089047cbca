// Kafka Connect's transforms: CORE-SMT-15.
#include "support.h"

using namespace cdc;
using namespace cdc::test;

namespace {

// An unwrap in front, then one transform `x`.
Properties unwrapped(const std::string& type, Properties options = {}) {
  Properties p{
      {"transforms", "u,x"}, {"transforms.u.type", "ExtractNewRecordState"}, {"transforms.x.type", type}};
  for (auto& [name, value] : options)
    p.emplace_back(name.starts_with("value.converter.") || name.starts_with("key.converter.") ||
                           name.starts_with("header.converter.")
                       ? name
                       : "transforms.x." + name,
                   value);
  return p;
}
Properties only(const std::string& type, Properties options = {}) {
  Properties p = unwrapped(type, std::move(options));
  p[0].second = "x";
  p.erase(p.begin() + 1);
  return p;
}

}  // namespace

TEST_CASE("CORE-SMT-15: RegexRouter routes whole matches, the destination keeps its table") {
  Bench b(unwrapped("RegexRouter", {{"regex", "cdc\\.(\\w+)\\.(.*)"}, {"replacement", "$2-in-$1"}}));
  CHECK(b.insert({"1", "a"}).starts_with("t-in-public {\"id\":1}"));
  CHECK(b.destinations.at(b.last_destination).topic == "t-in-public");
  CHECK(b.destinations.at(b.last_destination).schema == "public");
  CHECK(b.heartbeat().starts_with("__debezium-heartbeat.cdc "));
}

TEST_CASE("CORE-SMT-15: ReplaceField chooses and renames; a null value passes with its schema") {
  Bench b(unwrapped("ReplaceField$Value", {{"exclude", "b"}, {"renames", "a:alpha"}}));
  b.table({column("id", Type::int32, false), column("a", Type::string), column("b", Type::string)});
  CHECK(b.insert({"1", "x", "y"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"alpha\":\"x\"}");
  CHECK(b.remove({"1", "x", "y"}) == "cdc.public.t {\"id\":1} null");
  Bench key(only("ReplaceField$Key", {{"include", "id"}, {"renames", "id:ident"}}));
  CHECK(key.insert({"1", "x"}).starts_with("cdc.public.t {\"ident\":1} {\"before\":null"));
  Bench clash(unwrapped("ReplaceField$Value", {{"renames", "v:id"}}));
  CHECK_FALSE(clash.change(Op::create, {}, {"1", "x"}).has_value());
}

TEST_CASE(
    "CORE-SMT-15: ExtractField and HoistField; a tombstone has no field to extract and becomes a map when "
    "hoisted") {
  Bench b(only("ExtractField$Value", {{"field", "after"}}));
  CHECK(b.insert({"1", "a"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"a\"}");
  CHECK(b.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} null");
  Bench missing(only("ExtractField$Value", {{"field", "nothing_here"}}));
  const auto failed = missing.change(Op::create, {}, {"1", "a"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(contains(failed.error().message, "'nothing_here'"));
  Bench deep(only("ExtractField$Value", {{"field", "after.v"}, {"field.syntax.version", "V2"}}));
  CHECK(deep.insert({"1", "a"}) == "cdc.public.t {\"id\":1} \"a\"");
  Bench hoist(only("HoistField$Value", {{"field", "h"}}));
  CHECK(hoist.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} {\"h\":null}");
  CHECK(hoist.insert({"1", "a"}).starts_with("cdc.public.t {\"id\":1} {\"h\":{\"before\":null"));
}

TEST_CASE("CORE-SMT-15: InsertField adds topic, partition, timestamp and text in this order") {
  Bench b(unwrapped("InsertField$Value", {{"static.field", "s"},
                                          {"static.value", "x\"y"},
                                          {"topic.field", "t!"},
                                          {"partition.field", "p"},
                                          {"timestamp.field", "ts?"}}));
  CHECK(b.insert({"1", "a"}) ==
        "cdc.public.t {\"id\":1} "
        "{\"id\":1,\"v\":\"a\",\"t\":\"cdc.public.t\",\"p\":null,\"ts\":null,\"s\":\"x\\\"y\"}");
  CHECK(b.remove({"1", "a"}) == "cdc.public.t {\"id\":1} null");
  Bench required(unwrapped("InsertField$Value", {{"timestamp.field", "ts!"}}));
  CHECK_FALSE(required.change(Op::create, {}, {"1", "a"}).has_value());
}

TEST_CASE("CORE-SMT-15: ValueToKey and SetSchemaMetadata") {
  Bench b(unwrapped("ValueToKey", {{"fields", "v,id"}, {"key.converter.schemas.enable", "true"}}));
  CHECK(b.insert({"1", "a"}) ==
        "cdc.public.t "
        "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"string\",\"optional\":true,\"field\":\"v\"}"
        ",{\"type\":\"int32\","
        "\"optional\":false,\"field\":\"id\"}],\"optional\":false},\"payload\":{\"v\":\"a\",\"id\":1}} "
        "{\"id\":1,\"v\":\"a\"}");
  Bench named(
      only("SetSchemaMetadata$Key",
           {{"schema.name", "N"}, {"schema.version", "3"}, {"key.converter.schemas.enable", "true"}}));
  CHECK(contains(named.tombstone({"1", {}}),
                 "\"optional\":false,\"name\":\"N\",\"version\":3},\"payload\":{\"id\":1}} null"));
}

TEST_CASE("CORE-SMT-15: Cast follows Java's narrowing and parsing, defaults included") {
  Bench b(
      unwrapped("Cast$Value", {{"spec", "f:int8,g:string,h:boolean,s:int32,d:float64,b:string,z:int64"}}));
  b.table({column("id", Type::int32, false), column("f", Type::float64), column("g", Type::float64),
           column("h", Type::int32), column("s", Type::string), column("d", Type::int32),
           column("b", Type::boolean), column("z", with_default(Type::int32, true, "7"))});
  CHECK(b.insert({"1", "300.7", "1.0E10", "5", "+42", "7", "true", {}}) ==
        "cdc.public.t {\"id\":1} "
        "{\"id\":1,\"f\":44,\"g\":\"1.0E10\",\"h\":true,\"s\":42,\"d\":7.0,\"b\":\"true\",\"z\":7}");
  CHECK(b.insert({"1", {}, {}, {}, {}, {}, {}, "8"}) ==
        "cdc.public.t {\"id\":1} "
        "{\"id\":1,\"f\":null,\"g\":null,\"h\":null,\"s\":null,\"d\":null,\"b\":null,\"z\":8}");
  const auto failed = b.change(Op::create, {}, {"1", {}, {}, {}, "x", {}, {}, {}});
  REQUIRE_FALSE(failed.has_value());
  CHECK(contains(failed.error().message, "out of range"));
  CHECK_FALSE(b.change(Op::create, {}, {"1", {}, {}, {}, "99999999999", {}, {}, {}}).has_value());
}

TEST_CASE(
    "CORE-SMT-15: MaskField gives the type's zero or the replacement; null stays null, a null value fails") {
  Bench b(unwrapped("MaskField$Value", {{"fields", "v,n,q"}}));
  b.table({column("id", Type::int32, false), column("v", Type::string), column("n", Type::int64),
           column("q", Type::boolean)});
  CHECK(b.insert({"1", "secret", "9", "true"}) ==
        "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"\",\"n\":0,\"q\":false}");
  CHECK(b.insert({"1", {}, {}, {}}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":null,\"n\":null,\"q\":null}");
  CHECK_FALSE(b.change(Op::remove, {"1", "a", "1", "true"}, {}).has_value());
  Bench shown(unwrapped("MaskField$Value", {{"fields", "v"}, {"replacement", "***"}}));
  CHECK(shown.insert({"1", "secret"}) == "cdc.public.t {\"id\":1} {\"id\":1,\"v\":\"***\"}");
}

TEST_CASE("CORE-SMT-15: headers are inserted, taken from fields and dropped; a tombstone gets its own") {
  Bench b(Properties{{"transforms", "u,f,d,i"},
                     {"transforms.u.type", "ExtractNewRecordState"},
                     {"transforms.u.add.headers", "op"},
                     {"transforms.f.type", "HeaderFrom$Value"},
                     {"transforms.f.fields", "v"},
                     {"transforms.f.headers", "hv"},
                     {"transforms.f.operation", "move"},
                     {"transforms.d.type", "DropHeaders"},
                     {"transforms.d.headers", "__op"},
                     {"transforms.i.type", "InsertHeader"},
                     {"transforms.i.header", "fixed"},
                     {"transforms.i.value.literal", "12"},
                     {"header.converter.schemas.enable", "true"}});
  CHECK(b.insert({"1", "a"}) ==
        "cdc.public.t {\"id\":1} {\"id\":1} "
        "hv={\"schema\":{\"type\":\"string\",\"optional\":true},\"payload\":\"a\"} "
        "fixed={\"schema\":{\"type\":\"int8\",\"optional\":false},\"payload\":12}");
}

TEST_CASE(
    "CORE-SMT-15: Flatten joins names; fields of null structs are optional nulls, or their defaults where "
    "the converter says so") {
  const Properties options = only("Flatten$Value", {{"delimiter", "_"}});
  Bench b(options);
  b.table({column("id", Type::int32, false), column("v", with_default(Type::string, true, "\"q\""))});
  CHECK(b.insert({"1", "a"}) ==
        "cdc.public.t {\"id\":1} "
        "{\"before_id\":null,\"before_v\":null,\"after_id\":1,\"after_v\":\"a\",\"source_snapshot\":"
        "\"false\",\"source_table\":\"t\","
        "\"source_lsn\":77,\"transaction_id\":null,\"transaction_total_order\":null,\"transaction_data_"
        "collection_order\":null,\"op\":\"c\","
        "\"ts_ms\":1700000000123,\"ts_us\":1700000000123456,\"ts_ns\":1700000000123456789}");
  Properties filling = options;
  filling.emplace_back("value.converter.replace.null.with.default", "true");
  Bench f(filling);
  f.table({column("id", Type::int32, false), column("v", with_default(Type::string, true, "\"q\""))});
  CHECK(contains(f.insert({"1", "a"}), "{\"before_id\":null,\"before_v\":\"q\",\"after_id\":1"));
}

TEST_CASE("CORE-SMT-15: TimestampConverter between texts, numbers and Connect's types") {
  const auto convert = [](const Properties& options, const SchemaPtr& type, const std::string& value) {
    Properties all = options;
    all.emplace_back("field", "c");
    Bench b(unwrapped("TimestampConverter$Value", all));
    b.table({column("id", Type::int32, false), column("c", type)});
    const std::string line = b.insert({"1", value});
    const std::string lead = "cdc.public.t {\"id\":1} {\"id\":1,\"c\":";
    REQUIRE(line.starts_with(lead));
    return line.substr(lead.size(), line.size() - lead.size() - 1);
  };
  const SchemaPtr micros = named(Type::int64, "io.debezium.time.MicroTimestamp", true),
                  text = make(Type::string, true);
  CHECK(convert({{"target.type", "string"},
                 {"format", "yyyy-MM-dd'T'HH:mm:ss.SSS"},
                 {"unix.precision", "microseconds"}},
                micros, "1582938123456789") == "\"2020-02-29T01:02:03.456\"");
  CHECK(convert({{"target.type", "Date"}, {"unix.precision", "microseconds"}}, micros, "1582938123456789") ==
        "18321");
  CHECK(convert({{"target.type", "unix"}, {"format", "yyyy-MM-dd"}}, text, "2020-02-29") == "1582934400000");
  CHECK(convert({{"target.type", "unix"}, {"unix.precision", "seconds"}, {"format", "dd.MM.yyyy"}}, text,
                "01.01.1969") == "-31536000");
  CHECK(convert({{"target.type", "Time"}}, make(Type::int64, true), "-1") == "86399999");
  Bench far(unwrapped(
      "TimestampConverter$Value",
      {{"field", "c"}, {"target.type", "unix"}, {"unix.precision", "microseconds"}, {"format", "yyyy"}}));
  far.table({column("id", Type::int32, false), column("c", text)});
  const auto failed = far.change(Op::create, {}, {"1", "290000000"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(contains(failed.error().message, "a timestamp is out of range"));
}

TEST_CASE("CORE-SMT-15: a schema version beyond 32 bits is refused") {
  CHECK(contains(refusal(only("SetSchemaMetadata$Value", {{"schema.version", "3000000000"}})),
                 "3000000000 does not fit into 32 bits"));
}

TEST_CASE("CORE-SMT-15: TimestampRouter stops, as no record but an outbox message has a timestamp") {
  Bench b(only("TimestampRouter", {{"topic.format", "x-${topic}"}}));
  const auto failed = b.change(Op::create, {}, {"1", "a"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(contains(failed.error().message, "no timestamp"));
}
