// ByteReader: walks over bytes from the network, big-endian, never past their end. Once a read fails
// every later one fails too, so that a decoder may read on and ask once. Knows no message formats.
#pragma once

#include <endian.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cdc::pg::pgoutput {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes)
      : begin_(bytes.data()), at_(bytes.data()), end_(at_ + bytes.size()) {}

  std::uint8_t u8() { return big_endian<std::uint8_t>(); }
  std::uint16_t u16() { return big_endian<std::uint16_t>(); }
  std::uint32_t u32() { return big_endian<std::uint32_t>(); }
  std::uint64_t u64() { return big_endian<std::uint64_t>(); }
  std::int32_t i32() { return static_cast<std::int32_t>(u32()); }

  // Up to the next NUL, which is taken too.
  std::string_view text() {
    const void* nul = remaining() == 0 ? nullptr : std::memchr(at_, 0, remaining());
    if (nul == nullptr) return give_up();
    const char* from = at_;
    const char* to = static_cast<const char*>(nul);
    at_ = to + 1;
    return {from, static_cast<std::size_t>(to - from)};
  }
  std::string_view bytes(std::size_t count) {
    if (remaining() < count) return give_up();
    const char* from = at_;
    at_ += count;
    return {from, count};
  }

  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }
  bool ok() const { return !failed_; }

 private:
  template <class Number>
  Number big_endian() {
    if (remaining() < sizeof(Number)) {
      give_up();
      return 0;
    }
    Number value = 0;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return from_big_endian(value);
  }
  // One instruction each, which a loop of shifts is not always made into.
  static std::uint8_t from_big_endian(std::uint8_t n) { return n; }
  static std::uint16_t from_big_endian(std::uint16_t n) { return be16toh(n); }
  static std::uint32_t from_big_endian(std::uint32_t n) { return be32toh(n); }
  static std::uint64_t from_big_endian(std::uint64_t n) { return be64toh(n); }
  std::string_view give_up() {
    failed_ = true;
    at_ = end_;
    return {};
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  bool failed_ = false;
};

}  // namespace cdc::pg::pgoutput
