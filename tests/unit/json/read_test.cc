// Splitting JSON text and reading strings back.
#include <doctest/doctest.h>

#include <string>

#include "json/json_read.h"

using namespace cdc::json;

TEST_CASE("members keep order, raw values and unescaped keys") {
  const auto got = members(R"( { "a" : 1 , "b\u00e9\n":{"x":[1,{"y":"}"}]}, "c":"\"]" } )");
  REQUIRE(got.has_value());
  REQUIRE(got->size() == 3);
  CHECK((*got)[0].first == "a");
  CHECK((*got)[0].second == "1");
  CHECK((*got)[1].first == "bé\n");
  CHECK((*got)[1].second == R"({"x":[1,{"y":"}"}]})");
  CHECK((*got)[2].second == R"("\"]")");
  CHECK(members("{}")->empty());
}

TEST_CASE("elements") {
  const auto got = elements(R"([1,-0.5e+3,null,true,[],{},"x"])");
  REQUIRE(got.has_value());
  REQUIRE(got->size() == 7);
  CHECK((*got)[1] == "-0.5e+3");
  CHECK(is_null((*got)[2]));
  CHECK((*got)[5] == "{}");
  CHECK(elements(" [ ] ")->empty());
}

TEST_CASE("what is not well-formed is refused") {
  for (const char* text : {"",
                           "{",
                           "}",
                           "[1]",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\":1}x",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":1e}",
                           "{\"a\":tru}",
                           "{\"a\":[1,]}",
                           "{\"a\":[1}",
                           "{\"a\":{\"b\"}}",
                           "{\"a\":\"\\x\"}",
                           "{\"a\":\"\\u12\"}",
                           "{\"a\":\"\n\"}",
                           "{\"a\":-}",
                           "{\"a\":\"\\"})
    CHECK_MESSAGE(!members(text).has_value(), text);
  for (const char* text : {"", "[", "]", "[1", "[,]", "[1,]", "[1 2]", "{}", "[1]]"})
    CHECK_MESSAGE(!elements(text).has_value(), text);
}

TEST_CASE("depth costs memory, not stack") {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  REQUIRE(elements(deep).has_value());
  CHECK(elements(deep)->size() == 1);
  CHECK_FALSE(elements(std::string(200000, '[')).has_value());
}

TEST_CASE("quote and unquote") {
  CHECK(quote("a\"é😀") == "\"a\\\"é\\uD83D\\uDE00\"");
  CHECK(unquote(quote("a\"\\\b\f\n\r\t\x01é漢😀")).value() == "a\"\\\b\f\n\r\t\x01é漢😀");
  CHECK(unquote(R"("\/")").value() == "/");
  CHECK(unquote(R"("x\uD83Dy")").value() == "x\xEF\xBF\xBDy");
  CHECK(unquote(R"("\uD83D\uD83D\uDE00")").value() == "\xEF\xBF\xBD😀");
  CHECK(unquote(R"("\uDE00")").value() == "\xEF\xBF\xBD");
  for (const char* bad : {"", "\"", "x", "\"a", "\"a\"b", "\"\\\""}) CHECK_FALSE(unquote(bad).has_value());
}
