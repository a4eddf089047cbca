// Debezium's other transforms: CORE-SMT-05, -06, -07, -10 to -14, PG-MSG-06.
#include "support.h"
#include "transform/hashes.h"

using namespace cdc;
using namespace cdc::test;

namespace {

Properties only(const std::string& type, Properties options = {}) {
  Properties p{{"transforms", "x"}, {"transforms.x.type", type}};
  for (auto& [name, value] : options)
    p.emplace_back(name.starts_with("value.converter.") || name.starts_with("key.converter.")
                       ? name
                       : "transforms.x." + name,
                   value);
  return p;
}

std::string message_content(const std::string& text) {
  Buffer base64;
  json::append_base64(base64, text);
  return "{\"op\":\"m\",\"ts_ms\":1,\"message\":{\"prefix\":\"p\",\"content\":" + std::string(base64.view()) +
         "}}";
}

}  // namespace

TEST_CASE("CORE-SMT-05: ByLogicalTableRouter renames topic and schemas and adds the physical table to keys") {
  Bench b(only("ByLogicalTableRouter", {{"topic.regex", "(.*)shard_(.*)"},
                                        {"topic.replacement", "$1all"},
                                        {"key.converter.schemas.enable", "true"},
                                        {"value.converter.schemas.enable", "true"}}));
  b.table({column("id", Type::int32, false)}, "shard_1");
  const std::string line = b.insert({"1"});
  CHECK(
      line.starts_with("cdc.public.all "
                       "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"int32\",\"optional\":false,"
                       "\"field\":\"id\"},{\"type\":\"string\","
                       "\"optional\":false,\"field\":\"__dbz__physicalTableIdentifier\"}],\"optional\":false,"
                       "\"name\":\"cdc.public.all.Key\"},"
                       "\"payload\":{\"id\":1,\"__dbz__physicalTableIdentifier\":\"cdc.public.shard_1\"}} "));
  CHECK(contains(line, "\"optional\":true,\"name\":\"cdc.public.all.Value\",\"field\":\"after\""));
  CHECK(contains(line, "\"name\":\"cdc.public.all.Envelope\",\"version\":2}"));
  CHECK(contains(b.tombstone({"1"}),
                 "\"payload\":{\"id\":1,\"__dbz__physicalTableIdentifier\":\"cdc.public.shard_1\"}} null"));
  b.table({column("id", Type::int32, false)}, "rest");
  CHECK(b.insert({"1"}).starts_with("cdc.public.rest "));
}

TEST_CASE("CORE-SMT-05: key.field.regex names the table, key.enforce.uniqueness=false leaves keys") {
  Bench b(only("ByLogicalTableRouter", {{"topic.regex", "cdc\\.public\\.part_(.*)"},
                                        {"topic.replacement", "cdc.parts"},
                                        {"key.field.name", "part"},
                                        {"key.field.regex", "cdc\\.public\\.part_(.*)"},
                                        {"key.field.replacement", "p-$1"}}));
  b.table({column("id", Type::int32, false)}, "part_a");
  CHECK(b.insert({"1"}).starts_with("cdc.parts {\"id\":1,\"part\":\"p-a\"} "));
  Bench plain(
      only("ByLogicalTableRouter",
           {{"topic.regex", ".*"}, {"topic.replacement", "all"}, {"key.enforce.uniqueness", "false"}}));
  CHECK(plain.insert({"1", "a"}).starts_with("all {\"id\":1} "));
}

namespace {

struct Outbox : Bench {
  explicit Outbox(Properties more = {})
      : Bench(only("io.debezium.transforms.outbox.EventRouter", std::move(more))) {
    table({column("id", Type::int32, false), column("aggregatetype", Type::string),
           column("aggregateid", Type::string), column("type", Type::string), column("payload", Type::string),
           column("part", Type::int32)},
          "outbox");
  }
};

}  // namespace

