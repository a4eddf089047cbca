// Which columns there are at all, and the schemas of single types and modes (4.1 to 4.7, PG-SCH-06).
#include <doctest/doctest.h>

#include "support.h"

namespace cdc::pg::test {
namespace {

TypeModes unknown_included() {
  TypeModes modes;
  modes.include_unknown = true;
  return modes;
}

}  // namespace

TEST_CASE("PG 4.7: types without a mapping are left out with a warning that names the way in") {
  for (Oid oid : {oid_of("box"), oid_of("pg_lsn"), oid_of("tsquery"), oid_of("int4multirange"),
                  oid_of("refcursor"), oid_of("regclass"), Oid{kAddress}, Oid{kOwnRange}, Oid{kCube}}) {
    CAPTURE(oid);
    const MappedColumn out = mapped({oid});
    CHECK_FALSE(out.codec);
    REQUIRE(out.warnings.size() == 1);
    CHECK(out.warnings[0].find("public.t.c") != std::string::npos);
    CHECK(out.warnings[0].find("include.unknown.datatypes=true") != std::string::npos);

    const MappedColumn in = mapped({oid, -1, true, {}, unknown_included()});
    REQUIRE(in.codec);
    CHECK(in.warnings.empty());
    CHECK(schema_text(*in.codec->schema) == R"({"type":"bytes","optional":true})");
  }
}

TEST_CASE("PG 4.6: arrays without a form are left out whatever the mode") {
  for (const char* type : {"_money", "_name", "_interval", "_varbit", "_xml", "_point", "_refcursor"}) {
    CAPTURE(type);
    CHECK_FALSE(mapped({oid_of(type)}).codec);
    const MappedColumn out = mapped({oid_of(type), -1, true, {}, unknown_included()});
    CHECK_FALSE(out.codec);
    REQUIRE(out.warnings.size() == 1);
    CHECK(out.warnings[0].find("include.unknown.datatypes") == std::string::npos);
  }
}

TEST_CASE("PG 4.6: arrays of unknown element types are arrays of bytes when they are included") {
  for (Oid oid : {oid_of("_box"), oid_of("_pg_lsn"), oid_of("_tsquery"), Oid{kAddress + kArrayOf},
                  Oid{kPrice + kArrayOf}, Oid{kMoodDomain + kArrayOf}}) {
    CAPTURE(oid);
    CHECK_FALSE(mapped({oid}).codec);
    CHECK(schema({oid, -1, true, {}, unknown_included()}) ==
          R"({"type":"array","items":{"type":"bytes","optional":false},"optional":true})");
  }
}

TEST_CASE("PG 4.6: elements are optional, but not on Debezium's generic path") {
  const struct {
    Oid oid;
    bool optional;
  } arrays[] = {
      {oid_of("_int4"), true},       {oid_of("_text"), true},       {oid_of("_jsonb"), true},
      {oid_of("_citext"), true},     {oid_of("_ltree"), true},      {oid_of("_hstore"), true},
      {oid_of("_geometry"), true},   {oid_of("_int4range"), true},  {oid_of("_mood"), false},
      {oid_of("_tsvector"), false},  {oid_of("_isbn"), false},      {oid_of("_vector"), false},
      {oid_of("_halfvec"), false},   {oid_of("_sparsevec"), false}, {oid_of("oidvector"), false},
      {oid_of("int2vector"), false},
  };
  for (const auto& array : arrays) {
    CAPTURE(array.oid);
    const ColumnCodec c = codec({array.oid});
    REQUIRE(c.schema->type == Type::array);
    CHECK(c.schema->items->optional == array.optional);
  }
}

TEST_CASE("PG 4.6: oidvector and int2vector are arrays of their own, and have arrays") {
  CHECK(schema({oid_of("oidvector")}) ==
        R"({"type":"array","items":{"type":"int64","optional":false},"optional":true})");
  CHECK(schema({oid_of("int2vector")}) ==
        R"({"type":"array","items":{"type":"int16","optional":false},"optional":true})");
  CHECK(
      schema({oid_of("_oidvector")}) ==
      R"({"type":"array","items":{"type":"array","items":{"type":"int64","optional":false},"optional":false},"optional":true})");
  CHECK(value({oid_of("_oidvector")}, R"({"1 2","3"})") == "[[1,2],[3]]");
}

TEST_CASE("PG 4.6: a bit array has the schema of the scalar and never a value") {
  CHECK(schema({oid_of("_bit"), 1, false}) == R"({"type":"boolean","optional":true})");
  CHECK(
      schema({oid_of("_bit"), 3, false}) ==
      R"({"type":"bytes","optional":true,"name":"io.debezium.data.Bits","version":1,"parameters":{"length":"3"}})");
  CHECK(value({oid_of("_bit"), 3}, "{101,010}") == "FAILED");
  CHECK(value({oid_of("_bit"), 1}, "{}") == "FAILED");
  CHECK(codec({oid_of("_bit"), 3}).no_form_hint == "bit arrays have no form");
  CHECK(fallback({oid_of("_bit"), 3}) == "null");
}

TEST_CASE("PG-SCH-06: a user type that shares a name with another is what it is") {
  CHECK(
      schema({kEnumLtree}) ==
      R"({"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":"a,b"}})");
  CHECK(schema({kIntCitext}) == R"({"type":"int32","optional":true})");
  CHECK(schema({kTextDate}) == R"({"type":"string","optional":true})");
  CHECK(schema({oid_of("date")}) ==
        R"({"type":"int32","optional":true,"name":"io.debezium.time.Date","version":1})");
}

TEST_CASE("PG-SCH-06: enums without labels, domains over enums and arrays") {
  CHECK(
      schema({kEmptyEnum}) ==
      R"({"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,"parameters":{"allowed":""}})");
  CHECK(schema({kMoodDomain}) == schema({kMood}));
  CHECK(schema({kIntsDomain}) == schema({oid_of("_int4")}));
}

TEST_CASE("PG 4.1: domains take length and scale from the first level that has one") {
  CHECK(schema({kPrice2}) == schema({oid_of("numeric"), numeric_typmod(9, 3)}));
  CHECK(schema({kBareNumber}) == schema({oid_of("numeric")}));
}

TEST_CASE("PG-SCH-01: a NOT NULL domain makes the column NOT NULL") {
  const MappedColumn out = mapped({kName20, -1, true});
  CHECK_FALSE(out.nullable);
  CHECK_FALSE(out.codec->schema->optional);
  CHECK(out.codec->fallback_json == "\"\"");

  ColumnSpec spec;
  spec.type_oid = kName20;
  spec.nullable_is_final = true;
  CHECK(make_codec(catalog(), spec, {}).nullable);
}

TEST_CASE("PG-TRAP-VAL-12: geometry is optional even where it is NOT NULL, geography is not") {
  CHECK(codec({kGeometry, -1, false}).schema->optional);
  CHECK_FALSE(codec({kGeography, -1, false}).schema->optional);
  CHECK_FALSE(mapped({kGeometry, -1, false}).nullable);
}

TEST_CASE("PG 4.3: a negative scale is read as 2048-s") {
  CHECK(schema({oid_of("numeric"), numeric_typmod(5, -2)}) ==
        R"({"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,)"
        R"("parameters":{"scale":"2046","connect.decimal.precision":"5"}})");
}

TEST_CASE("a type that the catalog does not know leaves the column out") {
  const MappedColumn out = mapped({4711});
  CHECK_FALSE(out.codec);
  REQUIRE(out.warnings.size() == 1);
  CHECK(out.warnings[0].find("4711") != std::string::npos);
}

}  // namespace cdc::pg::test
