// Decimal to binary by limbs of 64 bits, 18 digits at a time; up to 18 digits without any limbs.
#include "source/postgres/values/big_integer.h"

#include <endian.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "json/json_text.h"
#include "source/postgres/values/scratch.h"

namespace cdc::pg {
namespace {

__extension__ typedef unsigned __int128 uint128;

constexpr std::size_t kChunk = kShortDigits;  // decimal digits that fit a limb
constexpr std::size_t kStackLimbs = 128;      // about 2,400 digits without an allocation

std::uint64_t number_of(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  return value;
}

// A magnitude, least significant limb first, in memory of the caller's.
class Magnitude {
 public:
  explicit Magnitude(std::uint64_t* limbs) : limbs_(limbs) {}

  void multiply_add(std::uint64_t factor, std::uint64_t addend) {
    std::uint64_t carry = addend;
    for (std::size_t i = 0; i < size_; ++i) {
      const uint128 product = static_cast<uint128>(limbs_[i]) * factor + carry;
      limbs_[i] = static_cast<std::uint64_t>(product);
      carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry != 0) limbs_[size_++] = carry;
  }
  void add_digits(std::string_view digits) {
    for (; !digits.empty(); digits.remove_prefix(std::min(kChunk, digits.size()))) {
      const std::string_view chunk = digits.substr(0, kChunk);
      multiply_add(kPowersOfTen[chunk.size()], number_of(chunk));
    }
  }
  void add_zeros(std::size_t count) {
    for (; count > kChunk; count -= kChunk) multiply_add(kPowersOfTen[kChunk], 0);
    multiply_add(kPowersOfTen[count], 0);
  }
  void negate() {  // two's complement within size() limbs
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < size_; ++i) {
      limbs_[i] = ~limbs_[i] + carry;
      carry = carry != 0 && limbs_[i] == 0 ? 1 : 0;
    }
  }
  std::size_t bytes() const { return size_ * 8; }
  char byte(std::size_t from_low) const {
    return static_cast<char>(limbs_[from_low / 8] >> (from_low % 8 * 8));
  }

 private:
  std::uint64_t* limbs_;
  std::size_t size_ = 0;
};

// Drops the leading bytes that only repeat the sign.
std::string_view shortest(std::string_view bytes) {
  while (bytes.size() > 1) {
    const auto first = static_cast<unsigned char>(bytes[0]);
    const bool next_negative = (static_cast<unsigned char>(bytes[1]) & 0x80) != 0;
    if (!(first == 0 && !next_negative) && !(first == 0xFF && next_negative)) break;
    bytes.remove_prefix(1);
  }
  return bytes;
}

void append_magnitude(bool negative, Magnitude& magnitude, Buffer& out) {
  if (negative) magnitude.negate();
  const std::size_t begin = out.size(), length = magnitude.bytes();
  char* w = out.reserve(length + 1);
  *w++ = static_cast<char>(negative ? 0xFF : 0);  // room for the sign
  for (std::size_t i = length; i > 0; --i) *w++ = magnitude.byte(i - 1);
  out.end_at(w);
  replace_tail(out, begin, (length + 3) / 3 * 4 + 2,
               [](Buffer& to, std::string_view bytes) { json::append_base64(to, shortest(bytes)); });
}

}  // namespace

void append_integer_base64(std::int64_t value, Buffer& out) {
  const int bits = 64 - std::countl_zero(static_cast<std::uint64_t>(value < 0 ? ~value : value));
  const auto size = static_cast<std::size_t>(bits / 8 + 1);  // the sign needs a bit as well
  const std::uint64_t bytes = htobe64(static_cast<std::uint64_t>(value));
  json::append_base64(out, {reinterpret_cast<const char*>(&bytes) + sizeof bytes - size, size});
}

void append_integer_base64(bool negative, std::string_view high, std::string_view low, std::size_t zeros,
                           Buffer& out) {
  if (const std::size_t digits = high.size() + low.size() + zeros; digits <= kChunk) {
    const auto value = static_cast<std::int64_t>(
        (number_of(high) * kPowersOfTen[low.size()] + number_of(low)) * kPowersOfTen[zeros]);
    append_integer_base64(negative ? -value : value, out);
  } else {
    const auto convert = [&](std::uint64_t* limbs) {
      Magnitude magnitude(limbs);
      magnitude.add_digits(high);
      magnitude.add_digits(low);
      magnitude.add_zeros(zeros);
      append_magnitude(negative && magnitude.bytes() != 0, magnitude, out);
    };
    const std::size_t limbs = digits / kChunk + 2;  // a limb holds a little more than a chunk
    if (limbs <= kStackLimbs) {
      std::uint64_t stack[kStackLimbs];
      convert(stack);
    } else {
      std::vector<std::uint64_t> heap(limbs);
      convert(heap.data());
    }
  }
}

}  // namespace cdc::pg
