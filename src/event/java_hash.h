// The order in which a Java HashMap of strings is walked (CORE-TX-04): some of Debezium's output
// depends on it. Pure functions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cdc {

// String.hashCode over UTF-16 units.
std::int32_t java_string_hash(std::string_view utf8);
// Indexes of `keys` (inserted in their order, all different) in the map's iteration order.
std::vector<std::size_t> java_map_order(const std::vector<std::string_view>& keys);

}  // namespace cdc
