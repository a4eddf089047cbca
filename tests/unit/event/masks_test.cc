// Masks and truncation: CORE-COL-05 .. 08, with the vectors of core.md.
#include "event/column_masks.h"

#include <doctest/doctest.h>

#include "event/column_rules.h"
#include "support.h"

using namespace cdc;
using namespace cdc::test;

namespace {

std::string hashed(HashForm form, const std::string& text, std::size_t length = 0) {
  const ColumnShape shape = column("c", Type::string, true);
  const ColumnCodec codec = masked_with_hash(shape.codec, form, "SHA-256", "pepper9", length);
  Buffer out;
  codec(text, out);
  return std::string(out.view());
}

}  // namespace

TEST_CASE("CORE-COL-07: hashes, v1 over Java's serialized string, v2 over UTF-8") {
  const auto v1 = HashForm::java_serialized, v2 = HashForm::plain_utf8;
  CHECK(hashed(v1, "mara@pinefield.example") ==
        "\"41ad8fa36ce197f9759cc3824b339f96cca18261fb957fac27f36bf43a403b85\"");
  CHECK(hashed(v2, "mara@pinefield.example") ==
        "\"b5d925a80221e673a1d55363fa2ee51f7697035eda2ce18fea3a897bed3570cf\"");
  CHECK(hashed(v1, "") == "\"cd55bf4dc601cc603aa5fcb941a8bd5d8a5c3f08f83f9f715793d1fdb186ed64\"");
  CHECK(hashed(v2, "") == "\"e7f670d09534e03c7a5f11c7a4a1dd7b334d09f1892ea6ec3799b5b1542cb909\"");
  CHECK(hashed(v1, "Zo\xC3\xAB \xF0\x9F\x98\x80") ==
        "\"070dd4562b07f56942ebf2190b0b0dc1fc9f7d373dcf4c980c4bb48a6bb3cb23\"");
  CHECK(hashed(v2, "Zo\xC3\xAB \xF0\x9F\x98\x80") ==
        "\"998808ea50bbf24f1b72fb2669b914181a7c81237245f4f9e0396d932c124fbd\"");
  CHECK(hashed(v1, std::string(70000, 'x')) ==
        "\"b7b228ce547361ef02fbb20218df8013a7ba0a8a6335c3c77d6b8a68849d143f\"");
  CHECK(hashed(v2, "mara@pinefield.example", 10) == "\"b5d925a802\"");
}

TEST_CASE("CORE-COL-08: truncation counts UTF-16 units and never leaves half a pair") {
  const ColumnShape shape = column("c", Type::string, true);
  const ColumnCodec codec = truncated(shape.codec, 2);
  Buffer out;
  codec("a\xF0\x9F\x98\x80z", out);
  CHECK(out.view() == "\"a\"");
  out.clear();
  codec("xyz", out);
  CHECK(out.view() == "\"xy\"");
  CHECK(codec.schema->parameters.back() == std::pair<std::string, std::string>("truncateLength", "2"));
}

TEST_CASE("CORE-COL-08: numbers and named bytes keep their value, strings and plain bytes are cut") {
  const auto cut = [](ColumnShape shape, const char* name, std::string_view text) {
    auto schema = std::make_shared<Schema>(*shape.codec.schema);
    schema->name = name;
    shape.codec.schema = schema;
    const ColumnCodec codec = truncated(shape.codec, 2);
    CHECK(codec.schema->parameters.back().first == "truncateLength");
    Buffer out;
    codec(text, out);
    return std::string(out.view());
  };
  CHECK(cut(column("c", Type::float64, true), "", "\"Infinity\"") == "\"Infinity\"");
  CHECK(cut(column("c", Type::bytes, true), "org.apache.kafka.connect.data.Decimal", "\"AQIDBA==\"") ==
        "\"AQIDBA==\"");
  CHECK(cut(column("c", Type::bytes, true), "io.debezium.data.Bits", "\"AQIDBA==\"") == "\"AQIDBA==\"");
  CHECK(cut(column("c", Type::bytes, true), "", "\"AQIDBA==\"") == "\"AQI=\"");
  CHECK(cut(column("c", Type::string, true), "io.debezium.data.Json", "[1,2]") == "\"[1\"");
}

TEST_CASE("CORE-COL-05, -06: a mask always acts, hides NULL, and says so where it cannot act") {
  const auto config = config_of(
      {{"column.mask.with.4.chars", "public.people.(name|age)"}, {"column.propagate.source.type", ".*"}});
  REQUIRE(config);
  const auto rules = ColumnRules::make(*config).value();
  MemoryLog log;
  const TableShape shape = people();
  const RuledColumn name = rules.apply(shape.id, shape.columns[1], log);
  Buffer out;
  name.codec("secret", out);
  CHECK(out.view() == "\"****\"");
  CHECK(name.masks_null);
  CHECK(log.has("several rules match, only column.mask.with.4.chars acts"));
  const RuledColumn age = rules.apply(shape.id, shape.columns[2], log);
  CHECK(log.has("public.people.age: column.mask.with.4.chars does not apply to this type"));
  // Debezium's order: the mask that cannot act stands before the propagation and keeps it away (seen).
  const std::vector<std::pair<std::string, std::string>> masked{{"masked", "true"}};
  CHECK(age.codec.schema->parameters == masked);
}
