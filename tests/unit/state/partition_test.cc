// Partitions as maps.
#include <doctest/doctest.h>

#include "state/partition.h"

namespace cdc::testing {

TEST_CASE("CORE-OFF-11: equal maps have one spelling") {
  CHECK(canonical_json(" { \"b\" : [1, {\"y\":1,\"x\":\"\\u0061\"}], \"a\":null } ") ==
        R"({"a":null,"b":[1,{"x":"a","y":1}]})");
  CHECK(canonical_json("not json") == "not json");
  CHECK(canonical_json("") == "");
  CHECK(!canonical_json(std::string(100'000, '[')).empty());
}

}  // namespace cdc::testing
