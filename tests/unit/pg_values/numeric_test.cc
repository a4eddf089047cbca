// numeric and money: PostgreSQL spec 4.3 and its vectors in 8.2, core appendix A.1.
#include "source/postgres/values/numeric.h"
#include "helpers.h"
#include "source/postgres/values/money.h"

using namespace cdc::pg;
using namespace cdc::pg::test;

namespace {
std::string base64(std::string_view text, int scale) {
  return render(append_decimal, text, scale, DecimalForm::base64);
}
std::string number(std::string_view text, int scale) {
  return render(append_decimal, text, scale, DecimalForm::numeric);
}
std::string variable(std::string_view text) { return render(append_variable_scale_decimal, text); }
std::string as_double(std::string_view text) { return render(append_numeric_as_double, text); }
std::string as_string(std::string_view text, std::optional<int> scale) {
  return render(append_numeric_as_string, text, scale);
}
}  // namespace

// A sign in front takes the way of numbers of any size; without it a short number takes the quick one.
TEST_CASE("PG 4.3 short decimals are what numbers of any size would be") {
  const std::string digits = "9081726354453627180";
  for (std::size_t whole = 0; whole <= digits.size(); ++whole)
    for (std::size_t fraction = 0; fraction + whole <= digits.size(); ++fraction)
      for (const bool point : {false, true})
        for (const int scale : {0, 1, 2, 9, 17, 18, 19, 40}) {
          if (!point && fraction > 0) continue;
          const std::string text =
              digits.substr(0, whole) + (point ? "." : "") + digits.substr(whole, fraction);
          CAPTURE(text);
          CAPTURE(scale);
          CHECK(base64(text, scale) == base64("+" + text, scale));
        }
  for (const std::int64_t edge : {127, 128, 129, 255, 256, 32767, 32768, 8388607, 8388608}) {
    const std::string text = std::to_string(edge);
    CHECK(base64(text, 0) == base64("+" + text, 0));
    CHECK(base64("-" + text, 0) == base64("-000000000000000000" + text, 0));
    CHECK(base64("-" + text, 0) != base64(text, 0));
  }
  CHECK(base64("-0.00", 2) == base64("0", 2));
  for (const char* bad : {"", "-", ".", "-.", "1.2.3", "1e3", "1 ", " 1", "NaN", "Infinity", "--1", "1-"})
    CHECK(base64(bad, 4) == none);
}

TEST_CASE("PG 4.3 numeric(p,s), precise") {
  CHECK(base64("12.50", 2) == "\"BOI=\"");
  CHECK(base64("-5.50", 2) == "\"/do=\"");
  CHECK(base64("0.00", 2) == "\"AA==\"");
  CHECK(base64("-0.00", 2) == "\"AA==\"");
  CHECK(base64("0", 2) == "\"AA==\"");
  CHECK(base64("1.10", 2) == "\"bg==\"");
  CHECK(base64("10", 0) == "\"Cg==\"");
  CHECK(base64("22.2200", 4) == "\"A2P4\"");
  CHECK(base64("1.20", 2) == "\"eA==\"");
  CHECK(base64("3.40", 2) == "\"AVQ=\"");
  CHECK(base64("5.60", 2) == "\"AjA=\"");
}

TEST_CASE("PG 4.3 fewer decimals are padded, superfluous zeros dropped, nothing is rounded") {
  CHECK(base64("12.5", 2) == "\"BOI=\"");
  CHECK(base64("12", 2) == "\"BLA=\"");
  CHECK(base64("12.5000", 2) == "\"BOI=\"");
  CHECK(base64("12.501", 2) == none);
  CHECK(base64(".5", 1) == "\"BQ==\"");
  CHECK(base64("5.", 1) == "\"Mg==\"");
  CHECK(base64("1", -1) == none);
}

