// Values as pgoutput's texts, types' spellings as typmods, names without quotes.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "recorded.h"
#include "source/postgres/decoderbufs/cell_text.h"
#include "source/postgres/decoderbufs/decoder.h"
#include "source/postgres/decoderbufs/modifier.h"
#include "source/postgres/decoderbufs/names.h"

using namespace cdc;
using namespace cdc::pg;
using namespace cdc::pg::decoderbufs;

namespace {

constexpr Oid kInt8 = 20, kFloat4 = 700, kFloat8 = 701, kMoney = 790, kDate = 1082, kTime = 1083,
              kTimestamp = 1114, kTimestamptz = 1184, kInterval = 1186, kTimetz = 1266, kPoint = 600;

std::string text_of(const Datum& datum, const MoneyUnit& money = {}) {
  CellText texts(money);
  texts.start(datum.text.size(), 1);
  const Cell cell = texts.cell(datum);
  CHECK(cell.kind == Cell::Kind::value);
  return std::string(cell.data);
}
std::string integer(Oid type, std::int64_t value, const MoneyUnit& money = {}) {
  Datum datum;
  datum.form = Datum::Form::integer;
  datum.type = type;
  datum.integer = value;
  return text_of(datum, money);
}
std::string real(Oid type, double x, double y = 0) {
  Datum datum;
  datum.form = type == kPoint    ? Datum::Form::point
               : type == kFloat4 ? Datum::Form::small_real
                                 : Datum::Form::real;
  datum.type = type;
  datum.x = x;
  datum.y = y;
  datum.small_real = static_cast<float>(x);
  return text_of(datum);
}

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max(),
                       kLeast = std::numeric_limits<std::int64_t>::min();

}  // namespace

TEST_CASE("PG-DBUF-03 the recorded row has the texts that pgoutput sends") {
  const std::string bytes = from_hex(kInsert);
  RowMessage message;
  Fault fault;
  REQUIRE(decode(bytes, message, fault));
  CellText texts({});
  texts.start(bytes.size(), message.new_tuple.size());
  const std::vector<std::string_view> expected = {"1",
                                                  "t",
                                                  "-2",
                                                  "-9223372036854775808",
                                                  "3.3",
                                                  "1e-300",
                                                  "-$12.34",
                                                  "1.50",
                                                  "Gr\xc3\xbcn",
                                                  "infinity",
                                                  "4713-01-01 00:00:00+00 BC",
                                                  "-infinity",
                                                  "24:00:00",
                                                  "10:02:03.5+00",
                                                  "\\x00ff",
                                                  "(1,-2.5)",
                                                  "{1,NULL}",
                                                  "-1 days +02:03:00"};
  REQUIRE(message.new_tuple.size() == expected.size());
  std::vector<Cell> cells;
  for (const auto& part : message.new_tuple) {
    Datum datum;
    REQUIRE(decode(part, datum, fault));
    cells.push_back(texts.cell(datum));
  }
  for (std::size_t i = 0; i < cells.size(); ++i) CHECK(cells[i].data == expected[i]);
}

