// Integers and floating point numbers as JSON text; the latter in the layout of Java's
// Double.toString and Float.toString since JDK 19 (CORE-JSON-06, CORE-JSON-07).
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "json/json_text.h"

namespace cdc::json {
namespace {

// "00" .. "99"
constexpr auto kPairs = [] {
  std::array<char, 200> pairs{};
  for (std::size_t i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();

constexpr auto kPowers = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

inline unsigned digits_of(std::uint64_t value) {
  value |= 1;  // 0 has a digit too; no other count changes, powers of ten being even
  // log10(2) is a bit more than 1233 / 4096; the table mends the guess.
  const unsigned guess = ((64U - static_cast<unsigned>(__builtin_clzll(value))) * 1233) >> 12;
  return guess + (value >= kPowers[guess] ? 1U : 0U);
}

char* put_uint(char* w, std::uint64_t value) {
  const unsigned count = digits_of(value);
  char* p = w + count;
  while (value >= 100) {
    p -= 2;
    std::memcpy(p, &kPairs[2 * (value % 100)], 2);
    value /= 100;
  }
  if (value >= 10) {
    std::memcpy(p - 2, &kPairs[2 * value], 2);
  } else {
    p[-1] = static_cast<char>('0' + value);
  }
  return w + count;
}

// d1 d2 d3 ... times ten to the exponent of the first digit, in Java's layout.
char* put_java(char* w, const char* digits, int count, int exponent) {
  const auto copy = [&w](const char* from, int n) {
    std::memcpy(w, from, static_cast<std::size_t>(n));
    w += n;
  };
  const auto zeros = [&w](int n) {
    std::memset(w, '0', static_cast<std::size_t>(n));
    w += n;
  };
  if (exponent >= 0 && exponent < 7) {
    const int whole = exponent + 1 < count ? exponent + 1 : count;
    copy(digits, whole);
    zeros(exponent + 1 - whole);
    *w++ = '.';
    if (count > whole) {
      copy(digits + whole, count - whole);
    } else {
      *w++ = '0';
    }
    return w;
  }
  if (exponent < 0 && exponent >= -3) {
    copy("0.", 2);
    zeros(-exponent - 1);
    copy(digits, count);
    return w;
  }
  *w++ = *digits;
  *w++ = '.';
  if (count > 1) {
    copy(digits + 1, count - 1);
  } else {
    *w++ = '0';
  }
  *w++ = 'E';
  if (exponent < 0) {
    *w++ = '-';
    exponent = -exponent;
  }
  return put_uint(w, static_cast<std::uint64_t>(exponent));
}

template <class Float>
void append_java(Buffer& out, Float value) {
  if (std::isnan(value)) return out.append("\"NaN\"");
  if (std::isinf(value))
    return out.append(value > 0 ? std::string_view("\"Infinity\"") : std::string_view("\"-Infinity\""));
  char* w = out.reserve(48);
  if (std::signbit(value)) {
    *w++ = '-';
    value = -value;
  }
  if (value < Float(1e7) && value == std::trunc(value)) {  // whole numbers are frequent
    w = put_uint(w, static_cast<std::uint64_t>(value));
    std::memcpy(w, ".0", 2);
    return out.end_at(w + 2);
  }
  char text[48];  // d.ddd and a signed exponent of three digits
  auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  // Java never settles for one digit when a second comes nearer to the value. Only subnormal
  // numbers are coarse enough for the second digit to be another one than 0.
  if (value < std::numeric_limits<Float>::min() && text[1] == 'e')
    end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 1).ptr;
  const char* e = end;
  while (*--e != 'e') {
  }
  int exponent = 0;
  for (const char* p = e + 2; p < end; ++p) exponent = exponent * 10 + (*p - '0');
  if (e[1] == '-') exponent = -exponent;
  int count = 1;
  if (text[1] == '.') {  // close the gap of the point
    count = static_cast<int>(e - text) - 1;
    std::memmove(text + 1, text + 2, static_cast<std::size_t>(count - 1));
    while (count > 1 && text[count - 1] == '0') --count;
  }
  out.end_at(put_java(w, text, count, exponent));
}

}  // namespace

void append_uint(Buffer& out, std::uint64_t value) { out.end_at(put_uint(out.reserve(20), value)); }

void append_int(Buffer& out, std::int64_t value) {
  char* w = out.reserve(20);
  auto magnitude = static_cast<std::uint64_t>(value);
  if (value < 0) {
    *w++ = '-';
    magnitude = 0 - magnitude;
  }
  out.end_at(put_uint(w, magnitude));
}

void append_double(Buffer& out, double value) { append_java(out, value); }
void append_float(Buffer& out, float value) { append_java(out, value); }

}  // namespace cdc::json
