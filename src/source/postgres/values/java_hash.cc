// Java's string hash and where a HashMap puts what.
#include "source/postgres/values/java_hash.h"

#include <algorithm>
#include <numeric>

namespace cdc::pg {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

// The code point at `at`, which moves on; U+FFFD and one byte further when it is no UTF-8.
std::uint32_t next_code(std::string_view text, std::size_t& at) {
  constexpr std::uint32_t bad = 0xFFFD;
  const unsigned char lead = byte_at(text, at++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0 || lead > 0xF4) return bad;
  std::uint32_t code = lead & (0x3FU >> more);
  std::size_t i = at;
  for (int k = 0; k < more; ++k, ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return bad;
    code = (code << 6) | (byte_at(text, i) & 0x3FU);
  }
  at = i;
  return code;
}

}  // namespace

std::uint32_t java_string_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  for (std::size_t at = 0; at < utf8.size();) {
    const std::uint32_t code = next_code(utf8, at);
    if (code < 0x10000) {
      hash = hash * 31 + code;
    } else {
      hash = hash * 31 + (0xD800 + ((code - 0x10000) >> 10));
      hash = hash * 31 + (0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
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

}  // namespace cdc::pg
