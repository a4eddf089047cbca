// The JSON writer against the vectors of the specification (CORE-JSON-05..08, appendix A.1, A.2).
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "json/json_text.h"

using namespace cdc;
using namespace cdc::json;

namespace {
template <class Append>
std::string text_of(Append append) {
  Buffer out;
  append(out);
  return std::string(out.view());
}
std::string of_double(double v) {
  return text_of([&](Buffer& b) { append_double(b, v); });
}
std::string of_float(float v) {
  return text_of([&](Buffer& b) { append_float(b, v); });
}
std::string of_string(std::string_view v) {
  return text_of([&](Buffer& b) { append_string(b, v); });
}
std::string of_int(std::int64_t v) {
  return text_of([&](Buffer& b) { append_int(b, v); });
}
std::string of_uint(std::uint64_t v) {
  return text_of([&](Buffer& b) { append_uint(b, v); });
}
std::string of_base64(std::string_view v, bool url = false) {
  return text_of([&](Buffer& b) { append_base64(b, v, url); });
}
const std::string kBad = "\xEF\xBF\xBD";
}  // namespace

TEST_CASE("a fixed text of any length is appended as it is") {
  for (const std::size_t length : {0, 1, 5, 31, 32, 33, 64, 200}) {
    std::string text;
    while (text.size() < length) text += static_cast<char>('a' + text.size() % 26);
    const FixedText fixed(text);
    CHECK(fixed.view() == text);
    Buffer out;
    for (int i = 0; i < 20; ++i) {
      fixed.append_to(out);
      out.push('|');
    }
    std::string expected;
    for (int i = 0; i < 20; ++i) expected += text + '|';
    CHECK(out.view() == expected);
  }
}

TEST_CASE("CORE-JSON-06 A.1 doubles as Java spells them") {
  const std::pair<double, const char*> cases[] = {
      {-0.0, "-0.0"},
      {0.0, "0.0"},
      {1.0, "1.0"},
      {100.0, "100.0"},
      {1e6, "1000000.0"},
      {9999999.0, "9999999.0"},
      {1e7, "1.0E7"},
      {12345678.9, "1.23456789E7"},
      {0.001, "0.001"},
      {1e-4, "1.0E-4"},
      {1e-5, "1.0E-5"},
      {0.000999, "9.99E-4"},
      {std::numeric_limits<double>::denorm_min(), "4.9E-324"},
      {1e-323, "9.9E-324"},
      {2e-323, "2.0E-323"},
      {std::numeric_limits<double>::min(), "2.2250738585072014E-308"},
      {std::numeric_limits<double>::max(), "1.7976931348623157E308"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1e21, "1.0E21"},
      {123456789012345678.0, "1.2345678901234568E17"},
      {1e23, "1.0E23"},
      {-2.5, "-2.5"},
      {1234567.125, "1234567.125"},
      {0.015, "0.015"},
      {-1e100, "-1.0E100"},
      {2e-3, "0.002"},
      {120.5, "120.5"},
  };
  for (const auto& [value, text] : cases) CHECK(of_double(value) == text);
}

TEST_CASE("CORE-JSON-06 A.1 floats as Java spells them") {
  const std::pair<float, const char*> cases[] = {
      {0.1F, "0.1"},
      {3.4E38F, "3.4E38"},
      {1e10F, "1.0E10"},
      {16777216.0F, "1.6777216E7"},
      {std::numeric_limits<float>::min(), "1.1754944E-38"},
      {std::numeric_limits<float>::denorm_min(), "1.4E-45"},
      {3.14159F, "3.14159"},
      {3.3F, "3.3"},
      {3.0F, "3.0"},
      {-0.0F, "-0.0"},
      {9999999.0F, "9999999.0"},
      {std::numeric_limits<float>::max(), "3.4028235E38"},
  };
  for (const auto& [value, text] : cases) CHECK(of_float(value) == text);
}

