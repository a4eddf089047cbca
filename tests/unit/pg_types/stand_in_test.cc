// What prints where there is no value: fallbacks of NOT NULL columns (4.9), placeholders of unchanged TOAST
// (4.10).
#include <doctest/doctest.h>

#include <string_view>

#include "support.h"

namespace cdc::pg::test {
namespace {

struct StandIn {
  std::string_view type;
  std::int32_t typmod;
  std::string_view json;
  std::string_view property = {};
  std::string_view mode = {};
};

TypeModes modes_of(const StandIn& row) {
  TypeModes modes;
  if (!row.property.empty()) set_mode(modes, row.property, row.mode);
  return modes;
}

constexpr std::string_view kTime = "time.precision.mode";
constexpr std::string_view kDecimal = "decimal.handling.mode";

const StandIn kFallbacks[] = {
    {"int2", -1, "0"},
    {"int4", -1, "0"},
    {"int8", -1, "0"},
    {"oid", -1, "0"},
    {"float4", -1, "0.0"},
    {"float8", -1, "0.0"},
    {"bool", -1, "false"},
    {"bit", 1, "false"},
    {"bit", 9, R"("")"},
    {"varbit", -1, R"("")"},
    {"text", -1, R"("")"},
    {"mood", -1, R"("")"},
    {"uuid", -1, R"("")"},
    {"jsonb", -1, R"("")"},
    {"xml", -1, R"("")"},
    {"inet", -1, R"("")"},
    {"int4range", -1, R"("")"},
    {"tsvector", -1, R"("")"},
    {"name", -1, R"("")"},
    {"citext", -1, R"("")"},
    {"numeric", numeric_typmod(6, 2), R"("AA==")"},
    {"numeric", numeric_typmod(6, 2), R"("0.00")", kDecimal, "string"},
    {"numeric", numeric_typmod(6, 2), "0.0", kDecimal, "double"},
    {"numeric", numeric_typmod(6, 2), "0.00", "value.converter.decimal.format", "numeric"},
    {"numeric", -1, R"({"scale":0,"value":"AA=="})"},
    {"numeric", -1, R"("0")", kDecimal, "string"},
    {"money", -1, R"("AA==")"},
    {"money", -1, R"("0.00")", kDecimal, "string"},
    {"bytea", -1, R"("")"},
    {"box", -1, R"("")", "include.unknown.datatypes", "true"},
    {"date", -1, "0"},
    {"date", -1, R"("1970-01-01Z")", kTime, "isostring"},
    {"time", -1, "0"},
    {"time", -1, R"("00:00:00Z")", kTime, "isostring"},
    {"timestamp", -1, "0"},
    {"timestamp", -1, "0", kTime, "nanoseconds"},
    {"timestamp", -1, R"("1970-01-01T00:00:00Z")", kTime, "isostring"},
    {"timestamptz", -1, R"("1970-01-01T00:00:00Z")"},
    {"timetz", -1, R"("00:00:00Z")"},
    {"interval", -1, "0"},
    {"interval", -1, R"("P0Y0M0DT0H0M0S")", "interval.handling.mode", "string"},
    {"point", -1, R"({"x":0.0,"y":0.0,"wkb":"AQEAAAAAAAAAAAAAAAAAAAAAAAAA","srid":null})"},
    {"geometry", -1, R"({"wkb":"AQcAAAAAAAAA","srid":null})"},
    {"geography", -1, R"({"wkb":"AQcAAAAAAAAA","srid":null})"},
    {"hstore", -1, R"("{}")"},
    {"hstore", -1, "{}", "hstore.handling.mode", "map"},
    {"_int4", -1, "[]"},
    {"_mood", -1, "[]"},
    {"oidvector", -1, "[]"},
    {"vector", -1, "[]"},
    {"halfvec", -1, "[]"},
};

constexpr std::string_view kP = R"("__debezium_unavailable_value")";
constexpr std::string_view kP64 = R"("X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==")";
constexpr std::string_view kPNumbers =
    "[95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,101,95,118,97,108,117,101]";
constexpr std::string_view kPArray = R"(["__debezium_unavailable_value"])";

const StandIn kPlaceholders[] = {
    {"text", -1, kP},
    {"varchar", 9, kP},
    {"bpchar", 9, kP},
    {"json", -1, kP},
    {"jsonb", -1, kP},
    {"xml", -1, kP},
    {"citext", -1, kP},
    {"ltree", -1, kP},
    {"tsvector", -1, kP},
    {"bytea", -1, kP64},
    {"bytea", -1, kP, "binary.handling.mode", "hex"},
    {"bytea", -1, kP, "binary.handling.mode", "base64"},
    {"bytea", -1, kP, "binary.handling.mode", "base64-url-safe"},
    {"_text", -1, kPArray},
    {"_varchar", -1, kPArray},
    {"_bpchar", -1, kPArray},
    {"_json", -1, kPArray},
    {"_jsonb", -1, kPArray},
    {"_bytea", -1, R"(["X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="])"},
    {"_bytea", -1, "NONE", "binary.handling.mode", "hex"},
    {"_int4", -1, kPNumbers},
    {"_int8", -1, kPNumbers},
    {"_date", -1, kPNumbers},
    {"_date", -1, "NONE", kTime, "isostring"},
    {"_date", -1, "NONE", kTime, "connect"},
    {"_uuid", -1, R"(["b68a35a7-17ad-35b3-af2a-ae46edb4545a"])"},
    {"hstore", -1, R"("{\"__debezium_unavailable_value\":\"__debezium_unavailable_value\"}")"},
    {"hstore", -1, R"({"__debezium_unavailable_value":"__debezium_unavailable_value"})",
     "hstore.handling.mode", "map"},
    {"numeric", -1, "NONE"},
    {"numeric", -1, kP, kDecimal, "string"},
    {"varbit", -1, "NONE"},
    {"geometry", -1, "NONE"},
    {"vector", -1, "NONE"},
    {"_numeric", -1, "NONE"},
    {"_float8", -1, "NONE"},
    {"_bool", -1, "NONE"},
    {"_int2", -1, "NONE"},
    {"_mood", -1, "NONE"},
    {"_timestamptz", -1, "NONE"},
    {"_hstore", -1, "NONE"},
    {"box", -1, kP64, "include.unknown.datatypes", "true"},
};

}  // namespace

TEST_CASE("PG 4.9: fallbacks of NOT NULL columns") {
  for (const StandIn& row : kFallbacks) {
    CAPTURE(row.type);
    CAPTURE(row.mode);
    CHECK(fallback({oid_of(row.type), row.typmod, true, {}, modes_of(row)}) == row.json);
  }
}

TEST_CASE("PG 4.9: the default goes before the fallback, and a nullable column has neither") {
  CHECK(fallback({oid_of("int4"), -1, true, "7"}) == "7");
  CHECK(codec({oid_of("int4"), -1, true, "7"}).fallback_json == "null");
  CHECK(codec({kGeometry, -1, true}).fallback_json == "null");
}

TEST_CASE("PG 4.10: placeholders of unchanged TOAST") {
  for (const StandIn& row : kPlaceholders) {
    CAPTURE(row.type);
    CAPTURE(row.mode);
    CHECK(unavailable({oid_of(row.type), row.typmod, true, {}, modes_of(row)}) == row.json);
  }
}

TEST_CASE("PG 4.10: unavailable.value.placeholder=hex: sets the bytes") {
  TypeModes modes;
  modes.unavailable = *unavailable_placeholder("hex:00c3a9ff");
  CHECK(unavailable({oid_of("text"), -1, true, {}, modes}) == "\"\\u0000\xC3\xA9\xEF\xBF\xBD\"");
  CHECK(unavailable({oid_of("bytea"), -1, true, {}, modes}) == R"("AMOp/w==")");
  CHECK(unavailable({oid_of("_text"), -1, true, {}, modes}) == "[\"\\u0000\xC3\xA9\xEF\xBF\xBD\"]");
  CHECK(unavailable({oid_of("_int4"), -1, true, {}, modes}) == "[0,-61,-87,-1]");
  CHECK(unavailable({oid_of("_bytea"), -1, true, {}, modes}) == R"(["AMOp/w=="])");
  CHECK_FALSE(unavailable_placeholder("hex:0"));
  CHECK_FALSE(unavailable_placeholder("hex:zz"));
  CHECK(unavailable_placeholder("n/a") == "n/a");
}

}  // namespace cdc::pg::test
