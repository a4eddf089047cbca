// What of Java's strings and maps shows in Debezium's output.
#include <doctest/doctest.h>

#include "text/java_hash.h"
#include "text/utf16.h"

using namespace cdc::text;

TEST_CASE("Java's string hash works on UTF-16") {
  CHECK(java_string_hash("") == 0);
  CHECK(java_string_hash("abc") == 96354);
  CHECK(java_string_hash("Aa") == java_string_hash("BB"));
  CHECK(java_string_hash("é") == 0xE9);
  CHECK(java_string_hash("漢") == 0x6F22);
  CHECK(java_string_hash("😀") == 0xD83DU * 31 + 0xDE00U);
  CHECK(java_string_hash("\xFF") == 0xFFFD);
  CHECK(java_string_hash("\xE2\x82") == 0xFFFD * 31 + 0xFFFD);
}

TEST_CASE("CORE-TX-04: a HashMap is walked by bucket, and by insertion within one") {
  CHECK(java_map_order({17, 1, 0, 33}) == std::vector<std::size_t>{2, 0, 1, 3});
  CHECK(java_map_order({5, 4, 3}, 1) == std::vector<std::size_t>{1, 0, 2});  // grown to four buckets
}

TEST_CASE("code points and units of UTF-8") {
  std::vector<std::uint32_t> units;
  for_each_utf16("a\xC3\xA9\xF0\x9F\x98\x80\xFF", [&](std::uint32_t unit) { units.push_back(unit); });
  CHECK(units == std::vector<std::uint32_t>{'a', 0xE9, 0xD83D, 0xDE00, 0xFFFD});
}
