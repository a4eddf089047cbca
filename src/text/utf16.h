// Texts as Java sees them: UTF-8 walked by code points and by UTF-16 units. Bytes that are no UTF-8 count as
// U+FFFD, one each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cdc::text {

// The code point at `at`, which moves on.
inline std::uint32_t next_code_point(std::string_view utf8, std::size_t& at) {
  constexpr std::uint32_t bad = 0xFFFD;
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < utf8.size() ? static_cast<unsigned char>(utf8[i]) : 0u;
  };
  const std::uint32_t lead = byte(at++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC2 ? 1 : 0;
  if (more == 0 || lead > 0xF4) return bad;
  std::uint32_t code = lead & (0x3FU >> more);
  std::size_t i = at;
  for (int k = 0; k < more; ++k, ++i) {
    if ((byte(i) & 0xC0) != 0x80) return bad;
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  at = i;
  return code;
}

// Calls `unit` for each UTF-16 unit.
template <class F>
void for_each_utf16(std::string_view utf8, F unit) {
  for (std::size_t at = 0; at < utf8.size();) {
    const std::uint32_t code = next_code_point(utf8, at);
    if (code < 0x10000) {
      unit(code);
    } else {
      unit(0xD800u + ((code - 0x10000u) >> 10));
      unit(0xDC00u + ((code - 0x10000u) & 0x3FFu));
    }
  }
}

}  // namespace cdc::text
