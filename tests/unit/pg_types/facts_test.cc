// Type names, lengths and scales that column rules see (4.12), and which columns masks apply to
// (CORE-COL-06).
#include <doctest/doctest.h>

#include <string_view>

#include "source/postgres/types/column_facts.h"
#include "source/postgres/types/upper_case.h"
#include "support.h"

namespace cdc::pg::test {
namespace {

constexpr int kMax = 2147483647;

struct Facts {
  std::string_view type;
  std::int32_t typmod;
  std::string_view name;
  int length;
  int scale;
};

const Facts kStream[] = {
    {"int2", -1, "INT2", 5, 0},
    {"int4", -1, "INT4", 10, 0},
    {"int8", -1, "INT8", 19, 0},
    {"oid", -1, "OID", 10, 0},
    {"float4", -1, "FLOAT4", 8, 8},
    {"float8", -1, "FLOAT8", 17, 17},
    {"bool", -1, "BOOL", 1, 0},
    {"char", -1, "CHAR", 1, 0},
    {"numeric", numeric_typmod(9, 2), "NUMERIC", 9, 2},
    {"numeric", numeric_typmod(5, -2), "NUMERIC", 5, 2046},
    {"numeric", -1, "NUMERIC", 131089, 0},
    {"varchar", 16, "VARCHAR", 12, 0},
    {"varchar", -1, "VARCHAR", kMax, 0},
    {"bpchar", 7, "BPCHAR", 3, 0},
    {"bit", 1, "BIT", 1, 0},
    {"bit", 9, "BIT", 9, 0},
    {"varbit", -1, "VARBIT", kMax, 0},
    {"varbit", 7, "VARBIT", 7, 0},
    {"text", -1, "TEXT", kMax, 0},
    {"bytea", -1, "BYTEA", kMax, 0},
    {"money", -1, "MONEY", kMax, 0},
    {"name", -1, "NAME", kMax, 0},
    {"date", -1, "DATE", 13, 0},
    {"time", -1, "TIME", 15, 6},
    {"time", 0, "TIME", 8, 0},
    {"time", 2, "TIME", 11, 2},
    {"timetz", 1, "TIMETZ", 17, 1},
    {"timestamp", -1, "TIMESTAMP", 29, 6},
    {"timestamp", 1, "TIMESTAMP", 25, 1},
    {"timestamp", 0, "TIMESTAMP", 22, 0},
    {"timestamptz", 4, "TIMESTAMPTZ", 33, 4},
    {"timestamptz", -1, "TIMESTAMPTZ", 35, 6},
    {"interval", -1, "INTERVAL", 49, 6},
    {"interval", 0x7FFF0003, "INTERVAL", 49, 3},
    {"interval", 0x0006FFFF, "INTERVAL", 49, 65535},  // year to month
    {"mood", -1, "MOOD", kMax, 0},
    {"_mood", -1, "_MOOD", kMax, 0},
    {"_int4", -1, "_INT4", 10, 0},
    {"_varchar", 9, "_VARCHAR", 5, 0},
    {"_numeric", numeric_typmod(6, 1), "_NUMERIC", 6, 1},
    {"_numeric", -1, "_NUMERIC", 131089, 0},
    {"_timestamp", 2, "_TIMESTAMP", 25, 2},
    {"_bit", 3, "_BIT", 3, 0},
    {"oidvector", -1, "OIDVECTOR", kMax, 0},
    {"vector", 3, "VECTOR", kMax, 0},
    {"price2", -1, "PRICE2", 9, 3},
    {"bare", -1, "BARE", 131089, 0},
    {"name20", -1, "NAME20", 20, 0},
    {"ints", -1, "INTS", 10, 0},
};

ColumnFacts facts(Oid oid, std::int32_t typmod, std::string_view expression, Phase phase) {
  return column_facts(catalog(), oid, typmod, expression, phase);
}

}  // namespace

TEST_CASE("PG 4.12: name, length and scale in the stream; the snapshot has the same but for a bare numeric") {
  for (const Facts& row : kStream) {
    CAPTURE(row.type);
    CAPTURE(row.typmod);
    for (Phase phase : {Phase::stream, Phase::snapshot}) {
      if (phase == Phase::snapshot && row.type == "numeric" && row.typmod < 0) continue;
      const ColumnFacts f = facts(oid_of(row.type), row.typmod, {}, phase);
      CHECK(f.type_name == row.name);
      CHECK(f.length == row.length);
      CHECK(f.scale == row.scale);
    }
  }
  const ColumnFacts bare = facts(oid_of("numeric"), -1, {}, Phase::snapshot);
  CHECK(bare.length == 0);
  CHECK_FALSE(bare.scale);
}

TEST_CASE("PG 4.12: serial columns and types off the search path are spelled so in the snapshot only") {
  const std::string_view sequence = "nextval('t_id_seq'::regclass)";
  CHECK(facts(oid_of("int4"), -1, sequence, Phase::snapshot).type_name == "SERIAL");
  CHECK(facts(oid_of("int8"), -1, sequence, Phase::snapshot).type_name == "BIGSERIAL");
  CHECK(facts(oid_of("int2"), -1, sequence, Phase::snapshot).type_name == "SMALLSERIAL");
  CHECK(facts(oid_of("int4"), -1, sequence, Phase::stream).type_name == "INT4");
  CHECK(facts(oid_of("int4"), -1, "7", Phase::snapshot).type_name == "INT4");
  CHECK(facts(oid_of("numeric"), -1, sequence, Phase::snapshot).type_name == "NUMERIC");
  CHECK(facts(kEnumLtree, -1, {}, Phase::snapshot).type_name == "\"S2\".\"LTREE\"");
  CHECK(facts(kEnumLtree + kArrayOf, -1, {}, Phase::snapshot).type_name == "\"S2\".\"_LTREE\"");
  CHECK(facts(kEnumLtree, -1, {}, Phase::stream).type_name == "LTREE");
  CHECK(facts(kTextDate, -1, {}, Phase::snapshot).type_name == "\"S2\".\"DATE\"");
}

TEST_CASE("CORE-COL-06: masks apply to the character types of JDBC") {
  for (Oid oid : {oid_of("text"), oid_of("varchar"), oid_of("bpchar"), oid_of("char"), oid_of("name"),
                  Oid{kMood}, Oid{kName20}, Oid{kTextDate}, Oid{kMoodDomain}, Oid{kEnumLtree}}) {
    CAPTURE(oid);
    CHECK(facts(oid, -1, {}, Phase::stream).is_character);
    CHECK(facts(oid, -1, {}, Phase::snapshot).is_character);
  }
  for (Oid oid : {oid_of("citext"), oid_of("xml"), oid_of("json"), oid_of("jsonb"), oid_of("uuid"),
                  oid_of("_text"), oid_of("inet"), oid_of("int4"), oid_of("ltree"), oid_of("_mood"),
                  oid_of("tsvector"), oid_of("isbn"), oid_of("int4range"), Oid{kIntCitext}, Oid{kAddress}}) {
    CAPTURE(oid);
    CHECK_FALSE(facts(oid, -1, {}, Phase::stream).is_character);
  }
}

TEST_CASE("PG 4.12: upper case under English rules") {
  CHECK(upper_case("int4_x9") == "INT4_X9");
  CHECK(upper_case("\xC3\xB6l \xC3\xBF") == "\xC3\x96L \xC5\xB8");
  CHECK(upper_case("stra\xC3\x9F"
                   "e") == "STRASSE");
  CHECK(upper_case("\xD0\xBA\xD1\x8E\xD1\x91") == "\xD0\x9A\xD0\xAE\xD0\x81");
  // Polish and Czech; the small letter is the even one of the pair there.
  CHECK(upper_case("\xC5\x82\xC5\xBA\xC5\xBE\xC5\x88") == "\xC5\x81\xC5\xB9\xC5\xBD\xC5\x87");
  CHECK(upper_case("\xC5\x81\xC5\xB9\xCF\x82") == "\xC5\x81\xC5\xB9\xCE\xA3");
  CHECK(upper_case("\xCE\xB1\xCF\x89") == "\xCE\x91\xCE\xA9");
  CHECK(upper_case("\xF0\x9F\x98\x80\xC3") == "\xF0\x9F\x98\x80\xC3");
}

}  // namespace cdc::pg::test