TEST_CASE("CORE-JSON-07 NaN and infinities are strings") {
  CHECK(of_double(std::nan("")) == "\"NaN\"");
  CHECK(of_double(HUGE_VAL) == "\"Infinity\"");
  CHECK(of_double(-HUGE_VAL) == "\"-Infinity\"");
  CHECK(of_float(-std::numeric_limits<float>::infinity()) == "\"-Infinity\"");
}

TEST_CASE("CORE-JSON-05 integers at every number of digits") {
  CHECK(of_int(0) == "0");
  CHECK(of_int(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(of_uint(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  std::uint64_t power = 1;
  for (int i = 0; i < 20; ++i, power *= 10) {
    CHECK(of_uint(power) == std::to_string(power));
    CHECK(of_uint(power - 1) == std::to_string(power - 1));
    CHECK(of_int(-static_cast<std::int64_t>(power / 10 + 7)) ==
          std::to_string(-static_cast<std::int64_t>(power / 10 + 7)));
  }
  for (int bit = 0; bit < 64; ++bit) CHECK(of_uint(1ULL << bit) == std::to_string(1ULL << bit));
}

TEST_CASE("CORE-JSON-08 A.2 string escapes") {
  CHECK(of_string("a\"\\/\b\f\n\r\t\x01\x1F é漢😀<>&'") ==
        "\"a\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u001F é漢\\uD83D\\uDE00<>&'\"");
  CHECK(of_string("") == "\"\"");
  CHECK(of_string(std::string_view("\0", 1)) == "\"\\u0000\"");
  CHECK(of_string("\x7F\xE2\x80\xA8") == "\"\x7F\xE2\x80\xA8\"");
  CHECK(of_string("\xF4\x8F\xBF\xBF") == "\"\\uDBFF\\uDFFF\"");
}

TEST_CASE("CORE-JSON-08 a special byte at every place of a block") {
  for (std::size_t length = 1; length < 70; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      std::string in(length, 'x'), want(length, 'x');
      in[at] = '\n';
      want.replace(at, 1, "\\n");
      REQUIRE(of_string(in) == "\"" + want + "\"");
      in.replace(at, 1, "é");
      REQUIRE(of_string(in) == "\"" + in + "\"");
    }
  }
}

TEST_CASE("CORE-JSON-08 bytes that are no UTF-8: one replacement for each maximal ill-formed part") {
  const std::pair<std::string, std::string> cases[] = {
      {"\xC0\xAF", kBad + kBad},  // never a lead byte
      {"\xFF\xFE", kBad + kBad},
      {"\xE2\x82", kBad},         // cut short by the end
      {"\xE2\x82x", kBad + "x"},  // and by another character
      {"\xF0\x9F\x98", kBad},
      {"\xF0\x9F\x98\x22", kBad + "\\\""},
      {"\xED\xA0\x80", kBad + kBad + kBad},  // an encoded surrogate
      {"\xE0\x80\x80", kBad + kBad + kBad},  // overlong
      {"\xF4\x90\x80\x80", kBad + kBad + kBad + kBad},
      {"\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
       kBad + kBad + kBad + "b" + kBad + "c" + kBad + kBad + "d"},
      {"\x80", kBad},
  };
  for (const auto& [in, want] : cases) CHECK(of_string(in) == "\"" + want + "\"");
}

TEST_CASE("strings that grow six fold never leave the buffer") {
  Buffer out;
  append_escaped(out, std::string(5000, '\x01'));
  CHECK(out.size() == 30000);
  append_escaped(out, std::string(5000, '\x80'));
  CHECK(out.size() == 45000);
}

TEST_CASE("CORE-JSON-05 CORE-TYPE-03 bytes") {
  CHECK(of_base64("") == "\"\"");
  CHECK(of_base64("\xFB\xFF") == "\"+/8=\"");
  CHECK(of_base64("\xFB\xFF", true) == "\"-_8=\"");
  CHECK(of_base64("\x01\x02\xFF") == "\"AQL/\"");
  CHECK(of_base64("a") == "\"YQ==\"");
  CHECK(text_of([](Buffer& b) { append_hex(b, "\xFB\xFF\x0A"); }) == "\"fbff0a\"");
}
