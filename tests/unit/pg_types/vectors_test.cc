// The value vectors of PG 8.2 and the special values of 4.2 and 4.3, through the codecs of columns.
#include <doctest/doctest.h>

#include <string_view>

#include "support.h"

namespace cdc::pg::test {
namespace {

struct Vector {
  std::string_view type;
  std::int32_t typmod;
  std::string_view text;
  std::string_view json;
  std::string_view property = {};  // one mode other than the default
  std::string_view mode = {};
};

constexpr std::string_view kDecimal = "decimal.handling.mode";
constexpr std::string_view kTime = "time.precision.mode";
constexpr std::string_view kBinary = "binary.handling.mode";

const Vector kVectors[] = {
    {"numeric", numeric_typmod(3, 2), "1.10", R"("bg==")"},
    {"numeric", numeric_typmod(3, 2), "1.10", R"("1.10")", kDecimal, "string"},
    {"numeric", numeric_typmod(3, 2), "1.10", "1.1", kDecimal, "double"},
    {"numeric", numeric_typmod(4, 0), "10", R"("Cg==")"},
    {"numeric", -1, "10.1111", R"({"scale":4,"value":"AYr3"})"},
    {"numeric", -1, "10.1111", R"("10.1111")", kDecimal, "string"},
    {"numeric", numeric_typmod(6, 4), "22.2200", R"("A2P4")"},
    {"numeric", -1, "22", R"({"scale":0,"value":"Fg=="})"},
    {"numeric", -1, "NaN", "FAILED"},
    {"numeric", -1, "NaN", R"("NaN")", kDecimal, "double"},
    {"numeric", -1, "NaN", R"("NAN")", kDecimal, "string"},
    {"numeric", -1, "-Infinity", R"("NEGATIVE_INFINITY")", kDecimal, "string"},
    {"numeric", numeric_typmod(8, 2), "12.50", "12.50", "value.converter.decimal.format", "numeric"},
    {"_numeric", numeric_typmod(10, 2), "{1.20,3.40,5.60}", R"(["eA==","AVQ=","AjA="])"},
    {"_numeric", -1, "{1.1,2.22,3.333}",
     R"([{"scale":1,"value":"Cw=="},{"scale":2,"value":"AN4="},{"scale":3,"value":"DQU="}])"},
    {"money", -1, "$1,234.11", R"("AeIT")"},
    {"money", -1, "-$1,234.11", R"("/h3t")"},
    {"money", -1, "$1,234.50", R"("1234.50")", kDecimal, "string"},
    {"float4", -1, "3.3", "3.3"},
    {"float4", -1, "3", "3.0"},
    {"float8", -1, "1e+07", "1.0E7"},
    {"float8", -1, "-Infinity", R"("-Infinity")"},
    {"oid", -1, "4000000000", "4000000000"},
    {"bit", 7, "1000000", R"("QA==")"},
    {"bit", 2, "11", R"("Aw==")"},
    {"bit", 2, "00", R"("")"},
    {"bit", 24, "000000110000001000000001", R"("AQID")"},
    {"bit", 64, "1000000000000000000000000000000000000000000000000000000000000000", R"("AAAAAAAAAIA=")"},
    {"bit", 1, "1", "true"},
    {"varbit", 1, "", "FAILED"},
    {"varbit", -1, "101", R"("BQ==")"},
    {"varbit", -1, "111011010001000110000001000000001", R"("AQIj2gE=")"},
    {"bytea", -1, "\\x010203", R"("AQID")"},
    {"bytea", -1, "\\x010203", R"("010203")", kBinary, "hex"},
    {"bytea", -1, "\\xfbff", R"("-_8=")", kBinary, "base64-url-safe"},
    {"_bytea", -1, R"({"\\x000102","\\x030405"})", R"(["AAEC","AwQF"])"},
    {"timestamp", -1, "2016-11-04 13:51:30.123456", "1478267490123456"},
    {"timestamp", 3, "2016-11-04 13:51:30.123", "1478267490123"},
    {"timestamp", -1, "1936-10-25 22:10:12.608", "-1047174587392000"},
    {"timestamp", -1, "21016-11-04 13:51:30.123456", "601060312290123456"},
    {"timestamp", -1, "294247-01-01 23:59:59.999999", "9223371331199999999"},
    {"timestamp", -1, "294276-12-31 23:59:59.999999", "FAILED"},
    {"timestamp", -1, "4713-12-31 23:59:59.999999 BC", "-210831897600000001"},
    {"timestamp", -1, "infinity", "9223372036825200000"},
    {"timestamp", 3, "-infinity", "-9223372036832400"},
    {"timestamp", -1, "infinity", "9223372036854775807", kTime, "nanoseconds"},
    {"timestamp", -1, "infinity", R"("+294247-01-10T04:00:25.2Z")", kTime, "isostring"},
    {"timestamp", 1, "2019-07-09 02:28:57.1", R"("2019-07-09T02:28:57.1Z")", kTime, "isostring"},
    {"timestamp", 0, "2019-07-09 02:28:57", R"("2019-07-09T02:28:57Z")", kTime, "isostring"},
    {"timestamp", -1, "2026-03-01 10:20:30.123456", "1772360430123", kTime, "connect"},
    {"timestamp", 2, "2026-03-01 10:20:30.12", "1772360430120000", kTime, "microseconds"},
    {"timestamptz", -1, "2016-11-04 11:51:30.123456+00", R"("2016-11-04T11:51:30.123456Z")"},
    {"timestamptz", 3, "2026-03-01 10:20:30.12+00", R"("2026-03-01T10:20:30.120Z")"},
    {"timestamptz", 0, "2026-03-01 10:20:30+02", R"("2026-03-01T08:20:30Z")"},
    {"timestamptz", -1, "4714-12-31 23:59:59.999999+00 BC", R"("-4713-12-31T23:59:59.999999Z")"},
    {"timestamptz", -1, "infinity", R"("infinity")"},
    {"timetz", -1, "13:51:30.123789+02", R"("11:51:30.123789Z")"},
    {"timetz", -1, "04:05:11-08", R"("12:05:11Z")"},
    {"timetz", -1, "10:00:00+01:02:03", R"("08:57:57Z")"},
    {"timetz", -1, "24:00:00+01", R"("23:00:00Z")"},
    {"date", -1, "2016-11-04", "17109"},
    {"date", -1, "infinity", "-2147472692"},
    {"date", -1, "2026-03-01", R"("2026-03-01Z")", kTime, "isostring"},
    {"time", -1, "13:51:30", "49890000000"},
    {"time", 3, "13:51:30.123", "49890123"},
    {"time", 3, "13:51:30.123", "49890123000", kTime, "adaptive_time_microseconds"},
    {"time", -1, "10:20:30.123456", "37230123", kTime, "connect"},
    {"time", -1, "10:20:30.123456", "37230123456000", kTime, "nanoseconds"},
    {"time", -1, "24:00:00", "86400000000"},
    {"interval", -1, "1 year 2 mons 3 days 04:05:06.78", "37091106780000"},
    {"interval", -1, "10 days", "864000000000"},
    {"interval", -1, "infinity", "FAILED"},
    {"interval", -1, "1 year", R"("P1Y0M0DT0H0M0S")", "interval.handling.mode", "string"},
    {"point", -1, "(1,1)", R"({"x":1.0,"y":1.0,"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/","srid":null})"},
    {"geometry", -1, "0101000020730C00001C7C613255DE6540787AA52C435C42C0",
     R"({"wkb":"AQEAACBzDAAAHHxhMlXeZUB4eqUsQ1xCwA==","srid":3187})"},
    {"geography", -1, "0101000000000000000000F03F000000000000F03F",
     R"({"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/","srid":null})"},
    {"_geometry", -1,
     "{0101000000000000000000F03F000000000000F03F:0101000000000000000000F03F000000000000F03F}",
     R"([{"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/","srid":null},{"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/","srid":null}])"},
    {"tsrange", -1, R"(["2019-03-31 15:30:00",infinity))", R"x("[\"2019-03-31 15:30:00\",infinity)")x"},
    {"numrange", -1, "[5.3,6.3)", R"x("[5.3,6.3)")x"},
    {"_bpchar", 14, R"({"cone      ","ctwo      "})", R"(["cone      ","ctwo      "])"},
    {"_oid", -1, "{3,4000000000}", "[3,4000000000]"},
    {"hstore", -1, R"("key4"=>"val4", "key5"=>NULL)", R"("{\"key5\":null,\"key4\":\"val4\"}")"},
    {"hstore", -1, R"("k"=>"1", "z"=>NULL)", R"({"z":null,"k":"1"})", "hstore.handling.mode", "map"},
    {"_hstore", -1, R"({"\"b\"=>\"2\""})", R"(["{\"b\":\"2\"}"])"},
    {"isbn", -1, "0-393-04002-X", R"("0-393-04002-X")"},
    {"_ltree", -1, "{Ship.Frigate,Ship.Destroyer}", R"(["Ship.Frigate","Ship.Destroyer"])"},
    {"vector", 3, "[1,2,3]", "[1.0,2.0,3.0]"},
    {"sparsevec", 3000, "{1:201,9:209}/3000", R"({"dimensions":3000,"vector":[[1,201.0],[9,209.0]]})"},
    {"sparsevec", 100000, "{5:1.5}/100000", "FAILED"},
    {"_vector", -1, R"({"[1,2]",NULL})", "[[1.0,2.0],null]"},
    {"_halfvec", -1, R"({"[1,2]"})", "[[1.0,2.0]]"},
    {"_sparsevec", -1, R"({"{1:1}/5"})", R"([{"dimensions":5,"vector":[[1,1.0]]}])"},
    {"oidvector", -1, "1 2 4294967295", "[1,2,4294967295]"},
    {"int2vector", -1, "4 -5", "[4,-5]"},
    {"_text", -1, R"({a,"b c",NULL,"NULL"})", R"(["a","b c",null,"NULL"])"},
    {"_int4", -1, "[0:1][5:6]={{1,2},{3,NULL}}", "[[1,2],[3,null]]"},
    {"_time", -1, "{10:20:30.123456}", "[37230123456]"},
    {"_timetz", -1, "{10:20:30.123456+02}", R"(["08:20:30.123456Z"])"},
    {"name", -1, "x", R"("x")"},
    {"price2", -1, "1.500", R"("Bdw=")"},
    {"ints", -1, "{1,2}", "[1,2]"},
    {"dmood", -1, "ok", R"("ok")"},
};

}  // namespace

TEST_CASE("PG 8.2: value vectors") {
  for (const Vector& v : kVectors) {
    CAPTURE(v.type);
    CAPTURE(v.text);
    CAPTURE(v.mode);
    TypeModes modes;
    if (!v.property.empty()) set_mode(modes, v.property, v.mode);
    CHECK(value({oid_of(v.type), v.typmod, true, {}, modes}, v.text) == v.json);
  }
}

TEST_CASE("PG 4.1: texts that are no value of the type fail and append nothing") {
  const struct {
    std::string_view type, text;
  } wrong[] = {{"int2", "32768"},   {"int4", ""},         {"int4", "1x"},    {"bool", "maybe"},
               {"float8", "1.2.3"}, {"date", "tomorrow"}, {"numeric", "1e"}, {"bytea", "\\x0"},
               {"_int4", "{1,2"},   {"_int4", ""},        {"point", "(1,2"}, {"timestamp", "2020"},
               {"interval", "x"},   {"vector", "[1,"},    {"geometry", "0"}};
  for (const auto& w : wrong) {
    CAPTURE(w.type);
    CHECK(value({oid_of(w.type)}, w.text) == "FAILED");
  }
}

TEST_CASE("PG 4.7: unknown types with include.unknown.datatypes") {
  TypeModes modes;
  modes.include_unknown = true;
  CHECK(value({oid_of("circle"), -1, true, {}, modes}, "<(10,20),10>") == R"("PCgxMC4wLDIwLjApLDEwLjA+")");
  CHECK(value({oid_of("pg_lsn"), -1, true, {}, modes}, "0/10") == R"("MC8xMA==")");
  modes.binary = BinaryForm::hex;
  CHECK(value({oid_of("circle"), -1, true, {}, modes}, "<(10,20),10>") ==
        R"("3c2831302e302c32302e30292c31302e303e")");
  CHECK(value({oid_of("_box"), -1, true, {}, modes}, "{(1,1),(0,0)}") ==
        R"(["28312e302c312e30292c28302e302c302e3029"])");
  CHECK(value({oid_of("refcursor"), -1, true, {}, modes}, "a") == R"("61")");
}

}  // namespace cdc::pg::test
