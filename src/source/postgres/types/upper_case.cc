// Ranges of code points and how far away their upper-case letters are. No locale is consulted.
#include "source/postgres/types/upper_case.h"

#include <array>
#include <cstdint>

namespace cdc::pg {
namespace {

struct Range {
  std::uint32_t first, last;
  std::int32_t
      shift;  // 0: of pairs, the small letter behind the capital; the range begins and ends with a small one
};

// All of them fit two bytes of UTF-8, before and after.
constexpr std::array<Range, 17> kRanges{{
    {'a', 'z', -32},
    {0xE0, 0xF6, -32},
    {0xF8, 0xFE, -32},
    {0xFF, 0xFF, 0x178 - 0xFF},
    {0x101, 0x12F, 0},
    {0x133, 0x137, 0},
    {0x13A, 0x148, 0},
    {0x14B, 0x177, 0},
    {0x17A, 0x17E, 0},
    {0x3AC, 0x3AC, 0x386 - 0x3AC},
    {0x3B1, 0x3C1, -32},
    {0x3C2, 0x3C2, 0x3A3 - 0x3C2},
    {0x3C3, 0x3CB, -32},
    {0x430, 0x44F, -32},
    {0x450, 0x45F, -80},
    {0x461, 0x481, 0},
    {0x48B, 0x4BF, 0},
}};
constexpr std::uint32_t kSharpS = 0xDF;

std::uint32_t upper(std::uint32_t c) {
  for (const Range& r : kRanges) {
    if (c < r.first || c > r.last) continue;
    if (r.shift == 0) return (c - r.first) % 2 == 0 ? c - 1 : c;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(c) + r.shift);
  }
  return c;
}

}  // namespace

std::string upper_case(std::string_view utf8) {
  std::string result;
  result.reserve(utf8.size());
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80) {
      result.push_back(static_cast<char>(upper(lead)));
      continue;
    }
    const bool pair = lead >= 0xC2 && lead <= 0xDF && i + 1 < utf8.size() &&
                      (static_cast<unsigned char>(utf8[i + 1]) & 0xC0) == 0x80;
    if (!pair) {
      result.push_back(utf8[i]);
      continue;
    }
    const std::uint32_t c = (lead & 0x1Fu) << 6 | (static_cast<unsigned char>(utf8[++i]) & 0x3Fu);
    if (c == kSharpS) {
      result.append("SS");
      continue;
    }
    const std::uint32_t big = upper(c);
    result.push_back(static_cast<char>(0xC0 | big >> 6));
    result.push_back(static_cast<char>(0x80 | (big & 0x3F)));
  }
  return result;
}

}  // namespace cdc::pg
