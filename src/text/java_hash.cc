// Java's string hash and where a HashMap puts what.
#include "text/java_hash.h"

#include <algorithm>
#include <numeric>

#include "text/utf16.h"

namespace cdc::text {

std::uint32_t java_string_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  for_each_utf16(utf8, [&](std::uint32_t unit) { hash = hash * 31 + unit; });
  return hash;
}

std::vector<std::size_t> java_map_order(const std::vector<std::uint32_t>& hashes, std::size_t capacity) {
  while (hashes.size() > capacity * 3 / 4) capacity *= 2;  // growing keeps the order within a bucket
  const auto bucket = [&](std::size_t i) { return (hashes[i] ^ (hashes[i] >> 16)) & (capacity - 1); };
  std::vector<std::size_t> order(hashes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return bucket(a) != bucket(b) ? bucket(a) < bucket(b) : a < b;
  });
  return order;
}

}  // namespace cdc::text
