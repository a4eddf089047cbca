// Builds pgoutput messages byte by byte for the decoder's tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cdc::pg::pgoutput {

class Bytes {
 public:
  explicit Bytes(char kind) { out_ += kind; }
  Bytes& number(std::uint64_t value, int size) {
    for (int i = size - 1; i >= 0; --i) out_ += static_cast<char>(value >> (8 * i));
    return *this;
  }
  Bytes& u8(std::uint64_t v) { return number(v, 1); }
  Bytes& u16(std::uint64_t v) { return number(v, 2); }
  Bytes& u32(std::uint64_t v) { return number(v, 4); }
  Bytes& u64(std::uint64_t v) { return number(v, 8); }
  Bytes& letter(char c) { return out_ += c, *this; }
  Bytes& text(std::string_view s) { return out_.append(s), out_ += '\0', *this; }
  Bytes& value(std::string_view s) { return letter('t').u32(s.size()), out_.append(s), *this; }
  Bytes& raw(std::string_view s) { return out_.append(s), *this; }
  std::string str() const { return out_; }

 private:
  std::string out_;
};

}  // namespace cdc::pg::pgoutput
