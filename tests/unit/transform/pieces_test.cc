// The room's small parts: splitting JSON, time zones, dates, literals.
#include <doctest/doctest.h>

#include "support.h"
#include "transform/date_format.h"
#include "transform/literal.h"
#include "transform/scalar.h"
#include "transform/struct_text.h"
#include "transform/zone.h"

using namespace cdc;
using namespace cdc::transform;

TEST_CASE(
    "structs are split by the schema's order, by name where the order differs, and never read past the end") {
  const auto schema = struct_of(
      "", std::nullopt, false,
      {{"a", make(Type::int32, true)}, {"b\"c", make(Type::string, true)}, {"d", make(Type::string, true)}});
  Texts out;
  REQUIRE(split_struct(*schema, R"({"a":1,"b\"c":"x,}","d":[{"e":"]"}]})", out));
  CHECK(out == Texts{"1", R"("x,}")", R"([{"e":"]"}])"});
  REQUIRE(split_struct(*schema, R"({"d":null,"a":2})", out));
  CHECK(out == Texts{"2", "null", "null"});
  const std::string whole = R"({"a":{"x":[1,"\\\"",{}]},"b\"c":"\u00e9","d":true})";
  for (std::size_t n = 0; n < whole.size(); ++n)
    CHECK_FALSE(split_struct(*schema, std::string_view(whole).substr(0, n), out));
  for (const char* bad : {"", "{", "[]", "{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "nul", "{\"a\":1]"})
    split_struct(*schema, bad, out);
  CHECK_FALSE(split_array("[1,2", out));
  CHECK(member(R"({"x":1,"y":"z"})", "y") == R"("z")");
}

TEST_CASE("CORE-SMT-11: offsets of zones, by table and by rule; gaps and overlaps as in Java") {
  for (const auto& [text, seconds] : {std::pair("Z", 0), std::pair("+05:30", 19800), std::pair("-03", -10800),
                                      std::pair("UTC", 0), std::pair("GMT+1", 3600)}) {
    const auto zone = Zone::open(text);
    REQUIRE(zone.has_value());
    CHECK(zone->offset_at(0) == seconds);
  }
  for (const char* bad : {"", "../etc/passwd", "/etc/passwd", "No/Where", "+25:00", "+1x"})
    CHECK_FALSE(Zone::open(bad).has_value());

  // A file of one rule only: CET with the summer time of today, no table.
  std::string file;
  const auto header = [&] {
    file += "TZif2";
    file += std::string(15, '\0');
    for (const int n : {0, 0, 0, 0, 1, 4}) file += std::string(3, '\0') + static_cast<char>(n);
    file += std::string("\0\0\x0e\x10\0\0CET\0", 10);
  };
  header();
  header();
  file += "\nCET-1CEST,M3.5.0,M10.5.0/3\n";
  const auto berlin = Zone::parse(file);
  REQUIRE(berlin.has_value());
  CHECK(berlin->offset_at(1577836800) == 3600);      // 2020-01-01
  CHECK(berlin->offset_at(1593561600) == 7200);      // 2020-07-01
  CHECK(berlin->offset_at(1585443600 - 1) == 3600);  // 2020-03-29T01:00Z
  CHECK(berlin->offset_at(1585443600) == 7200);
  CHECK(berlin->offset_at(1603587600 - 1) == 7200);  // 2020-10-25T01:00Z
  CHECK(berlin->offset_at(1603587600) == 3600);
  CHECK(berlin->offset_of_local(1585443600 + 3600 + 1800) ==
        3600);  // 02:30 does not exist: the offset before
  CHECK(berlin->offset_of_local(1603587600 + 3600 + 1800) == 7200);  // 02:30 exists twice: the first
  CHECK(berlin->offset_of_local(1603587600 + 7200 + 3600) == 3600);
  for (std::size_t n = 0; n < file.size(); ++n) Zone::parse(std::string_view(file).substr(0, n));  // total
}

