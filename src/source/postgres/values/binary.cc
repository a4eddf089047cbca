// Bytes: hex and escape format in, base64 or hex out. Decoding goes to the end of the output
// buffer first and is encoded from there.
#include "source/postgres/values/binary.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "json/json_text.h"
#include "source/postgres/values/scalar.h"
#include "source/postgres/values/scratch.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace cdc::pg {
namespace {

constexpr std::uint8_t kNoDigit = 0xFF;
constexpr auto kNibbles = [] {
  std::array<std::uint8_t, 256> nibbles{};
  nibbles.fill(kNoDigit);
  for (std::uint8_t i = 0; i < 10; ++i) nibbles['0' + i] = i;
  for (std::uint8_t i = 0; i < 6; ++i)
    nibbles['a' + i] = nibbles['A' + i] = static_cast<std::uint8_t>(10 + i);
  return nibbles;
}();

std::uint8_t nibble(char c) { return kNibbles[static_cast<unsigned char>(c)]; }

// Decodes blocks of 16 digits as long as they are digits; returns how many characters that were.
std::size_t decode_blocks(std::string_view hex, char* w) {
  std::size_t i = 0;
#if defined(__SSE2__)
  const auto all = [](int c) { return _mm_set1_epi8(static_cast<char>(c)); };
  const auto at_most = [](__m128i v, __m128i limit) { return _mm_cmpeq_epi8(_mm_min_epu8(v, limit), v); };
  for (; hex.size() - i >= 16; i += 16, w += 8) {
    __m128i text;
    std::memcpy(&text, hex.data() + i, sizeof text);
    const __m128i digit = _mm_sub_epi8(text, all('0'));
    const __m128i letter = _mm_sub_epi8(_mm_or_si128(text, all(0x20)), all('a'));
    const __m128i is_digit = at_most(digit, all(9)), is_letter = at_most(letter, all(5));
    if (_mm_movemask_epi8(_mm_or_si128(is_digit, is_letter)) != 0xFFFF) break;
    const __m128i nibbles =
        _mm_or_si128(_mm_and_si128(is_digit, digit), _mm_and_si128(is_letter, _mm_add_epi8(letter, all(10))));
    // In each pair the first digit, the lower byte of a word, is the upper nibble.
    const __m128i words = _mm_and_si128(_mm_or_si128(_mm_slli_epi16(nibbles, 4), _mm_srli_epi16(nibbles, 8)),
                                        _mm_set1_epi16(0xFF));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(w), _mm_packus_epi16(words, words));
  }
#else
  (void)hex;
  (void)w;
#endif
  return i;
}

bool decode_escape(std::string_view text, Buffer& out) {
  const auto octal = [](char c, char highest) { return c >= '0' && c <= highest; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push(text[i]);
    } else if (text.substr(i + 1, 1) == "\\") {
      out.push('\\');
      ++i;
    } else if (text.size() - i >= 4 && octal(text[i + 1], '3') && octal(text[i + 2], '7') &&
               octal(text[i + 3], '7')) {
      out.push(static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0')));
      i += 3;
    } else {
      return false;
    }
  }
  return true;
}

void encode_tail(Buffer& out, std::size_t begin, BinaryForm form) {
  const std::size_t length = out.size() - begin;
  const std::size_t worst = (form == BinaryForm::hex ? length * 2 : (length + 2) / 3 * 4) + 2;
  replace_tail(out, begin, worst,
               [form](Buffer& to, std::string_view bytes) { append_binary(bytes, form, to); });
}

}  // namespace

bool decode_hex(std::string_view hex, Buffer& out) {
  if (hex.size() % 2 != 0) return false;
  char* const w = out.reserve(hex.size() / 2);
  unsigned bad = 0;
  for (std::size_t i = decode_blocks(hex, w); i < hex.size(); i += 2) {
    const unsigned high = nibble(hex[i]), low = nibble(hex[i + 1]);
    bad |= high | low;
    w[i / 2] = static_cast<char>((high << 4) | low);
  }
  if ((bad & 0xF0) != 0) return false;
  out.advance(hex.size() / 2);
  return true;
}

void append_binary(std::string_view bytes, BinaryForm form, Buffer& out) {
  if (form == BinaryForm::hex) {
    json::append_hex(out, bytes);
  } else {
    json::append_base64(out, bytes, form == BinaryForm::base64_url_safe);
  }
}

bool append_bytea(std::string_view text, BinaryForm form, Buffer& out) {
  const std::size_t begin = out.size();
  if (!(text.starts_with("\\x") ? decode_hex(text.substr(2), out) : decode_escape(text, out))) {
    out.truncate(begin);
    return false;
  }
  encode_tail(out, begin, form);
  return true;
}

bool append_geometric(std::string_view text, BinaryForm form, Buffer& out) {
  constexpr std::string_view punctuation = "()[]{}<>,";
  const std::size_t begin = out.size();
  while (!text.empty()) {
    const std::size_t length = std::min(text.find_first_of(punctuation), text.size());
    if (length == 0) {
      out.push(text[0]);
      text.remove_prefix(1);
      continue;
    }
    const std::string_view number = text.substr(0, length);
    double value = 0;
    if (!parse_double(number, value)) {
      out.truncate(begin);
      return false;
    }
    if (number.ends_with('N') || number.ends_with('y')) {  // NaN and infinities: no JSON quotes here
      out.append(number);
    } else {
      json::append_double(out, value);
    }
    text.remove_prefix(length);
  }
  encode_tail(out, begin, form);
  return true;
}

}  // namespace cdc::pg
