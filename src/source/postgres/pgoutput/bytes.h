// ByteReader: walks over bytes from the network, big-endian, never past their end. Once a read fails
// every later one fails too, so that a decoder may read on and ask once. Knows no message formats.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace cdc::pg::pgoutput {

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes)
      : begin_(bytes.data()), at_(bytes.data()), end_(at_ + bytes.size()) {}

  std::uint8_t u8() { return static_cast<std::uint8_t>(big_endian<1>()); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(big_endian<2>()); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(big_endian<4>()); }
  std::uint64_t u64() { return big_endian<8>(); }
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
  template <std::size_t N>
  std::uint64_t big_endian() {
    if (remaining() < N) {
      give_up();
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < N; ++i) value = value << 8 | static_cast<std::uint8_t>(at_[i]);
    at_ += N;
    return value;
  }
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