TEST_CASE("PG-DBUF-03 timestamps: both eras, fractions, years beyond 9999, infinities") {
  CHECK(integer(kTimestamp, 0) == "1970-01-01 00:00:00");
  CHECK(integer(kTimestamp, -1) == "1969-12-31 23:59:59.999999");
  CHECK(integer(kTimestamp, 1'772'360'430'120'000) == "2026-03-01 10:20:30.12");
  CHECK(integer(kTimestamptz, 1'772'360'430'120'000) == "2026-03-01 10:20:30.12+00");
  CHECK(integer(kTimestamp, -62'135'596'800'000'000) == "0001-01-01 00:00:00");
  CHECK(integer(kTimestamptz, -62'135'596'800'000'001) == "0001-12-31 23:59:59.999999+00 BC");
  CHECK(integer(kTimestamp, 253'402'300'800'000'000) == "10000-01-01 00:00:00");
  CHECK(integer(kTimestamp, -210'866'803'200'000'000) == "4714-11-24 00:00:00 BC");
  CHECK(integer(kTimestamp, kMost) == "infinity");
  CHECK(integer(kTimestamptz, kLeast) == "-infinity");
  // The plugin's shift to 1970 overflows in the last thirty years: 294276-12-31 23:59:59.999999.
  CHECK(integer(kTimestamp, static_cast<std::int64_t>(9'224'318'015'999'999'999U)) ==
        "294276-12-31 23:59:59.999999");
  CHECK(integer(kTimestamp, kMost - 1) == "294247-01-10 04:00:54.775806");
}

TEST_CASE("PG-DBUF-03 dates, also the infinities that were shifted like days") {
  CHECK(integer(kDate, 0) == "1970-01-01");
  CHECK(integer(kDate, 20'513) == "2026-03-01");
  CHECK(integer(kDate, -719'163) == "0001-12-31 BC");
  CHECK(integer(kDate, 2'145'042'905) == "5874897-12-31");
  CHECK(integer(kDate, -2'147'472'692) == "infinity");
  CHECK(integer(kDate, -2'147'472'691) == "-infinity");
  CHECK(integer(kDate, 2'147'483'647) == "infinity");
  CHECK(integer(kDate, -2'147'483'648LL) == "-infinity");
  CHECK(integer(kDate, kMost) == "9223372036854775807");
}

TEST_CASE("PG-TRAP-DBUF-03 timetz is wrapped into one day") {
  CHECK(real(kTimetz, 3'723'500'000.0) == "01:02:03.5+00");
  CHECK(real(kTimetz, -50'276'500'000.0) == "10:02:03.5+00");
  CHECK(real(kTimetz, 86'400'000'000.0) == "00:00:00+00");
  CHECK(real(kTimetz, 140'399'000'000.0) == "14:59:59+00");
  CHECK(real(kTimetz, std::nan("")) == "NaN");
  CHECK(integer(kTime, 86'400'000'000) == "24:00:00");
  CHECK(integer(kTime, 1) == "00:00:00.000001");
  CHECK(integer(kTime, -1) == "-1");
}

TEST_CASE("PG-DBUF-03 floats have the fewest digits, of their own width") {
  CHECK(real(kFloat4, 3.3) == "3.3");
  CHECK(real(kFloat8, 0.1) == "0.1");
  CHECK(real(kFloat8, -0.0) == "-0");
  CHECK(real(kFloat8, std::nan("")) == "NaN");
  CHECK(real(kFloat4, std::numeric_limits<double>::infinity()) == "Infinity");
  CHECK(real(kPoint, -1.5, -std::numeric_limits<double>::infinity()) == "(-1.5,-Infinity)");
  CHECK(integer(kInt8, kLeast) == "-9223372036854775808");
  CHECK(real(kInterval, -3'661'500'000.0) == "-01:01:01.5");  // old builds of the plugin
  CHECK(real(kInterval, 31'557'600e6) == "8766:00:00");
}

TEST_CASE("PG-TRAP-DBUF-02 money is counted in the locale's smallest unit") {
  CHECK(integer(kMoney, 5) == "$0.05");
  CHECK(integer(kMoney, -100) == "-$1.00");
  CHECK(integer(kMoney, kLeast) == "-$92233720368547758.08");
  MoneyUnit yen;
  yen.format = *MoneyFormat::learn(
      "\xc2\xa5"
      "1,235",
      "-\xc2\xa5"
      "1,235");
  yen.fraction_digits = MoneyUnit::digits_of(
      "\xc2\xa5"
      "1,235");
  CHECK(integer(kMoney, 5, yen) ==
        "\xc2\xa5"
        "5");
  MoneyUnit dinar;
  dinar.format = *MoneyFormat::learn("1.234,500 DT", "-1.234,500 DT");
  dinar.fraction_digits = MoneyUnit::digits_of("1.234,500 DT");
  CHECK(integer(kMoney, -1'234'567, dinar) == "-1234,567 DT");
  CHECK(integer(kMoney, 7, dinar) == "0,007 DT");
}

TEST_CASE("PG-DBUF-03 bytes are bytea's own, else the server's text") {
  Datum datum;
  datum.form = Datum::Form::bytes;
  datum.text = std::string_view("\x01\xab", 2);
  datum.type = 17;
  CHECK(text_of(datum) == "\\x01ab");
  datum.text = "\\x01ab";
  datum.type = 16'500;  // a domain over bytea
  CHECK(text_of(datum) == "\\x01ab");
  datum.form = Datum::Form::missing;
  CellText texts({});
  texts.start(0, 2);
  CHECK(texts.cell(datum).kind == Cell::Kind::unavailable);
  datum.form = Datum::Form::null;
  CHECK(texts.cell(datum).kind == Cell::Kind::null);
}

TEST_CASE("PG-DBUF-05 typmods by the spelling of types") {
  CHECK(typmod_of("integer") == -1);
  CHECK(typmod_of("numeric") == -1);
  CHECK(typmod_of("numeric(5,2)") == (5 << 16 | 2) + 4);
  CHECK(typmod_of("numeric(5,2)[]") == (5 << 16 | 2) + 4);
  CHECK(typmod_of("numeric(5,-2)") == (5 << 16 | 2046) + 4);
  CHECK(typmod_of("character varying(40)") == 44);
  CHECK(typmod_of("character(3)") == 7);
  CHECK(typmod_of("bpchar") == -1);
  CHECK(typmod_of("bit(3)") == 3);
  CHECK(typmod_of("bit varying(7)") == 7);
  CHECK(typmod_of("bit varying") == -1);
  CHECK(typmod_of("timestamp(3) without time zone") == 3);
  CHECK(typmod_of("timestamp without time zone") == -1);
  CHECK(typmod_of("timestamp(0) with time zone") == 0);
  CHECK(typmod_of("time(2) with time zone") == 2);
  CHECK(typmod_of("interval") == -1);
  CHECK(typmod_of("interval(3)") == (0x7FFF << 16 | 3));
  CHECK(typmod_of("interval year to month") == (6 << 16 | 0xFFFF));
  CHECK(typmod_of("interval day to second(2)") == (7176 << 16 | 2));
  for (const char* other :
       {"", "\"bit\"", "geometry(Point,4326)", "vector(3)", "bitmap(3)", "timetable", "numeric(", "numeric(5",
        "numeric(99999999999,2)", "character varying(-1)", "character varying(40", "interval_of_mine"})
    CHECK(typmod_of(other) == -1);
}

TEST_CASE("PG-TRAP-DBUF-01 names lose their quotes") {
  CHECK(*unquote_name("plain") == "plain");
  CHECK(*unquote_name("\"select\"") == "select");
  CHECK(*unquote_name("\"a\"\"b\"") == "a\"b");
  CHECK(*unquote_name("\"\"\"\"") == "\"");
  CHECK_FALSE(unquote_name("\"open"));
  CHECK_FALSE(unquote_name("\"a\"b"));
  const auto id = table_id("public.\"We \"\"ird. Name\"");
  REQUIRE(id);
  CHECK((id->schema == "public" && id->table == "We \"ird. Name"));
  CHECK(*table_id("\"a.b\".c") == TableId{{}, "a.b", "c"});
  for (const char* wrong : {"", "one", "a.", "a.b.c", "\"a.b", "a.\"b\"c", "."}) CHECK_FALSE(table_id(wrong));
}