TEST_CASE("dates by pattern, both ways") {
  const auto ms = [](const char* pattern, const char* text) {
    return DateFormat::parse(pattern).value().read(text);
  };
  const auto text = [](const char* pattern, std::int64_t at) {
    return DateFormat::parse(pattern).value().format(at);
  };
  CHECK(text("yyyy-MM-dd'T'HH:mm:ss.SSS", 1582938123456) == "2020-02-29T01:02:03.456");
  CHECK(text("EEE, d MMM yy h:mm a 'o''clock' Z", 0) == "Thu, 1 Jan 70 12:00 AM o'clock +0000");
  CHECK(text("D yyyyMMdd", -1) == "365 19691231");
  CHECK(ms("yyyyMMddHHmmss", "20200229010203") == 1582938123000);
  CHECK(ms("d MMMM yyyy", "29 February 2020") == 1582934400000);
  CHECK(ms("yyyy-MM-dd HH:mm X", "2020-02-29 01:00 +01:00") == 1582934400000);
  CHECK(ms("yyyy-MM-dd", "2020-02-30") == 1583020800000);  // lenient
  CHECK_FALSE(ms("yyyy-MM-dd", "x").has_value());
  for (const std::int64_t far : {INT64_MIN, INT64_MAX})  // any int64 column can hold them
    CHECK_FALSE(DateFormat::parse("yyyy-MM-dd HH:mm:ss.SSS").value().format(far).empty());
  CHECK_FALSE(DateFormat::parse("yyyy 'open").has_value());
  for (std::int64_t day = -800000; day < 800000; day += 997) {
    const CivilDate date = date_of(day);
    CHECK(days_of(date.year, date.month, date.day) == day);
  }
}

TEST_CASE("CORE-SMT-15: literals of InsertHeader have the schema that Connect infers") {
  struct Case {
    const char* text;
    const char* schema;
    const char* json;
  };
  const Case cases[] = {
      {"12", R"({"type":"int8","optional":false})", "12"},
      {"300", R"({"type":"int16","optional":false})", "300"},
      {"70000", R"({"type":"int32","optional":false})", "70000"},
      {"12345678901", R"({"type":"int64","optional":false})", "12345678901"},
      {"1.5", R"({"type":"float","optional":false})", "1.5"},
      {"true", R"({"type":"boolean","optional":false})", "true"},
      {"\"q x\"", R"({"type":"string","optional":false})", R"("\"q x\"")"},
      {"2020-01-02",
       R"({"type":"int32","optional":false,"name":"org.apache.kafka.connect.data.Date","version":1})",
       "18263"},
      {"03:04:05.678Z",
       R"({"type":"int32","optional":false,"name":"org.apache.kafka.connect.data.Time","version":1})",
       "11045678"},
      {"2020-01-02T03:04:05.678Z",
       R"({"type":"int64","optional":false,"name":"org.apache.kafka.connect.data.Timestamp","version":1})",
       "1577934245678"},
      {"[1, 2]", R"({"type":"array","items":{"type":"int8","optional":false},"optional":false})", "[1,2]"},
      {"{\"a\": 1}",
       R"({"type":"map","keys":{"type":"string","optional":false},"values":{"type":"int8","optional":false},"optional":false})",
       R"({"a":1})"},
      {"123456789012345678901234567890",
       R"({"type":"bytes","optional":false,"name":"org.apache.kafka.connect.data.Decimal","version":1,"parameters":{"scale":"0"}})",
       R"("AY7pD/bDc+DuTj8K0g==")"},
      {"fixed-id", R"({"type":"string","optional":false})", R"("fixed-id")"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.text);
    const Literal literal = infer_literal(c.text);
    REQUIRE(literal.schema != nullptr);
    CHECK(schema_text(*literal.schema) == c.schema);
    CHECK(literal.json == c.json);
  }
  CHECK(infer_literal("null").schema == nullptr);
  for (const char* beyond : {"1e-9223372036854775808", "1e9223372036854775807", "1e100001"})
    CHECK(infer_literal(beyond).schema->type == Type::string);
}

TEST_CASE("decimals as text") {
  CHECK(decimal_text(std::string("\x00\x96", 2), 2) == "1.50");
  CHECK(decimal_text("\xff", 0) == "-1");
  CHECK(decimal_text("", 3) == "0.000");
  CHECK(decimal_text("\x05", -2) == "500");
  CHECK(integer_bytes("128", false) == std::string("\x00\x80", 2));
  CHECK(integer_bytes("128", true) == "\x80");
}
