// Lists, suggestions and Java-like regexes as users write them in properties.
#include <doctest/doctest.h>

#include "text/java_regex.h"
#include "text/list.h"
#include "text/regex.h"
#include "text/suggest.h"

using namespace cdc;
using namespace cdc::text;

using Strings = std::vector<std::string>;

TEST_CASE("CORE-FLT-01 a list is split at commas, trimmed, and empty pieces drop out") {
  CHECK(*split_list("a, b ,,\tc ") == Strings{"a", "b", "c"});
  CHECK(split_list("")->empty());
  CHECK(split_list(" , ")->empty());
}

TEST_CASE("CORE-FLT-01 a backslash keeps the next character from splitting") {
  CHECK(*split_list("a{1\\,3},b") == Strings{"a{1,3}", "b"});
  CHECK(*split_list("public\\.a,x") == Strings{"public\\.a", "x"});
  CHECK(*split_list("a\\\\,b") == Strings{"a\\\\", "b"});
  CHECK_FALSE(split_list("a,b\\").has_value());
}

TEST_CASE("joining is the inverse of splitting") {
  for (const Strings& pieces : {Strings{"a", "b"}, Strings{"x{1,2}", "y"}, Strings{"p\\.q", "r\\\\"}})
    CHECK(*split_list(join_list(pieces)) == pieces);
  CHECK(join_list({"x{1\\,2}"}) == "x{1\\,2}");
}

TEST_CASE("CORE-ERR-06 statements are split at ; and ;; is a semicolon") {
  CHECK(split_statements("SET a=1; SELECT ';;' ;") == Strings{"SET a=1", "SELECT ';'"});
  CHECK(split_semicolons("a:b; ;c:d,e") == Strings{"a:b", "c:d,e"});
}

TEST_CASE("the nearest name is offered for a slip of the pen only") {
  const std::vector<std::string_view> names{"table.include.list", "schema.include.list", "slot.name"};
  CHECK(nearest("tabel.include.list", names) == "table.include.list");
  CHECK(nearest("slotname", names) == "slot.name");
  CHECK(nearest("completely.different", names).empty());
  CHECK(edit_distance("abcd", "abdc") == 1);
  // A limit changes no answer within it.
  const std::vector<std::string_view> words{"",     "a",    "ab",     "ba",     "abcd", "abdc",
                                            "badc", "dcba", "abcdef", "bacdfe", "xyz"};
  for (const std::string_view a : words)
    for (const std::string_view b : words)
      for (std::size_t limit = 0; limit < 6; ++limit) {
        const std::size_t exact = edit_distance(a, b), limited = edit_distance(a, b, limit);
        CHECK((exact <= limit ? limited == exact : limited > limit));
      }
}

TEST_CASE("CORE-FLT-02 pieces match the whole name, letters of either case") {
  auto list = RegexList::parse("table.include.list", "public.orders, sales\\..*");
  REQUIRE(list.has_value());
  CHECK(*list->matches("PUBLIC.Orders"));
  CHECK(*list->matches("publicXorders"));
  CHECK_FALSE(*list->matches("public.orders2"));
  CHECK_FALSE(*list->matches("xpublic.orders"));
  CHECK(**list->first_match("sales.a") == 1);
  CHECK(*RegexList::parse("t", "a|ab")->matches("ab"));
}

TEST_CASE("CORE-FLT-09 a wrong regex names the property, the piece and the place") {
  auto list = RegexList::parse("table.include.list", "public.(a");
  REQUIRE_FALSE(list.has_value());
  CHECK(list.error().kind == ErrorKind::usage);
  CHECK(list.error().message.find("'table.include.list'") != std::string::npos);
  CHECK(list.error().message.find("public.(a") != std::string::npos);
  CHECK(list.error().message.find("index 9") != std::string::npos);
}

TEST_CASE("CORE-SCOPE-05 what Java users write works") {
  auto matches = [](std::string_view pattern, std::string_view subject) {
    auto regex = Regex::compile(pattern);
    REQUIRE(regex.has_value());
    return *regex->matches(subject);
  };
  CHECK(matches("(?!public\\.tmp_).*", "public.a"));
  CHECK_FALSE(matches("(?!public\\.tmp_).*", "public.tmp_a"));
  CHECK(matches("\\Qa.b\\E[0-9]++", "a.b12"));
  CHECK_FALSE(matches("\\Qa.b\\E", "axb"));
  CHECK(matches("(?<x>a)\\k<x>", "aa"));
  CHECK(matches("(?i)ABC", "abc"));
  CHECK(matches("\\u00e9t\\u00E9", "été"));
  CHECK(matches("\\p{Alpha}+[\\p{Digit}_]*", "ab1_2"));
  CHECK_FALSE(matches("\\P{Lower}", "a"));
  CHECK(matches("\\p{IsLatin}+", "Zoë"));
  CHECK(matches("[\\w.\\-]+", "a-b.c"));
}

TEST_CASE("CORE-SCOPE-05 what PCRE2 would read differently is refused") {
  CHECK_FALSE(Regex::compile("[a-z&&[^b]]").has_value());
  CHECK_FALSE(Regex::compile("[a[bc]]").has_value());
  CHECK(Regex::compile("[a\\[]").has_value());
  CHECK(Regex::compile("a&&b").has_value());
}

TEST_CASE("CORE-SCOPE-05 replacements in Java's syntax") {
  auto regex = Regex::compile("(\\w+)\\.(?<table>\\w+?)_\\d+");
  REQUIRE(regex.has_value());
  CHECK(*regex->replace_first("public.part_12", "$1.${table}_all") == "public.part_all");
  CHECK(*regex->replace_first("public.part_1", "\\$1\\\\$2") == "$1\\part");
  CHECK(*regex->replace_first("public.part_1", "$10") == "public0");
  CHECK(*regex->replace_first("none", "x") == "none");
  CHECK_FALSE(regex->replace_first("public.part_1", "$3").has_value());
  CHECK_FALSE(regex->check_replacement("${nope}").has_value());
  CHECK_FALSE(regex->check_replacement("a$").has_value());
  CHECK_FALSE(regex->check_replacement("a\\").has_value());
  CHECK(*Regex::compile("b*")->replace_all("abéc", "-") == "-a--é-c-");
  CHECK(*regex->groups("a.b_1").value() == Strings{"a.b_1", "a", "b"});
}

TEST_CASE("a pattern that never ends gives an error, not a guess") {
  auto regex = Regex::compile("(a|aa|a+)+[bc]");
  REQUIRE(regex.has_value());
  CHECK_FALSE(regex->matches(std::string(2000, 'a') + "x").has_value());
}

TEST_CASE("names that are no UTF-8 neither match wrongly nor fail") {
  CHECK_FALSE(*Regex::compile("abc")->matches("ab\xFF"));
  CHECK_FALSE(*RegexList::parse("t", "a.c")->matches("a\xC3"));
}
