// Bytes as JSON strings: base64 (both alphabets, padded) and lower-case hex.
#include <array>
#include <cstring>

#include "json/json_text.h"

namespace cdc::json {
namespace {

constexpr std::string_view kStandard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrlSafe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Both characters of 12 bits at once.
using Pairs = std::array<char, 2 * 4096>;
constexpr Pairs pairs_of(std::string_view alphabet) {
  Pairs pairs{};
  for (std::size_t i = 0; i < 4096; ++i) {
    pairs[2 * i] = alphabet[i >> 6];
    pairs[2 * i + 1] = alphabet[i & 63];
  }
  return pairs;
}
constexpr Pairs kStandardPairs = pairs_of(kStandard), kUrlSafePairs = pairs_of(kUrlSafe);

constexpr auto kHexPairs = [] {
  constexpr char digits[] = "0123456789abcdef";
  std::array<char, 512> pairs{};
  for (std::size_t i = 0; i < 256; ++i) {
    pairs[2 * i] = digits[i >> 4];
    pairs[2 * i + 1] = digits[i & 15];
  }
  return pairs;
}();

}  // namespace

void append_base64(Buffer& out, std::string_view bytes, bool url_safe) {
  const std::string_view alphabet = url_safe ? kUrlSafe : kStandard;
  const Pairs& pairs = url_safe ? kUrlSafePairs : kStandardPairs;
  char* w = out.reserve((bytes.size() + 2) / 3 * 4 + 2);
  *w++ = '"';
  const auto at = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(bytes[i])); };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3, w += 4) {
    const unsigned group = (at(i) << 16) | (at(i + 1) << 8) | at(i + 2);
    std::memcpy(w, &pairs[2 * (group >> 12)], 2);
    std::memcpy(w + 2, &pairs[2 * (group & 0xFFF)], 2);
  }
  if (const std::size_t left = bytes.size() - i; left != 0) {
    const unsigned group = (at(i) << 16) | (left == 2 ? at(i + 1) << 8 : 0);
    w[0] = alphabet[group >> 18];
    w[1] = alphabet[(group >> 12) & 63];
    w[2] = left == 2 ? alphabet[(group >> 6) & 63] : '=';
    w[3] = '=';
    w += 4;
  }
  *w++ = '"';
  out.end_at(w);
}

void append_hex(Buffer& out, std::string_view bytes) {
  char* w = out.reserve(bytes.size() * 2 + 2);
  *w++ = '"';
  for (const char c : bytes) {
    std::memcpy(w, &kHexPairs[2 * static_cast<std::size_t>(static_cast<unsigned char>(c))], 2);
    w += 2;
  }
  *w++ = '"';
  out.end_at(w);
}

}  // namespace cdc::json
