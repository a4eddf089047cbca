// Types without a mode, bytes and bits: PostgreSQL spec 4.1, 4.4, 4.7 and the vectors of 8.2.
#include "source/postgres/values/scalar.h"
#include <cstdlib>

#include "helpers.h"
#include "json/json_text.h"
#include "source/postgres/values/binary.h"
#include "source/postgres/values/bits.h"
#include "source/postgres/values/spatial.h"

using namespace cdc::pg;
using namespace cdc::pg::test;

TEST_CASE("PG 4.1 boolean") {
  CHECK(render(append_bool, "t") == "true");
  CHECK(render(append_bool, "f") == "false");
  CHECK(render(append_bool, "true") == "true");
  CHECK(render(append_bool, "false") == "false");
  for (const char* bad : {"", "T", "yes", "1", "tr"}) CHECK(render(append_bool, bad) == none);
}

TEST_CASE("PG 4.1 integers stay in the range of their type") {
  const auto of = [](std::string_view text, IntType type) { return render(append_integer, text, type); };
  CHECK(of("-5", IntType::int2) == "-5");
  CHECK(of("32767", IntType::int2) == "32767");
  CHECK(of("32768", IntType::int2) == none);
  CHECK(of("-2147483648", IntType::int4) == "-2147483648");
  CHECK(of("2147483648", IntType::int4) == none);
  CHECK(of("9223372036854775807", IntType::int8) == "9223372036854775807");
  CHECK(of("-9223372036854775808", IntType::int8) == "-9223372036854775808");
  CHECK(of("9223372036854775808", IntType::int8) == none);
  CHECK(of("4294967295", IntType::oid) == "4294967295");
  CHECK(of("4000000000", IntType::oid) == "4000000000");
  CHECK(of("4294967296", IntType::oid) == none);
  CHECK(of("-1", IntType::oid) == none);
  for (const char* bad : {"", "-", "+1", " 1", "1 ", "1.0", "0x1", "abc", "1e3"})
    CHECK(of(bad, IntType::int8) == none);
}

TEST_CASE("PG 4.1 integers: a byte that is no digit is seen at every place of every length") {
  const auto of = [](const std::string& text, IntType type) { return render(append_integer, text, type); };
  const std::string digits = "9223372036854775807";
  for (std::size_t length = 1; length <= digits.size(); ++length) {
    const std::string number = digits.substr(0, length);
    CHECK(of(number, IntType::int8) == number);
    CHECK(of(number, IntType::int2) == (length <= 4 ? number : std::string(none)));
    CHECK(of(number, IntType::oid) == (length <= 9 ? number : std::string(none)));
    for (std::size_t at = 0; at < length; ++at)
      for (const int bad : {0x2F, 0x3A, 0x3B, 0x3F, 0x40, 0x20, 0x2E, 0x70, 0, 0x10, 0xB0, 0xB9, 0xFF}) {
        std::string text = number;
        text[at] = static_cast<char>(bad);
        CAPTURE(text);
        CHECK(of(text, IntType::int8) == none);
      }
  }
  CHECK(of("007", IntType::int4) == "7");
  CHECK(of("0", IntType::int2) == "0");
}

TEST_CASE("PG 4.1 PG-TRAP-VAL-21 PG-TRAP-VAL-22 floats") {
  const auto f4 = [](std::string_view text) { return render(append_float4, text); };
  const auto f8 = [](std::string_view text) { return render(append_float8, text); };
  CHECK(f4("3.3") == "3.3");
  CHECK(f4("3") == "3.0");
  CHECK(f4("1e-45") == "1.4E-45");
  CHECK(f4("2e-44") == "2.0E-44");
  CHECK(f4("1.1754944e-38") == "1.1754944E-38");
  CHECK(f4("3.4028235e+38") == "3.4028235E38");
  CHECK(f4("1.6777216e+07") == "1.6777216E7");
  CHECK(f4("-0") == "-0.0");
  CHECK(f4("NaN") == "\"NaN\"");
  CHECK(f8("4.44") == "4.44");
  CHECK(f8("1e7") == "1.0E7");
  CHECK(f8("1e+07") == "1.0E7");
  CHECK(f8("0.000999") == "9.99E-4");
  CHECK(f8("-0") == "-0.0");
  CHECK(f8("5e-324") == "4.9E-324");
  CHECK(f8("1e-323") == "9.9E-324");
  CHECK(f8("1e+23") == "1.0E23");
  CHECK(f8("1.7976931348623157e+308") == "1.7976931348623157E308");
  CHECK(f8("Infinity") == "\"Infinity\"");
  CHECK(f8("-Infinity") == "\"-Infinity\"");
  CHECK(f8("1e400") == "\"Infinity\"");
  CHECK(f8("-1e400") == "\"-Infinity\"");
  CHECK(f8("1e-400") == "0.0");
  CHECK(f8("-0.001e-400") == "-0.0");
  CHECK(f4("1e39") == "\"Infinity\"");
  CHECK(f4("1e-60") == "0.0");
  for (const char* bad :
       {"", "-", "nan", "inf", "infinity", "-NaN", "1.5x", " 1", "+1", "0x1p3", "e5", "nan(1)"}) {
    CHECK_MESSAGE(f4(bad) == none, bad);
    CHECK_MESSAGE(f8(bad) == none, bad);
  }
}

