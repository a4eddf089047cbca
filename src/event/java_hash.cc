// Java's string hash and the bucket order of its hash map.
#include "event/java_hash.h"

#include <algorithm>
#include <numeric>

namespace cdc {

std::int32_t java_string_hash(std::string_view s) {
  std::uint32_t hash = 0;
  for (std::size_t i = 0; i < s.size();) {
    const auto lead = static_cast<unsigned char>(s[i]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    std::uint32_t code = length == 4 ? lead & 7u : length == 3 ? lead & 15u : length == 2 ? lead & 31u : lead;
    for (std::size_t k = 1; k < length && i + k < s.size(); ++k)
      code = (code << 6) | (static_cast<unsigned char>(s[i + k]) & 63u);
    i += length;
    if (code > 0xFFFF) {
      hash = hash * 31 + (0xD800u + ((code - 0x10000u) >> 10));
      code = 0xDC00u + ((code - 0x10000u) & 0x3FFu);
    }
    hash = hash * 31 + code;
  }
  return static_cast<std::int32_t>(hash);
}

std::vector<std::size_t> java_map_order(const std::vector<std::string_view>& keys) {
  std::size_t capacity = 16;
  while (keys.size() * 4 > capacity * 3) capacity *= 2;
  std::vector<std::size_t> order(keys.size()), bucket(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto hash = static_cast<std::uint32_t>(java_string_hash(keys[i]));
    bucket[i] = (hash ^ (hash >> 16)) & (capacity - 1);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return bucket[a] < bucket[b]; });
  return order;
}

}  // namespace cdc