TEST_CASE("CORE-SMT-06: inserts become messages, deletes and tombstones go, updates as the option says") {
  Outbox b;
  CHECK(b.insert({"1", "Order", "7", "Made", "{\"n\": 1}", {}}) ==
        "outbox.event.Order \"7\" \"{\\\"n\\\": 1}\" id=1");
  CHECK(b.insert({"2", "Order", {}, "Made", {}, {}}) == "outbox.event.Order null null id=2");
  CHECK(b.remove({"1", "a", "b", "c", "d", {}}).empty());
  CHECK(b.tombstone({"1", {}, {}, {}, {}, {}}).empty());
  CHECK(b.update({"1", "a", "b", "c", "d", {}}, {"1", "a", "b", "c", "d", {}}).empty());
  CHECK(contains(b.log.lines.back(), "an update came"));
  CHECK(b.heartbeat().starts_with("__debezium-heartbeat.cdc"));
  Outbox fatal(Properties{{"table.op.invalid.behavior", "fatal"}});
  CHECK_FALSE(fatal.change(Op::update, {}, {"1", "a", "b", "c", "d", {}}).has_value());
  CHECK_FALSE(b.change(Op::create, {}, {"1", {}, "b", "c", "d", {}}).has_value());
  b.table({column("id", Type::int32, false), column("aggregatetype", Type::string),
           column("aggregateid", Type::string)},
          "outbox");
  const auto failed = b.change(Op::create, {}, {"1", "a", "b"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(contains(failed.error().message, "'payload'"));
}

TEST_CASE(
    "CORE-SMT-06: placements in headers, in the envelope and as partition; routes; empty payloads as "
    "tombstones") {
  Outbox b(Properties{
      {"table.fields.additional.placement", "type:header:eventType,type:envelope:kind,part:partition"},
      {"route.topic.regex", "(?<a>[^-]+)-(?<b>.+)"},
      {"route.topic.replacement", "${b}.${a}"},
      {"route.tombstone.on.empty.payload", "true"}});
  CHECK(b.insert({"1", "x-y", "7", "Made", "p", "2"}) ==
        "y.x#2 \"7\" {\"payload\":\"p\",\"kind\":\"Made\"} id=1 eventType=\"Made\"");
  CHECK(b.insert({"1", "plain", "7", "Made", "", {}}) == "plain \"7\" null id=1 eventType=\"Made\"");
  Outbox missing(Properties{{"table.fields.additional.placement", "nope:header"}});
  CHECK_FALSE(missing.change(Op::create, {}, {"1", "a", "b", "c", "d", {}}).has_value());
  Outbox ignored(
      {{"table.fields.additional.placement", "nope:header"}, {"table.field.additional.missing", "ignore"}});
  CHECK(ignored.insert({"1", "a", "b", "c", "d", {}}) == "outbox.event.a \"b\" \"d\" id=1");
}

TEST_CASE("CORE-SMT-06: an outbox message has a timestamp, so that TimestampRouter works behind it") {
  Bench b(Properties{{"transforms", "o,t"},
                     {"transforms.o.type", "EventRouter"},
                     {"transforms.t.type", "TimestampRouter"},
                     {"transforms.t.timestamp.format", "yyyy-MM-dd"}});
  b.table({column("id", Type::int32, false), column("aggregatetype", Type::string),
           column("aggregateid", Type::string), column("payload", Type::string)},
          "outbox");
  CHECK(b.insert({"1", "a", "k", "p"}).starts_with("outbox.event.a-2023-11-14 \"k\""));
}

TEST_CASE("CORE-SMT-06: expanded payloads: types, nulls, arrays, what cannot be expanded stays text") {
  struct Case {
    const char* payload;
    const char* ignore;
    const char* bytes;
  };
  const Case cases[] = {
      {R"({"b": true, "n": [1, 2], "o": {"p": null, "q": 1.50}, "big": 12345678901, "e": []})",
       R"({"b":true,"n":[1,2],"o":{"q":1.5},"big":12345678901})",
       R"({"b":true,"n":[1,2],"o":{"p":null,"q":1.5},"big":12345678901})"},
      {R"([{"a": 1}, {"a": 2}])", R"([{"a":1},{"a":2}])", R"([{"a":1},{"a":2}])"},
      {R"({"n": [{"a": 1}, {"b": "x"}], "z": [[1], [2, 3]]})",
       R"({"n":[{"b":null,"a":1},{"b":"x","a":null}],"z":[[1],[2,3]]})",
       R"({"n":[{"b":null,"a":1},{"b":"x","a":null}],"z":[[1],[2,3]]})"},
      {R"({"k": 1, "k": 2, "x": [true, null]})", R"({"k":2,"x":[true,null]})", R"({"k":2,"x":[true,null]})"},
      {R"({"m": [1, "x"]})", R"("{\"m\": [1, \"x\"]}")", R"("{\"m\": [1, \"x\"]}")"},
      {R"({"m": [1.5, 2]})", R"("{\"m\": [1.5, 2]}")", R"("{\"m\": [1.5, 2]}")"},
      {R"({"m": )", R"("{\"m\": ")", R"("{\"m\": ")"},
      {R"("text")", R"("\"text\"")", R"("\"text\"")"},
      {"{}", "{}", "{}"},
  };
  Outbox ignore(Properties{{"table.expand.json.payload", "true"}});
  Outbox bytes(
      {{"table.expand.json.payload", "true"}, {"table.json.payload.null.behavior", "optional_bytes"}});
  for (const Case& c : cases) {
    CAPTURE(c.payload);
    CHECK(ignore.insert({"1", "o", "k", "t", c.payload, {}}) ==
          std::string("outbox.event.o \"k\" ") + c.ignore + " id=1");
    CHECK(bytes.insert({"1", "o", "k", "t", c.payload, {}}) ==
          std::string("outbox.event.o \"k\" ") + c.bytes + " id=1");
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += '[';
  CHECK(ignore.insert({"1", "o", "k", "t", deep, {}}).starts_with("outbox.event.o \"k\" \"[[["));
}

TEST_CASE("CORE-SMT-10: hash vectors") {
  const auto text = make(Type::string, true);
  const auto java = [](const SchemaPtr& schema, std::string_view json) {
    return transform::java_hash_of(*schema, json);
  };
  CHECK(java(text, "\"ab\"") == 3105);
  CHECK(java(make(Type::float64, true), "1.5") == 1073217536);
  CHECK(java(make(Type::boolean, true), "true") == 1231);
  CHECK(java(make(Type::int64, true), "-1") == 0);
  CHECK_FALSE(java(struct_of("", std::nullopt, true, {}), "{}").has_value());
  struct Case {
    const char* text;
    std::int32_t hash;
  };
  for (const Case& c : {Case{"", 89125410}, Case{"a", -1119243492}, Case{"ab", -2035972426},
                        Case{"0123456789abcdef", 26898387}, Case{"0123456789abcdefg", -1536414354},
                        Case{"Zo\xC3\xAB \xF0\x9F\x98\x80", 2131240617}})
    CHECK(transform::murmur_of_bytes(c.text) == c.hash);
  CHECK(transform::murmur_of(*make(Type::int32, true), "5") == -837177610);
  CHECK(transform::murmur_of(*make(Type::int32, true), "-1") == 171705313);
  CHECK(transform::murmur_of(*make(Type::boolean, true), "true") == -1891831265);
}

TEST_CASE("CORE-SMT-10: PartitionRouting sums hashes of change fields; tombstones and unknown fields pass") {
  Bench b(only("PartitionRouting", {{"partition.payload.fields", "change.v,change.nope,source.table"},
                                    {"partition.topic.num", "5"}}));
  const int expected = (97 + 116) % 5;  // "a" and "t"
  CHECK(b.insert({"1", "a"}).starts_with("cdc.public.t#" + std::to_string(expected) + " "));
  CHECK(b.remove({"1", "a"}).starts_with("cdc.public.t#" + std::to_string(expected) + " "));
  CHECK(b.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} null");
  Bench none(
      only("PartitionRouting", {{"partition.payload.fields", "change.v"}, {"partition.topic.num", "5"}}));
  CHECK(none.insert({"1", {}}).starts_with("cdc.public.t {"));
}

TEST_CASE("CORE-SMT-11: TimezoneConverter by type, lists, the source's times only when named") {
  const std::vector<ColumnShape> columns{
      column("id", Type::int32, false),
      column("a", named(Type::string, "io.debezium.time.ZonedTimestamp", true)),
      column("b", named(Type::int64, "io.debezium.time.Timestamp", true)),
      column("e", named(Type::int32, "io.debezium.time.Date", true))};
  const Row row{"1", "2020-01-02T03:04:05.600000Z", "1577934245678", "18263"};
  Bench b(only("TimezoneConverter", {{"converted.timezone", "+05:30"}}));
  b.table(columns);
  CHECK(
      contains(b.insert(row),
               "\"after\":{\"id\":1,\"a\":\"2020-01-02T08:34:05.6+05:30\",\"b\":1577914445678,\"e\":18263}"));
  CHECK(contains(b.log.lines.back(), "has no instant"));
  Bench one(
      only("TimezoneConverter", {{"converted.timezone", "+05:30"}, {"include.list", "source:t:after.a"}}));
  one.table(columns);
  CHECK(contains(one.insert(row), "\"a\":\"2020-01-02T08:34:05.6+05:30\",\"b\":1577934245678"));
  Bench excluded(only("TimezoneConverter",
                      {{"converted.timezone", "+05:30"}, {"exclude.list", "topic:cdc.public.t:a"}}));
  excluded.table(columns);
  CHECK(contains(excluded.insert(row), "\"a\":\"2020-01-02T03:04:05.600000Z\",\"b\":1577914445678"));
  Bench odd(only("TimezoneConverter", {{"converted.timezone", "-03:00"}}));
  odd.table(columns);
  CHECK(contains(odd.insert({"1", "infinity", {}, {}}), "\"a\":\"infinity\""));
  CHECK(contains(odd.insert({"1", "2020-01-01T00:30:00+02", {}, {}}), "\"a\":\"2019-12-31T19:30:00-03:00\""));
}

TEST_CASE("CORE-SMT-12: SchemaChangeEventFilter drops by the type of the first change") {
  Bench b(only("SchemaChangeEventFilter", {{"schema.change.event.exclude.list", "DROP,DATABASE"}}));
  const auto key = struct_of("K", 1, false, {{"databaseName", make(Type::string, false)}});
  const auto value = struct_of(
      "V", 1, false,
      {{"tableChanges", array_of(struct_of("C", 1, true, {{"type", make(Type::string, true)}}), true)}});
  const auto sent = [&](const char* text) {
    return Bench::written(
        b.other(RecordKind::schema_change, "cdc", key, "{\"databaseName\":\"d\"}", value, text));
  };
  CHECK(sent("{\"tableChanges\":[{\"type\":\"DROP\"}]}").empty());
  CHECK_FALSE(sent("{\"tableChanges\":[{\"type\":\"ALTER\"}]}").empty());
  CHECK(sent("{\"tableChanges\":[]}").empty());
  CHECK(sent("{\"tableChanges\":null}").empty());
  CHECK_FALSE(b.insert({"1", "a"}).empty());
}

TEST_CASE("CORE-SMT-13, PG-MSG-06: the JSON of a logical message becomes a row") {
  Bench b(only("DecodeLogicalDecodingMessageContent"));
  const auto key = struct_of("K", 1, false, {{"prefix", make(Type::string, true)}});
  const auto value = struct_of(
      "io.debezium.connector.postgresql.MessageValue", 1, false,
      {{"op", make(Type::string, false)},
       {"ts_ms", make(Type::int64, true)},
       {"message", struct_of("M", 1, false,
                             {{"prefix", make(Type::string, true)}, {"content", make(Type::bytes, true)}})}});
  const auto sent = [&](const std::string& content) {
    return b.other(RecordKind::message, "cdc.message", key, "{\"prefix\":\"p\"}", value,
                   message_content(content));
  };
  CHECK(Bench::written(sent("{\"id\": 1, \"n\": null, \"o\": {\"k\": true}}")) ==
        "cdc.message null {\"op\":\"c\",\"ts_ms\":1,\"after\":{\"id\":1,\"o\":{\"k\":true}}}");
  CHECK_FALSE(sent("{\"id\": ").has_value());
  CHECK_FALSE(sent("plain").has_value());
  CHECK(b.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} null");
  CHECK(b.insert({"1", "a"}).starts_with("cdc.public.t {\"id\":1} {\"before\":null"));
}

TEST_CASE("CORE-SMT-14: ReadToInsertEvent, vectors as JSON, shortened records, swapped coordinates") {
  Bench read(only("ReadToInsertEvent"));
  CHECK(contains(Bench::written(read.change(Op::read, {}, {"1", "a"})),
                 "\"op\":\"c\",\"ts_ms\":1700000000123"));
  CHECK(contains(read.remove({"1", "a"}), "\"op\":\"d\""));

  Bench vectors(only("VectorToJsonConverter"));
  Schema dense;
  dense.type = Type::array;
  dense.optional = true;
  dense.name = "io.debezium.data.DoubleVector";
  dense.items = make(Type::float64, false);
  vectors.table({column("id", Type::int32, false), column("v", std::make_shared<const Schema>(dense))});
  CHECK(contains(vectors.insert({"1", "[1.0,-2.5]"}),
                 "\"after\":{\"id\":1,\"v\":\"{ \\\"values\\\": [1.0, -2.5] }\"}"));
  CHECK(contains(vectors.insert({"1", {}}), "\"after\":{\"id\":1,\"v\":null}"));

  Bench sized(only("EnforceRecordSize", {{"max.bytes", "3000"}, {"min.field.size", "100"}}));
  sized.table({column("id", Type::int32, false), column("a", Type::string), column("b", Type::string)});
  CHECK(contains(sized.insert({"1", "small", "y"}), "\"a\":\"small\""));
  const std::string cut = sized.insert({"1", std::string(5000, 'x'), "y"});
  CHECK(cut.size() < 2500);
  CHECK(contains(cut, "xxx\",\"b\":\"y\""));
  const auto clef =
      sized.insert({"1", std::string(3000, 'x') + "\xF0\x9D\x84\x9E", "y"});  // never half a character
  CHECK_FALSE(contains(clef, "\\uD834\""));
  // The excess is that of the guessed size: with twice the size, twice of what is above half the limit.
  const auto letters = [](const char* ratio) {
    Bench b(only("EnforceRecordSize",
                 {{"max.bytes", "6000"}, {"min.field.size", "100"}, {"compression.ratio", ratio}}));
    b.table({column("id", Type::int32, false), column("a", Type::string)});
    const std::string line = b.insert({"1", std::string(8000, 'x')});
    return std::count(line.begin(), line.end(), 'x');
  };
  const auto plain = letters("1"), doubled = letters("2");
  const auto size = 6000 + (8000 - plain);  // of the record, as it is guessed
  CHECK(doubled == std::max<std::ptrdiff_t>(8000 - (2 * size - 6000), 0));
  CHECK(letters("0.5") == 8000);

  Bench swapped(only("SwapGeometryCoordinates"));
  const auto geometry = struct_of("io.debezium.data.geometry.Geometry", 1, true,
                                  {{"wkb", make(Type::bytes, false)}, {"srid", make(Type::int32, true)}});
  swapped.table({column("id", Type::int32, false), column("g", geometry)});
  // POINT(3 4), SRID 4326
  CHECK(contains(swapped.insert({"1", R"({"wkb":"AQEAACDmEAAAAAAAAAAACEAAAAAAAAAQQA==","srid":4326})"}),
                 R"("wkb":"AQEAACDmEAAAAAAAAAAAEEAAAAAAAAAIQA==","srid":4326)"));
  CHECK(contains(swapped.insert({"1", R"({"wkb":"AQEAACDm","srid":4326})"}), R"("wkb":"AQEAACDm")"));
  Bench format(only("GeometryFormatTransformer"));
  format.table({column("id", Type::int32, false), column("g", geometry)});
  CHECK(contains(format.insert({"1", R"({"wkb":"AQEAACDmEAAAAAAAAAAACEAAAAAAAAAQQA==","srid":4326})"}),
                 R"("wkb":"AQEAAAAAAAAAAAAIQAAAAAAAABBA","srid":4326)"));
  CHECK(contains(format.insert({"1", R"({"wkb":"AQEAAAAAAAAAAAAIQAAAAAAAABBA","srid":4326})"}),
                 R"("wkb":"AQEAACDmEAAAAAAAAAAACEAAAAAAAAAQQA==","srid":4326)"));
}

TEST_CASE("CORE-SMT-07: conditions keep or drop, expressions choose topics") {
  struct Case {
    const char* condition;
    bool keeps;
  };
  const Case cases[] = {
      {"value.op == 'c'", true},
      {"value.op == 'u' || value.op == \"d\"", false},
      {"value.after.id > 0 && value.after.v != null", true},
      {"!(value.after.id in [1, 2, 3])", false},
      {"value.after.v ==~ /a.*/", true},
      {"value.after.v =~ 'b'", true},
      {"value.after.v.matches('b')", false},
      {"value.get('after').get('v').startsWith('ab')", true},
      {"value?.before?.id == null", true},
      {"value.before.id > 5", false},
      {"topic == 'cdc.public.' + value.source.table", true},
      {"key.id == 1L", true},
      {"valueSchema.name.endsWith('.Envelope') && keySchema.name != null", true},
      {"header.none == null", true},
      {"value.after.id == 1.0", true},
      {"value.after.id == 2 ? true : false", false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.condition);
    Bench b(
        only("io.debezium.transforms.Filter", {{"language", "jsr223.groovy"}, {"condition", c.condition}}));
    CHECK(b.insert({"1", "abc"}).empty() != c.keeps);
    CHECK(b.tombstone({"1", {}}) == "cdc.public.t {\"id\":1} null");
  }
  Bench unknown(only("io.debezium.transforms.Filter", {{"condition", "value.nope == 1"}}));
  CHECK_FALSE(unknown.change(Op::create, {}, {"1", "a"}).has_value());
  Bench drops(only("io.debezium.transforms.Filter", {{"condition", "true"}, {"null.handling.mode", "drop"}}));
  CHECK(drops.tombstone({"1", {}}).empty());
  Bench router(only("ContentBasedRouter", {{"topic.expression", "value.op == 'd' ? 'gone' : null"}}));
  CHECK(router.remove({"1", "a"}).starts_with("gone {\"id\":1}"));
  CHECK(router.insert({"1", "a"}).starts_with("cdc.public.t "));
  for (const char* bad : {"value.op = 'c'", "value.op ==", "foo()", "value.after.v.trim()", "'a", "(true",
                          "true true", "x in [1", "value.v =~ '('"}) {
    CAPTURE(bad);
    CHECK(contains(refusal(only("io.debezium.transforms.Filter", {{"condition", bad}})),
                   "'transforms.x.condition' value is invalid"));
  }
  CHECK(contains(refusal(only("io.debezium.transforms.Filter", {{"condition", std::string(5000, '(')}})),
                 "too deeply"));
}

TEST_CASE("CORE-SMT-14: ExtractSchemaToNewRecord needs the propagated types") {
  Bench b(only("ExtractSchemaToNewRecord"));
  const auto failed = b.change(Op::create, {}, {"1", "a"});
  REQUIRE_FALSE(failed.has_value());
  CHECK(contains(failed.error().hint, "column.propagate.source.type"));
}