TEST_CASE("PG-TRAP-VAL-21 short plain numbers print as those that are read and written anew") {
  std::uint32_t random = 1;
  const auto next = [&random](std::uint32_t below) {
    return (random = random * 1664525U + 1013904223U, (random >> 8) % below);
  };
  for (int round = 0; round < 50000; ++round) {
    std::string text = next(2) == 0 ? "-" : "";
    std::string whole = std::to_string(next(10) == 0 ? 0 : next(1U << next(24)));
    text += whole;
    if (const std::uint32_t decimals = next(12); decimals != 0) {
      text += '.';
      for (std::uint32_t i = 0; i < decimals; ++i)
        text += static_cast<char>('0' + (next(3) == 0 ? 0 : next(10)));
    }
    cdc::Buffer want8, want4;
    cdc::json::append_double(want8, std::strtod(text.c_str(), nullptr));
    cdc::json::append_float(want4, std::strtof(text.c_str(), nullptr));
    REQUIRE_MESSAGE(render(append_float8, text) == want8.view(), text);
    REQUIRE_MESSAGE(render(append_float4, text) == want4.view(), text);
  }
}

TEST_CASE("PG 4.6 oidvector and int2vector are the numbers") {
  CHECK(render(append_integer_vector, "1 2 4294967295", IntType::oid) == "[1,2,4294967295]");
  CHECK(render(append_integer_vector, "", IntType::oid) == "[]");
  CHECK(render(append_integer_vector, "-1", IntType::int2) == "[-1]");
  for (const char* bad : {" ", "1  2", "1,2", "70000"})
    CHECK(render(append_integer_vector, bad, IntType::int2) == none);
}

TEST_CASE("PG-TRAP-VAL-02 bits: little-endian, trimmed") {
  const std::pair<const char*, const char*> cases[] = {
      {"10110011", "\"sw==\""},
      {"1000000000", "\"AAI=\""},
      {"00000000", "\"\""},
      {"1000000", "\"QA==\""},
      {"11", "\"Aw==\""},
      {"000000110000001000000001", "\"AQID\""},
      {"1000000000000000000000000000000000000000000000000000000000000000", "\"AAAAAAAAAIA=\""},
      {"101", "\"BQ==\""},
      {"111011010001000110000001000000001", "\"AQIj2gE=\""},
      {"", "\"\""},
  };
  for (const auto& [bits, want] : cases) CHECK(render(append_bits, bits) == want);
  for (const char* bad : {"2", "01x", " 1"}) CHECK(render(append_bits, bad) == none);
}

TEST_CASE("PG 4.1 bit(1) is a boolean, an empty varbit(1) nothing") {
  CHECK(render(append_bit_as_bool, "1") == "true");
  CHECK(render(append_bit_as_bool, "0") == "false");
  for (const char* bad : {"", "10", "t"}) CHECK(render(append_bit_as_bool, bad) == none);
}

TEST_CASE("PG 4.4 PG-TRAP-VAL-20 bytea") {
  const auto of = [](std::string_view text, BinaryForm form) { return render(append_bytea, text, form); };
  CHECK(of("\\xfbff", BinaryForm::bytes) == "\"+/8=\"");
  CHECK(of("\\xfbff", BinaryForm::base64) == "\"+/8=\"");
  CHECK(of("\\xfbff", BinaryForm::base64_url_safe) == "\"-_8=\"");
  CHECK(of("\\xfbff", BinaryForm::hex) == "\"fbff\"");
  CHECK(of("\\xFBFF", BinaryForm::hex) == "\"fbff\"");
  CHECK(of("\\x010203", BinaryForm::bytes) == "\"AQID\"");
  CHECK(of("\\x", BinaryForm::bytes) == "\"\"");
  CHECK(of("", BinaryForm::hex) == "\"\"");
  CHECK(of("a\\\\b\\000\\377", BinaryForm::hex) == "\"615c6200ff\"");
  std::string hex = "\\x", want = "\"";
  for (int i = 0; i < 3000; ++i) hex += "00", want += i % 3 == 2 ? "AAAA" : "";
  CHECK(of(hex, BinaryForm::bytes) == want + "\"");
  for (const char* bad : {"\\x1", "\\x1g", "\\xg1", "\\", "a\\", "\\40", "\\400", "\\08", "\\z", "\\38"})
    for (const auto form : {BinaryForm::bytes, BinaryForm::hex}) CHECK_MESSAGE(of(bad, form) == none, bad);
}

