// The iteration order of java.util.HashMap, which Debezium's output shows for hstore and sparsevec.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace cdc::pg {

// String.hashCode of the text: over UTF-16 units. Bytes that are no UTF-8 count as U+FFFD.
std::uint32_t java_string_hash(std::string_view utf8);

// For keys inserted in this order with these hash codes into a map of `capacity` buckets (a power
// of two; doubled at 75 % load): the indexes of the keys in iteration order.
std::vector<std::size_t> java_map_order(const std::vector<std::uint32_t>& hashes, std::size_t capacity);

}  // namespace cdc::pg
