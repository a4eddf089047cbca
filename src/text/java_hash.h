// String.hashCode and the iteration order of java.util.HashMap, which some of Debezium's output shows:
// hstore, sparsevec, the collections of a transaction (CORE-TX-04), partitions. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cdc::text {

// Over UTF-16 units.
std::uint32_t java_string_hash(std::string_view utf8);

// For keys inserted in this order with these hash codes into a map of `capacity` buckets (a power
// of two; doubled at 75 % load): the indexes of the keys in iteration order.
std::vector<std::size_t> java_map_order(const std::vector<std::uint32_t>& hashes, std::size_t capacity = 16);

}  // namespace cdc::text