TEST_CASE("CORE-JSON-11 A.1 Decimal as base64 and as BigDecimal prints it") {
  const struct {
    const char* text;
    int scale;
    const char *number, *base64;
  } cases[] = {
      {"0.00000001", 8, "1E-8", "\"AQ==\""},
      {"0.0000000000", 10, "0E-10", "\"AA==\""},
      {"123456789012345678901234567890.10", 2, "123456789012345678901234567890.10",
       "\"AJvTCjxkWUPdFpCgOhI=\""},
      {"-0.50", 2, "-0.50", "\"zg==\""},
      {"0.000001", 6, "0.000001", "\"AQ==\""},
      {"19.90", 2, "19.90", "\"B8Y=\""},
      {"0.000000", 6, "0.000000", "\"AA==\""},
      {"0", 7, "0E-7", "\"AA==\""},
      {"-0.00000012", 8, "-1.2E-7", "\"9A==\""},
      {"0.0000001200", 10, "1.200E-7", "\"BLA=\""},
      {"0.00000012", 10, "1.200E-7", "\"BLA=\""},
      {"0.0000012", 7, "0.0000012", "\"DA==\""},
      {"7", 0, "7", "\"Bw==\""},
      {"-7", 2, "-7.00", "\"/UQ=\""},
  };
  for (const auto& c : cases) {
    CHECK(number(c.text, c.scale) == c.number);
    CHECK(base64(c.text, c.scale) == c.base64);
  }
}

TEST_CASE("CORE-JSON-11 the shortest two's complement at every byte limit") {
  CHECK(base64("127", 0) == "\"fw==\"");
  CHECK(base64("128", 0) == "\"AIA=\"");
  CHECK(base64("-128", 0) == "\"gA==\"");
  CHECK(base64("-129", 0) == "\"/38=\"");
  CHECK(base64("255", 0) == "\"AP8=\"");
  CHECK(base64("32767", 0) == "\"f/8=\"");
  CHECK(base64("32768", 0) == "\"AIAA\"");
  CHECK(base64("-32768", 0) == "\"gAA=\"");
  // around what fits a machine word
  CHECK(base64("999999999999999999", 0) == "\"DeC2s6dj//8=\"");
  CHECK(base64("9223372036854775807", 0) == "\"f/////////8=\"");
  CHECK(base64("9223372036854775808", 0) == "\"AIAAAAAAAAAA\"");
  CHECK(base64("-9223372036854775808", 0) == "\"gAAAAAAAAAA=\"");
  CHECK(base64("-9223372036854775809", 0) == "\"/3//////////\"");
  CHECK(base64("18446744073709551615", 0) == "\"AP//////////\"");
  CHECK(base64("18446744073709551616", 0) == "\"AQAAAAAAAAAA\"");
  CHECK(base64("-18446744073709551616", 0) == "\"/wAAAAAAAAAA\"");
  CHECK(base64("340282366920938463463374607431768211456", 0) == "\"AQAAAAAAAAAAAAAAAAAAAAA=\"");
  CHECK(base64("0000000000000000000000000000", 0) == "\"AA==\"");
  CHECK(base64("-0.0000000000000000000000000000", 28) == "\"AA==\"");
}

TEST_CASE("PG-TRAP-VAL-08 scale 2046 and thousands of digits") {
  // 12300 at scale 2046: the same digits however the zeros are written
  const std::string zeros(2046, '0');
  CHECK(base64("12300", 2046) == base64("12300." + zeros, 2046));
  CHECK(as_string("12300", 2046) == "\"12300." + zeros + "\"");
  // 10^5000 has 5001 digits: leading byte by log2, the low 625 bytes (5000 bits) zero
  const std::string big = base64("1" + std::string(5000, '0'), 0);
  CHECK(big.size() > 2700);
  CHECK(big.ends_with("AAAAAAAA==\""));
  CHECK(base64("1", 5000) == big);
  CHECK(base64("10." + std::string(4999, '0'), 4999) == big);
  CHECK(base64("-1", 5000) != big);
}

