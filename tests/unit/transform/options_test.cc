// Configurations of chains: what is refused, and with which words (CORE-SMT-01).
#include <set>

#include "config/catalogue.h"
#include "support.h"
#include "transform/transform.h"

using namespace cdc;
using namespace cdc::test;

namespace {

Properties step(const std::string& type, Properties options = {}) {
  Properties p{{"transforms", "x"}, {"transforms.x.type", type}};
  for (auto& [name, value] : options) p.emplace_back("transforms.x." + name, value);
  return p;
}

}  // namespace

TEST_CASE("CORE-SMT-01: mistakes in options are told with the property's name and a way out") {
  struct Case {
    const char* type;
    Properties options;
    const char* expected;
  };
  const Case cases[] = {
      {"ExtractNewRecordState",
       {{"add.field", "op"}},
       "There is no option 'transforms.x.add.field'; did you mean 'transforms.x.add.fields'?"},
      {"ExtractNewRecordState",
       {{"delete.tombstone.handling.mode", "keep"}},
       "'transforms.x.delete.tombstone.handling.mode' value is invalid: 'keep' is none of drop"},
      {"ExtractNewRecordState", {{"drop.fields.from.key", "yes"}}, "'yes' is none of true, false"},
      {"RegexRouter", {{"regex", "("}, {"replacement", "x"}}, "'transforms.x.regex' value is invalid"},
      {"RegexRouter", {{"regex", "a"}}, "'transforms.x.replacement' value is invalid: a value is required"},
      {"RegexRouter", {{"regex", "a"}, {"replacement", "$2"}}, "'transforms.x.replacement' value is invalid"},
      {"ByLogicalTableRouter",
       {{"topic.regex", "a"}, {"topic.replacement", "b"}, {"key.field.regex", "c"}},
       "must be set together"},
      {"PartitionRouting",
       {{"partition.payload.fields", "change.id"}, {"partition.topic.num", "0"}},
       "it must be at least 1"},
      {"TimezoneConverter", {{"converted.timezone", "Mars/Olympus"}}, "is not known on this machine"},
      {"TimezoneConverter",
       {{"converted.timezone", "UTC"}, {"include.list", "a"}, {"exclude.list", "b"}},
       "one of both"},
      {"Cast$Value", {{"spec", "a:int33"}}, "'int33' is none of int8"},
      {"HeaderToValue",
       {{"headers", "a,b"}, {"fields", "c"}, {"operation", "move"}},
       "one for each of the 2"},
      {"HeaderFrom$Value",
       {{"headers", "a"}, {"fields", "c"}, {"operation", "steal"}},
       "'steal' is none of move, copy"},
      {"TimestampConverter$Value",
       {{"target.type", "string"}},
       "a value is required with target.type=string"},
      {"TimestampConverter$Value", {{"target.type", "string"}, {"format", "yyyy-QQ"}}, "the letter 'Q'"},
      {"InsertField$Value", {}, "nothing is to be inserted"},
      {"ReplaceField$Value", {{"renames", "a"}}, "old:new"},
      {"Filter", {{"condition", "x"}}, "it has no options"},
      {"io.debezium.transforms.Filter", {{"condition", "value.op == "}}, "something is missing at index 12"},
      {"io.debezium.transforms.Filter",
       {{"condition", "true"}, {"language", "wasm.chicory"}},
       "cannot run here"},
      {"EventRouter",
       {{"table.fields.additional.placement", "a:b"}},
       "column:header|envelope|partition:alias"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.expected);
    const std::string message = refusal(step(c.type, c.options));
    CAPTURE(message);
    CHECK(contains(message, c.expected));
  }
}

TEST_CASE("CORE-SMT-01: all mistakes are told at once") {
  const std::string message = refusal({{"transforms", "a,b"},
                                       {"transforms.a.type", "RegexRouter"},
                                       {"transforms.b.type", "Cast$Key"},
                                       {"transforms.b.predicate", "p"},
                                       {"predicates", "p"},
                                       {"predicates.p.type", "TopicNameMatches"},
                                       {"predicates.p.patern", "x"}});
  for (const char* part : {"transforms.a.regex", "transforms.a.replacement", "transforms.b.spec",
                           "predicates.p.pattern' value is invalid", "did you mean 'predicates.p.pattern'?"})
    CHECK(contains(message, part));
}

TEST_CASE("CORE-SMT-01: the catalogue and the registry know the same classes") {
  std::set<std::string> known, made;
  for (const std::string_view name : config::split_bars(config::find_row("transforms.<alias>.type")->allowed))
    known.emplace(name);
  for (const auto& rows : {transform::debezium_transforms(), transform::connect_transforms()})
    for (const transform::TransformRow& row : rows) made.emplace(row.class_name);
  CHECK(known == made);
}

TEST_CASE("CORE-SMT-01: predicates choose records, negate turns them round") {
  Bench b(Properties{{"transforms", "a,b,c"},
                     {"transforms.a.type", "org.apache.kafka.connect.transforms.Filter"},
                     {"transforms.a.predicate", "tomb"},
                     {"transforms.b.type", "Filter"},
                     {"transforms.b.predicate", "mine"},
                     {"transforms.b.negate", "true"},
                     {"transforms.c.type", "Filter"},
                     {"transforms.c.predicate", "moved"},
                     {"predicates", "tomb,mine,moved"},
                     {"predicates.tomb.type", "RecordIsTombstone"},
                     {"predicates.mine.type", "TopicNameMatches"},
                     {"predicates.mine.pattern", "cdc\\.public\\.t"},
                     {"predicates.moved.type", "HasHeaderKey"},
                     {"predicates.moved.name", "__debezium.newkey"}});
  CHECK(b.tombstone({"1", {}}).empty());
  CHECK(b.heartbeat().empty());
  CHECK_FALSE(b.insert({"1", "a"}).empty());
  b.headers = {{"__debezium.newkey", b.handle->key_schema, b.handle->key_type.get(), "{\"id\":2}"}};
  CHECK(b.insert({"1", "a"}).empty());
}
