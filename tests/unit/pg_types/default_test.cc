// Defaults of the schema from the text of pg_get_expr (4.11).
#include <doctest/doctest.h>

#include <string_view>

#include "source/postgres/types/default_expression.h"
#include "support.h"

namespace cdc::pg::test {
namespace {

using Kind = DefaultExpression::Kind;

struct Default {
  std::string_view type;
  std::int32_t typmod;
  std::string_view expression;
  std::string_view json;  // NONE: no default
  std::string_view property = {};
  std::string_view mode = {};
};

constexpr std::string_view kTime = "time.precision.mode";
constexpr std::string_view kDecimal = "decimal.handling.mode";

const Default kDefaults[] = {
    {"varchar", -1, "'NULL'::character varying", R"("NULL")"},
    {"varchar", -1, "'NULL::character varying'::character varying", R"("NULL::character varying")"},
    {"varchar", -1, "NULL::character varying", "NONE"},
    {"int4", -1, "NULLIF(1, 2)", "NONE"},
    {"int4", -1, "'-5'::integer", "-5"},
    {"int4", -1, "('-5'::integer + 1)", "-5"},
    {"int4", -1, "(1 + 2)", "NONE"},
    {"int4", -1, "nextval('t_id_seq'::regclass)", "0"},
    {"int4", -1, "((random() * (100)::double precision))::integer", "NONE"},
    {"int8", -1, "'5000000000'::bigint", "5000000000"},
    {"int2", -1, "(2)::smallint", "NONE"},
    {"float8", -1, "'1e-07'::double precision", "1.0E-7"},
    {"float8", -1, "2.5", "2.5"},
    {"float8", -1, "pi()", "0.0"},
    {"float4", -1, "'-Infinity'::real", R"("-Infinity")"},
    {"bool", -1, "true", "true"},
    {"bool", -1, "false", "false"},
    {"bool", -1, "(NOT false)", "false"},
    {"bool", -1, "starts_with('ab'::text, 'a'::text)", "false"},
    {"text", -1, "('a'::text || 'b'::text)", R"("a")"},
    {"text", -1, "'it''s'::text", R"("it's")"},
    {"text", -1, "'a''b''''c'::text", R"("a'b''c")"},
    {"text", -1, "''::text", R"("")"},
    {"text", -1, "'x\ny'::text", "NONE"},
    {"text", -1, "'x\ry'::text", "NONE"},
    {"text", -1, "'unfinished", "NONE"},
    {"text", -1, "lower('ABC'::text)", R"("")"},
    {"text", -1, "COALESCE(NULL::text, 'cx'::text)", R"("")"},
    {"text", -1, "CURRENT_USER", R"("CURRENT_USER")"},
    {"text", -1, "(5)::text", R"("(5)::text")"},
    {"text", -1, "('INV-'::text || nextval('sq'::regclass))", R"("INV-")"},
    {"text", -1, "\nCASE\n    WHEN true THEN 'yes'::text\n    ELSE 'no'::text\nEND", R"("yes")"},
    {"bpchar", 9, "'xy'::bpchar", R"("xy")"},
    {"json", -1, "'{\"a\":\"x''y\"}'::json", R"("{\"a\":\"x'y\"}")"},
    {"jsonb", -1, "jsonb_build_object('a', 1)", R"("{}")"},
    {"json", -1, "((1)::text)::json", R"("((1)::text)::json")"},
    {"xml", -1, "'<a/>'::xml", R"("<a/>")"},
    {"uuid", -1, "gen_random_uuid()", R"("00000000-0000-0000-0000-000000000000")"},
    {"uuid", -1, "(md5('x'::text))::uuid", R"("00000000-0000-0000-0000-000000000000")"},
    {"uuid", -1, "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", R"("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")"},
    {"uuid", -1, "'x'::uuid", "NONE"},
    {"mood", -1, "'ok'::mood", R"("ok")"},
    {"mood", -1, "'gone'::mood", "NONE"},
    {"mood", -1, "pick()", "NONE"},
    {"mood", -1, "\nCASE\n    WHEN true THEN 'ok'::mood\nEND", "NONE"},
    {"bit", 1, "'1'::\"bit\"", "true"},
    {"bit", 1, "B'1'::\"bit\"", "true"},
    {"bit", 1, "(1)::bit(1)", "NONE"},
    {"bit", 1, "(abs(3))::bit(1)", "false"},
    {"bit", 1, "abs(3)", "false"},
    {"bit", 10, "B'1000000001'::\"bit\"", R"("AQI=")"},
    {"bit", 4, "(5)::bit(4)", R"("")"},
    {"varbit", -1, "B'101'::\"bit\"", R"("BQ==")"},
    {"numeric", numeric_typmod(8, 2), "12.5", R"("BOI=")"},
    {"numeric", numeric_typmod(6, 2), "'-0.50'::numeric", R"("zg==")"},
    {"numeric", numeric_typmod(4, 1), "0.05", "NONE"},
    {"numeric", numeric_typmod(4, 1), "0.05", "NONE", kDecimal, "string"},
    {"numeric", numeric_typmod(4, 1), "0.05", "NONE", kDecimal, "double"},
    {"numeric", numeric_typmod(4, 1), "12.50", R"("12.5")", kDecimal, "string"},
    {"numeric", numeric_typmod(6, 2), "1.50000", "1.50", "value.converter.decimal.format", "numeric"},
    {"numeric", numeric_typmod(6, 2), "(round(2.5) / (2)::numeric)", R"("AA==")"},
    {"numeric", numeric_typmod(6, 2), "abs('-1.5'::numeric)", R"("0.00")", kDecimal, "string"},
    {"numeric", -1, "abs('-1.5'::numeric)", R"("0.0")", kDecimal, "string"},
    {"numeric", -1, "1.50", "NONE"},
    {"numeric", -1, "'-1.50'::numeric", R"("-1.50")", kDecimal, "string"},
    {"numeric", -1, "'NaN'::numeric", "NONE", kDecimal, "string"},
    {"numeric", -1, "'NaN'::numeric", "NONE", kDecimal, "double"},
    {"date", -1, "'2020-02-29'::date", "18321"},
    {"date", -1, "('2020-01-01'::date + 5)", "18262"},
    {"date", -1, "CURRENT_DATE", "0"},
    {"date", -1, "(CURRENT_DATE + 7)", "NONE"},
    {"date", -1, "(now())::date", "0"},
    {"date", -1, "('now'::text)::date", "NONE"},
    {"date", -1, "'infinity'::date", "-2147472692"},
    {"date", -1, "'0044-03-15 BC'::date", "-735160"},
    {"time", -1, "'24:00:00'::time without time zone", "86400000000"},
    {"time", -1, "'24:00:00'::time without time zone", R"("00:00:00Z")", kTime, "isostring"},
    {"time", 2, "CURRENT_TIME", "0"},
    {"timestamp", -1, "CURRENT_TIMESTAMP", "0"},
    {"timestamp", -1, "(now() AT TIME ZONE 'utc'::text)", "0"},
    {"timestamp", -1, "(CURRENT_TIMESTAMP AT TIME ZONE 'UTC'::text)", "NONE"},
    {"timestamp", -1, "'infinity'::timestamp without time zone", "9223372036825200000"},
    {"timestamp", -1, "'infinity'::timestamp without time zone", R"("+294247-01-10T04:00:25.2Z")", kTime,
     "isostring"},
    {"timestamp", -1, "'infinity'::timestamp without time zone", "NONE", kTime, "nanoseconds"},
    {"timestamp", -1, "'-infinity'::timestamp without time zone", "NONE", kTime, "connect"},
    {"timestamp", 3, "'infinity'::timestamp without time zone", "NONE"},
    {"timestamptz", -1, "now()", R"("1970-01-01T00:00:00.000000Z")"},
    {"timestamptz", 2, "CURRENT_TIMESTAMP(2)", R"("1970-01-01T00:00:00.00Z")"},
    {"timestamptz", -1, "'infinity'::timestamp with time zone", "NONE"},
    {"timestamptz", -1, "(now() + '1 day'::interval)", R"("1970-01-01T00:00:00.000000Z")"},
    {"interval", -1, "('01:00:00'::interval * (2)::double precision)", "3600000000"},
    {"interval", -1, "make_interval(days => 3)", R"("P0Y0M0DT0H0M0S")", "interval.handling.mode", "string"},
    {"interval", -1, "'infinity'::interval", "NONE"},
    // types that never have one
    {"bytea", -1, "'\\x0102'::bytea", "NONE"},
    {"_int4", -1, "'{1,2}'::integer[]", "NONE"},
    {"timetz", -1, "CURRENT_TIME", "NONE"},
    {"money", -1, "2.5", "NONE"},
    {"hstore", -1, "''::hstore", "NONE"},
    {"inet", -1, "'1.2.3.4'::inet", "NONE"},
    {"citext", -1, "'D'::citext", "NONE"},
    {"point", -1, "'(1,2)'::point", "NONE"},
    {"oid", -1, "5", "NONE"},
    {"name", -1, "'nn'::name", "NONE"},
    {"char", -1, "'z'::\"char\"", "NONE"},
    {"int4range", -1, "'[1,3)'::int4range", "NONE"},
    {"price", -1, "1.5", "NONE"},
    {"dbool", -1, "false", "NONE"},
};

}  // namespace

TEST_CASE("PG 4.11: defaults by type and expression") {
  for (const Default& d : kDefaults) {
    CAPTURE(d.type);
    CAPTURE(d.expression);
    CAPTURE(d.mode);
    TypeModes modes;
    if (!d.property.empty()) set_mode(modes, d.property, d.mode);
    const ColumnCodec c = codec({oid_of(d.type), d.typmod, true, std::string(d.expression), modes});
    CHECK(c.schema->default_json.value_or("NONE") == d.json);
  }
}

TEST_CASE("PG 4.11: a default that a schema cannot show is warned of, one that no schema shows is not") {
  CHECK(mapped({oid_of("int4"), -1, true, "(1 + 2)"}).warnings.size() == 1);
  CHECK(mapped({oid_of("text"), -1, true, "'x\ny'::text"}).warnings.size() == 1);
  CHECK(mapped({oid_of("int4"), -1, true, "NULL"}).warnings.empty());
  CHECK(mapped({oid_of("bytea"), -1, true, "'\\x01'::bytea"}).warnings.empty());
  CHECK(mapped({oid_of("numeric"), -1, true, "1.5"}).warnings.empty());
  CHECK(mapped({oid_of("int4"), -1, true, "nextval('s')"}).warnings.empty());
}

TEST_CASE("PG 4.11: the order in which an expression is read") {
  const struct {
    std::string_view expression;
    Kind kind;
    std::string_view text;
  } cases[] = {
      {"", Kind::null, ""},
      {"NULL", Kind::null, ""},
      {"pg_catalog.now()", Kind::call, ""},
      {"(f(1) + 1)", Kind::call, ""},
      {"((f(1) + 1))", Kind::bare, "((f(1) + 1))"},
      {"LOCALTIMESTAMP", Kind::call, ""},
      {"LOCALTIME(2)", Kind::call, ""},
      {"CURRENT_CATALOG", Kind::bare, "CURRENT_CATALOG"},
      {"\"My F\"('x')", Kind::literal, "x"},
      {"(", Kind::bare, "("},
      {"((", Kind::bare, "(("},
      {"'", Kind::unreadable, ""},
      {"''", Kind::literal, ""},
      {"''''", Kind::literal, "'"},
      {"'''", Kind::unreadable, ""},
      {"'a\xE2\x80\xA8'", Kind::unreadable, ""},
  };
  for (const auto& c : cases) {
    CAPTURE(c.expression);
    const DefaultExpression read = read_default(c.expression);
    CHECK(read.kind == c.kind);
    CHECK(read.text == c.text);
  }
}

}  // namespace cdc::pg::test