TEST_CASE("PG 4.7 geometric types have Java's numbers in them") {
  const auto text = [](std::string_view value) {
    // decoded by eye: the hex of the text
    return render(append_geometric, value, BinaryForm::hex);
  };
  const auto hex = [](std::string_view value) {
    return render(
        [](std::string_view t, cdc::Buffer& out) {
          append_binary(t, BinaryForm::hex, out);
          return true;
        },
        value);
  };
  CHECK(text("<(10,20),10>") == "\"3c2831302e302c32302e30292c31302e303e\"");
  CHECK(render(append_geometric, "<(10,20),10>", BinaryForm::bytes) == "\"PCgxMC4wLDIwLjApLDEwLjA+\"");
  const std::pair<const char*, const char*> cases[] = {
      {"(1,1),(0,0)", "(1.0,1.0),(0.0,0.0)"},
      {"(3,4),(1,2)", "(3.0,4.0),(1.0,2.0)"},
      {"{-1,0,0}", "{-1.0,0.0,0.0}"},
      {"[(0,0),(0,1)]", "[(0.0,0.0),(0.0,1.0)]"},
      {"((0,0),(0,1),(0,2))", "((0.0,0.0),(0.0,1.0),(0.0,2.0))"},
      {"((0,0),(0,1),(1,0),(0,0))", "((0.0,0.0),(0.0,1.0),(1.0,0.0),(0.0,0.0))"},
      {"[(-1e+07,0.001),(0.0001,123456789)]", "[(-1.0E7,0.001),(1.0E-4,1.23456789E8)]"},
      {"(Infinity,-Infinity),(NaN,-0)", "(Infinity,-Infinity),(NaN,-0.0)"},
  };
  for (const auto& [in, want] : cases) CHECK(text(in) == hex(want));
  for (const char* bad : {"(1,x)", "(1, 2)", "<(nan,1),1>"}) CHECK(text(bad) == none);
}

TEST_CASE("PG 4.1 point") {
  const auto of = [](std::string_view text) { return render(append_point, text); };
  CHECK(of("(2.5,-1)") == R"({"x":2.5,"y":-1.0,"wkb":"AQEAAAAAAAAAAAAEQAAAAAAAAPC/","srid":null})");
  CHECK(of("(1,1)") == R"({"x":1.0,"y":1.0,"wkb":"AQEAAAAAAAAAAADwPwAAAAAAAPA/","srid":null})");
  CHECK(of("(1e+300,-1e-300)") ==
        R"({"x":1.0E300,"y":-1.0E-300,"wkb":"AQEAAACcdQCIPOQ3flnz+MIfbqWB","srid":null})");
  CHECK(of("(NaN,Infinity)") ==
        R"({"x":"NaN","y":"Infinity","wkb":"AQEAAAAAAAAAAAD4fwAAAAAAAPB/","srid":null})");
  CHECK(of("(-0,0)") == R"({"x":-0.0,"y":0.0,"wkb":"AQEAAAAAAAAAAAAAgAAAAAAAAAAA","srid":null})");
  for (const char* bad : {"", "(", "()", "(,)", "(1)", "(1,2", "1,2", "(1,2,3)", "(a,b)", ",", "(,"})
    CHECK_MESSAGE(of(bad) == none, bad);
}

TEST_CASE("PG 4.1 geometry and geography") {
  const auto of = [](std::string_view text) { return render(append_ewkb, text); };
  CHECK(of("0101000020E610000000000000000004400000"
           "00000000F0BF") == R"({"wkb":"AQEAACDmEAAAAAAAAAAABEAAAAAAAADwvw==","srid":4326})");
  CHECK(of("0101000020730C00001C7C613255DE6540787AA52C435C42C0") ==
        R"({"wkb":"AQEAACBzDAAAHHxhMlXeZUB4eqUsQ1xCwA==","srid":3187})");
  CHECK(of("010100000000000000000004400000"
           "00000000F0BF") == R"({"wkb":"AQEAAAAAAAAAAAAEQAAAAAAAAPC/","srid":null})");
  CHECK(of("0020000001000010E6400400"
           "0000000000BFF0000000000000") == R"({"wkb":"ACAAAAEAABDmQAQAAAAAAAC/8AAAAAAAAA==","srid":4326})");
  for (const char* bad :
       {"", "01", "0101000", "010100002", "0101000020E610", "0201000000", "zz01000000", "0101000020E61000"})
    CHECK_MESSAGE(of(bad) == none, bad);
}
