// What an array's encoder reports beside its text (4.6, PG-SCH-04).
#include <doctest/doctest.h>

#include "support.h"

namespace cdc::pg::test {
namespace {
constexpr std::uint32_t dimensions(std::uint32_t n) { return n << encoded::nested_shift; }
}  // namespace

TEST_CASE("PG 4.6: dimensions beyond one are reported") {
  CHECK(flags({oid_of("_int4")}, "{}") == encoded::ok);
  CHECK(flags({oid_of("_int4")}, "{1,NULL}") == encoded::ok);
  CHECK(flags({oid_of("_int4")}, "{{1,2},{3,4}}") == dimensions(2));
  CHECK(flags({oid_of("_int4")}, "{{{1},{2}},{{3},{4}}}") == dimensions(3));
}

TEST_CASE("PG 4.6: NULL elements count where the schema requires them") {
  CHECK(flags({oid_of("_mood")}, "{ok,sad}") == encoded::ok);
  CHECK(flags({oid_of("_mood")}, "{ok,NULL}") == encoded::null_element);
  CHECK(value({oid_of("_mood")}, "{ok,NULL}") == R"(["ok",null])");
  CHECK(flags({oid_of("_isbn")}, "{{NULL},{x}}") == (encoded::null_element | dimensions(2)));
  CHECK(flags({oid_of("_ltree")}, "{NULL,a}") == encoded::ok);
}

TEST_CASE("PG 4.6: an element that cannot be expressed is null by itself") {
  const Column numbers{oid_of("_numeric")};
  CHECK(flags(numbers, "{1,NaN}") == encoded::element_failed);
  CHECK(value(numbers, "{1,NaN}") == R"([{"scale":0,"value":"AQ=="},null])");
  CHECK(value({oid_of("_timestamp")}, R"({"294276-12-31 23:59:59.999999"})") == "[null]");
  CHECK(flags({oid_of("_sparsevec")}, R"({"{40000:1}/50000"})") ==
        (encoded::element_failed | encoded::null_element));
}

TEST_CASE("PG-SCH-04: a label outside of `allowed` is written and reported") {
  CHECK(flags({kMood}, "ok") == encoded::ok);
  CHECK(flags({kMood}, "a,b") == encoded::ok);
  CHECK(flags({kMood}, "new") == kUnknownLabel);
  CHECK(value({kMood}, "new") == R"("new")");
  CHECK(flags({kMoodDomain}, "new") == kUnknownLabel);
  CHECK(flags({oid_of("_mood")}, "{ok,new,NULL}") == (kUnknownLabel | encoded::null_element));
  CHECK(value({oid_of("_mood")}, "{ok,new}") == R"(["ok","new"])");
  CHECK(flags({kEmptyEnum}, "x") == kUnknownLabel);
}

}  // namespace cdc::pg::test