TEST_CASE("PG 4.3 numeric without scale") {
  CHECK(variable("10.10") == R"({"scale":1,"value":"ZQ=="})");
  CHECK(variable("100") == R"({"scale":0,"value":"ZA=="})");
  CHECK(variable("10.1111") == R"({"scale":4,"value":"AYr3"})");
  CHECK(variable("22") == R"({"scale":0,"value":"Fg=="})");
  CHECK(variable("1.1") == R"({"scale":1,"value":"Cw=="})");
  CHECK(variable("2.22") == R"({"scale":2,"value":"AN4="})");
  CHECK(variable("3.333") == R"({"scale":3,"value":"DQU="})");
  CHECK(variable("0.000") == R"({"scale":0,"value":"AA=="})");
  CHECK(variable("-0.000001") == R"({"scale":6,"value":"/w=="})");
  CHECK(variable("12345678901234567890.00") == R"({"scale":0,"value":"AKtUqYzrHwrS"})");
  CHECK(variable("100000000000000000000000000000000000000000") ==
        R"({"scale":0,"value":"ASXfo3Ghnm98tUOVygAAAAAA"})");
  CHECK(variable("NaN") == none);
}

TEST_CASE("PG 4.3 double") {
  CHECK(as_double("12.50") == "12.5");
  CHECK(as_double("1.1") == "1.1");
  CHECK(as_double("-0.0000000001") == "-1.0E-10");
  CHECK(as_double("1234567890123456789012345678.0123456789") == "1.2345678901234569E27");
  CHECK(as_double("NaN") == "\"NaN\"");
  CHECK(as_double("Infinity") == "\"Infinity\"");
  CHECK(as_double("-Infinity") == "\"-Infinity\"");
  CHECK(as_double("1" + std::string(400, '0')) == "\"Infinity\"");
  CHECK(as_double("-1" + std::string(400, '0') + ".5") == "\"-Infinity\"");
  CHECK(as_double("0." + std::string(400, '0') + "1") == "0.0");
  CHECK(as_double("-0." + std::string(400, '0') + "1") == "0.0");
}

TEST_CASE("PG 4.3 PG-TRAP-VAL-06 PG-TRAP-VAL-09 string") {
  CHECK(as_string("12.50", 2) == "\"12.50\"");
  CHECK(as_string("12.5", 2) == "\"12.50\"");
  CHECK(as_string("22.22", 4) == "\"22.2200\"");
  CHECK(as_string("10", 0) == "\"10\"");
  CHECK(as_string("10.10", std::nullopt) == "\"10.10\"");
  CHECK(as_string("-0.5", std::nullopt) == "\"-0.5\"");
  CHECK(as_string("0", 3) == "\"0.000\"");
  CHECK(as_string("0.0000000001", std::nullopt) == "\"0.0000000001\"");
  CHECK(as_string("1.005", 2) == none);
  CHECK(as_string("NaN", 2) == "\"NAN\"");
  CHECK(as_string("Infinity", std::nullopt) == "\"POSITIVE_INFINITY\"");
  CHECK(as_string("-Infinity", std::nullopt) == "\"NEGATIVE_INFINITY\"");
}

TEST_CASE("numeric: what is no number is refused in every mode") {
  for (const char* bad :
       {"", "-", "+", ".", "-.", "1e5", "1.2.3", "1 ", " 1", "abc", "--1", "0x10", "nan", "inf", "1,5"}) {
    CHECK_MESSAGE(base64(bad, 2) == none, bad);
    CHECK_MESSAGE(number(bad, 2) == none, bad);
    CHECK_MESSAGE(variable(bad) == none, bad);
    CHECK_MESSAGE(as_string(bad, std::nullopt) == none, bad);
  }
  for (const char* bad : {"", "-", ".", "1.2.3", "1 ", "abc", "nan", "inf", "-NaN", "0x10"})
    CHECK_MESSAGE(as_double(bad) == none, bad);
  for (const char* bad : {"NaN", "Infinity", "-Infinity"}) {
    CHECK(base64(bad, 2) == none);
    CHECK(number(bad, 2) == none);
  }
}

