// JSON string literals in Jackson's spelling (CORE-JSON-08). The scan for bytes that need care runs
// 16 bytes at a time; everything else is copied. Numbers and base64 are next door.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "json/json_text.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cdc::json {
namespace {

constexpr char kHexUpper[] = "0123456789ABCDEF";
// What one step of the writer may append beyond the bytes it consumes: a 16 byte block or two
// \uXXXX escapes. The writer keeps this much room besides room for all that is left to read.
constexpr std::size_t kSlack = 32;
// So many plain bytes in a row after a special one, and the writer goes back to whole blocks.
constexpr int kPlainAside = 4;

// What a byte needs: nothing (0), the letter behind a backslash, \u00XX ('u'), or a look at the
// sequence it begins ('m').
constexpr auto kNeeds = [] {
  std::array<char, 256> needs{};
  for (std::size_t c = 0; c < 0x20; ++c) needs[c] = 'u';
  for (std::size_t c = 0x80; c < 0x100; ++c) needs[c] = 'm';
  needs['"'] = '"';
  needs['\\'] = '\\';
  needs['\b'] = 'b';
  needs['\t'] = 't';
  needs['\n'] = 'n';
  needs['\f'] = 'f';
  needs['\r'] = 'r';
  return needs;
}();

inline unsigned char byte_at(const char* p) { return static_cast<unsigned char>(*p); }

// Copies the plain bytes at the front of [p, end) to `w`; both move on. May write up to 15 bytes of
// rubbish behind `w`, which the slack covers.
inline void copy_plain(const char*& p, const char* end, char*& w) {
#if defined(__SSE2__)
  const __m128i space = _mm_set1_epi8(0x20), quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
  while (end - p >= 16) {
    __m128i block;
    std::memcpy(&block, p, sizeof block);
    std::memcpy(w, &block, sizeof block);
    // A signed comparison finds control characters and bytes from 0x80 on alike.
    const __m128i special =
        _mm_or_si128(_mm_cmplt_epi8(block, space),
                     _mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash)));
    const auto mask = static_cast<unsigned>(_mm_movemask_epi8(special));
    if (mask != 0) {
      const int plain = __builtin_ctz(mask);
      p += plain;
      w += plain;
      return;
    }
    p += 16;
    w += 16;
  }
#else
  while (end - p >= 8) {
    std::uint64_t block;
    std::memcpy(&block, p, sizeof block);
    constexpr std::uint64_t ones = 0x0101010101010101U, highs = 0x8080808080808080U;
    const auto zero_byte = [](std::uint64_t x) { return (x - ones) & ~x; };
    const std::uint64_t special =
        block | (block - ones * 0x20) | zero_byte(block ^ (ones * '"')) | zero_byte(block ^ (ones * '\\'));
    if ((special & highs) != 0) break;
    std::memcpy(w, &block, sizeof block);
    p += 8;
    w += 8;
  }
#endif
  while (p < end && kNeeds[byte_at(p)] == 0) *w++ = *p++;
}

inline char* put_unit(char* w, unsigned unit) {
  *w++ = '\\';
  *w++ = 'u';
  for (int shift = 12; shift >= 0; shift -= 4) *w++ = kHexUpper[(unit >> shift) & 0xF];
  return w;
}

// The bytes of one well-formed sequence (2..4), or minus the bytes of the maximal ill-formed part
// (1..3), as the Unicode standard's table of well-formed byte sequences has it.
inline int sequence_length(const char* p, const char* end) {
  const unsigned char lead = byte_at(p);
  int length = 0;
  unsigned char low = 0x80, high = 0xBF;  // of the second byte
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return -1;
  }
  for (int i = 1; i < length; ++i) {
    if (p + i >= end || byte_at(p + i) < low || byte_at(p + i) > high) return -i;
    low = 0x80;
    high = 0xBF;
  }
  return length;
}

// One sequence that starts with a byte from 0x80 on.
inline void copy_sequence(const char*& p, const char* end, char*& w) {
  const int length = sequence_length(p, end);
  if (length < 0) {
    std::memcpy(w, "\xEF\xBF\xBD", 3);
    w += 3;
    p -= length;
    return;
  }
  if (length == 4) {
    const unsigned code = ((byte_at(p) & 0x07U) << 18) | ((byte_at(p + 1) & 0x3FU) << 12) |
                          ((byte_at(p + 2) & 0x3FU) << 6) | (byte_at(p + 3) & 0x3FU);
    w = put_unit(w, 0xD800 + ((code - 0x10000) >> 10));
    w = put_unit(w, 0xDC00 + ((code - 0x10000) & 0x3FF));
  } else {
    for (int i = 0; i < length; ++i) *w++ = p[i];
  }
  p += length;
}

inline char* put_escape(char* w, unsigned char c, char letter) {
  if (letter == 'u') return put_unit(w, c);
  *w++ = '\\';
  *w++ = letter;
  return w;
}

// A well-formed sequence of two or three bytes, the bulk of text beyond ASCII. Grows nothing.
inline bool copy_short_sequence(const char*& p, const char* end, char*& w) {
  const unsigned char lead = byte_at(p);
  int length = 2;
  if (lead < 0xC2 || lead >= 0xE0 || end - p < 2 || (byte_at(p + 1) & 0xC0) != 0x80) {
    if (lead < 0xE0 || lead >= 0xF0 || (length = sequence_length(p, end)) != 3) return false;
    w[2] = p[2];
  }
  w[0] = p[0];
  w[1] = p[1];
  w += length;
  p += length;
  return true;
}

}  // namespace

void append_escaped(Buffer& out, std::string_view utf8) {
  const char* p = utf8.data();
  const char* const end = p + utf8.size();
  char* w = out.reserve(utf8.size() + kSlack);
  const char* room = out.data() + out.capacity();
  for (;;) {
    copy_plain(p, end, w);
    if (p == end) break;
    for (int plain = 0; p < end && plain < kPlainAside;) {
      const unsigned char c = byte_at(p);
      const char need = kNeeds[c];
      if (need == 0) {
        *w++ = *p++;
        ++plain;
        continue;
      }
      plain = 0;
      if (need == 'm') {
        if (copy_short_sequence(p, end, w)) continue;
        copy_sequence(p, end, w);
      } else {
        w = put_escape(w, c, need);
        ++p;
      }
      const std::size_t needed = static_cast<std::size_t>(end - p) + kSlack;
      if (static_cast<std::size_t>(room - w) < needed) {
        out.end_at(w);
        w = out.reserve(needed);
        room = out.data() + out.capacity();
      }
    }
    if (p == end) break;
  }
  out.end_at(w);
}

void append_string(Buffer& out, std::string_view utf8) {
  out.push('"');
  append_escaped(out, utf8);
  out.push('"');
}

}  // namespace cdc::json
