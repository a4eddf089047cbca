// WireReader: walks over the fields of one protobuf message, never past its end. Once a read fails every
// later one fails too, so that a decoder may read on and ask once. Knows the wire format, no messages.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cdc::pg::decoderbufs {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

class WireReader {
 public:
  explicit WireReader(std::string_view bytes)
      : begin_(bytes.data()), at_(bytes.data()), end_(at_ + bytes.size()) {}

  // The number and type of the next field; false at the end of the message, or when it cannot be read.
  bool next() {
    if (at_ == end_) return false;
    const std::uint64_t tag = varint();
    field_ = tag >> 3;
    type_ = static_cast<std::uint8_t>(tag & 7);
    if (failed_ || field_ == 0 || field_ > kLastField) {
      give_up();
      return false;
    }
    return true;
  }
  // Of the field that next() found. A number that no field of ours has comes as it is.
  std::uint64_t field() const { return field_; }

  // The value of that field. One of these, once; another wire type than asked for is a failure.
  std::uint64_t integer() { return expect(WireType::varint) ? varint() : 0; }
  std::int64_t signed_integer() { return static_cast<std::int64_t>(integer()); }
  // As protobuf does it: the low half counts.
  std::int32_t small_integer() { return static_cast<std::int32_t>(static_cast<std::uint32_t>(integer())); }
  double real() { return expect(WireType::fixed64) ? std::bit_cast<double>(little_endian<8>()) : 0; }
  float small_real() {
    return expect(WireType::fixed32) ? std::bit_cast<float>(static_cast<std::uint32_t>(little_endian<4>()))
                                     : 0;
  }
  std::string_view bytes() { return expect(WireType::bytes) ? sized() : std::string_view(); }
  void skip() {
    switch (static_cast<WireType>(type_)) {
      case WireType::varint:
        varint();
        return;
      case WireType::fixed64:
        little_endian<8>();
        return;
      case WireType::bytes:
        sized();
        return;
      case WireType::fixed32:
        little_endian<4>();
        return;
    }
    give_up();  // groups, which nobody has written for many years
  }

  bool ok() const { return !failed_; }
  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  static constexpr std::uint64_t kLastField = (1U << 29) - 1;

  bool expect(WireType type) {
    if (type_ == static_cast<std::uint8_t>(type)) return true;
    give_up();
    return false;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70 && at_ != end_; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(*at_++);
      if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
    give_up();
    return 0;
  }
  template <std::size_t N>
  std::uint64_t little_endian() {
    if (static_cast<std::size_t>(end_ - at_) < N) {
      give_up();
      return 0;
    }
    std::uint64_t value = 0;
    for (std::size_t i = N; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(at_[i]);
    at_ += N;
    return value;
  }
  std::string_view sized() {
    const std::uint64_t size = varint();
    if (failed_ || size > static_cast<std::uint64_t>(end_ - at_)) {
      give_up();
      return {};
    }
    const char* from = at_;
    at_ += size;
    return {from, static_cast<std::size_t>(size)};
  }
  void give_up() {
    failed_ = true;
    at_ = end_;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::uint64_t field_ = 0;
  std::uint8_t type_ = 0;
  bool failed_ = false;
};

}  // namespace cdc::pg::decoderbufs