TEST_CASE("PG 4.3 money of en_US") {
  const MoneyFormat us;
  const auto precise = [&](std::string_view text, int digits) {
    return render(append_money, text, us, digits, DecimalForm::base64);
  };
  CHECK(precise("$1,234.11", 2) == "\"AeIT\"");
  CHECK(precise("-$1,234.11", 2) == "\"/h3t\"");
  CHECK(precise("$1,234.50", 2) == "\"AeI6\"");
  CHECK(precise("$1,234.50", 0) == "\"BNM=\"");   // 1235
  CHECK(precise("-$1,234.50", 0) == "\"+y0=\"");  // -1235
  CHECK(precise("$1,234.49", 0) == "\"BNI=\"");
  CHECK(precise("$0.49", 0) == "\"AA==\"");
  CHECK(precise("-$0.50", 0) == "\"/w==\"");
  CHECK(precise("$999.99", 1) == "\"JxA=\"");  // 1000.0
  CHECK(precise("$9.99", 0) == "\"Cg==\"");
  CHECK(precise("$0.00", 2) == "\"AA==\"");
  CHECK(render(append_money, "$1,234.50", us, 2, DecimalForm::numeric) == "1234.50");
  CHECK(render(append_money_as_double, "$1,234.50", us) == "1234.5");
  CHECK(render(append_money_as_double, "$92,233,720,368,547,758.07", us) == "9.223372036854776E16");
  CHECK(render(append_money_as_string, "-$92,233,720,368,547,758.08", us) == "\"-92233720368547758.08\"");
  CHECK(render(append_money_as_string, "$0.00", us) == "\"0.00\"");
  for (const char* bad : {"", "$", "1.00", "$1.00 ", "$1.0.0", "$1.0,0", "EUR 1.00", "-$", "$-1", "$$1",
                          "$.50", "$11111111111111111111111111111111111111111111111111111111111111111"})
    CHECK_MESSAGE(render(append_money_as_string, bad, us) == none, bad);
}

TEST_CASE("PG 4.3 money of other locales is learnt from two answers of the server") {
  const struct {
    const char *positive, *negative, *value, *want;
  } cases[] = {
      {"$1,234.50", "-$1,234.50", "-$7,654,321.05", "\"-7654321.05\""},
      {"$1,234.50", "($1,234.50)", "($7,654,321.05)", "\"-7654321.05\""},
      {"1.234,50 €", "-1.234,50 €", "-7.654.321,05 €", "\"-7654321.05\""},
      {"1\u202F234,50 €", "-1\u202F234,50 €", "7\u202F654\u202F321,05 €", "\"7654321.05\""},
      {"¥1,235", "-¥1,235", "-¥12", "\"-12\""},
      {"kr 1.234,50", "kr -1.234,50", "kr -0,05", "\"-0.05\""},
      {"CHF1'234.50", "CHF-1'234.50", "CHF12'345.60", "\"12345.60\""},
      {"1234.50", "-1234.50", "-9999.99", "\"-9999.99\""},
      {"1.234,500 د", "1.234,500-د", "0,001-د", "\"-0.001\""},
      {"Rs.1,234.50", "-Rs.1,234.50", "Rs.12,34,567.89", "\"1234567.89\""},
  };
  for (const auto& c : cases) {
    const auto format = MoneyFormat::learn(c.positive, c.negative);
    REQUIRE_MESSAGE(format.has_value(), c.positive);
    CHECK_MESSAGE(render(append_money_as_string, c.value, *format) == c.want, c.value);
  }
  CHECK_FALSE(MoneyFormat::learn("", "").has_value());
  CHECK_FALSE(MoneyFormat::learn("$1,234.50", "$1,234.50").has_value());
  CHECK_FALSE(MoneyFormat::learn("$2,234.50", "-$2,234.50").has_value());
  CHECK_FALSE(MoneyFormat::learn("$1", "-$1").has_value());
  CHECK_FALSE(MoneyFormat::learn("$1,234.50", "-$1,234.5").has_value());
}
