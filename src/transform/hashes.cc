// Java's hashes of boxed values, and murmur.
#include "transform/hashes.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "json/json_read.h"
#include "text/java_hash.h"
#include "transform/scalar.h"
#include "transform/struct_text.h"

namespace cdc::transform {
namespace {

constexpr std::uint32_t fold(std::uint64_t v) { return static_cast<std::uint32_t>(v ^ (v >> 32)); }

// BigInteger.hashCode() of a big-endian two's complement number.
std::uint32_t big_integer_hash(std::string_view bytes) {
  std::vector<unsigned char> magnitude(bytes.begin(), bytes.end());
  const bool negative = !magnitude.empty() && (magnitude[0] & 0x80) != 0;
  if (negative) {
    unsigned carry = 1;
    for (std::size_t i = magnitude.size(); i-- > 0;) {
      const unsigned v = (~magnitude[i] & 0xFFu) + carry;
      magnitude[i] = static_cast<unsigned char>(v);
      carry = v >> 8;
    }
  }
  while (magnitude.size() % 4 != 0) magnitude.insert(magnitude.begin(), 0);
  std::uint32_t h = 0;
  for (std::size_t i = 0; i < magnitude.size(); i += 4) {
    const std::uint32_t word = (std::uint32_t{magnitude[i]} << 24) | (std::uint32_t{magnitude[i + 1]} << 16) |
                               (std::uint32_t{magnitude[i + 2]} << 8) | magnitude[i + 3];
    if (h != 0 || word != 0) h = 31 * h + word;  // leading zero words are no part of the magnitude
  }
  return negative ? ~h + 1 : h;
}

std::optional<std::uint32_t> bytes_hash(const Schema& schema, std::string_view json) {
  const auto bytes = decode_base64(json);
  if (!bytes) return std::nullopt;
  if (schema.name == "org.apache.kafka.connect.data.Decimal") {
    std::int64_t scale = 0;
    for (const auto& [name, value] : schema.parameters)
      if (name == "scale") scale = read_integer(value).value_or(0);
    return 31 * big_integer_hash(*bytes) + static_cast<std::uint32_t>(scale);
  }
  std::uint32_t h = 1;  // ByteBuffer.hashCode()
  for (std::size_t i = bytes->size(); i-- > 0;)
    h = 31 * h + static_cast<std::uint32_t>(static_cast<signed char>((*bytes)[i]));
  return h;
}

std::optional<std::uint32_t> array_hash(const Schema& schema, std::string_view json) {
  Texts items;
  if (!split_array(json, items)) return std::nullopt;
  std::uint32_t h = 1;
  for (const std::string_view item : items) {
    std::uint32_t one = 0;
    if (!is_null(item)) {
      const auto hash = java_hash_of(*schema.items, item);
      if (!hash) return std::nullopt;
      one = static_cast<std::uint32_t>(*hash);
    }
    h = 31 * h + one;
  }
  return h;
}

std::optional<std::uint32_t> hash(const Schema& schema, std::string_view json) {
  switch (schema.type) {
    case Type::int8:
    case Type::int16:
    case Type::int32: {
      const auto n = read_integer(json);
      return n ? std::optional(static_cast<std::uint32_t>(*n)) : std::nullopt;
    }
    case Type::int64: {
      const auto n = read_integer(json);
      return n ? std::optional(fold(static_cast<std::uint64_t>(*n))) : std::nullopt;
    }
    case Type::float32: {
      const auto d = read_real(json);
      if (!d) return std::nullopt;
      return std::isnan(*d) ? 0x7fc00000u : std::bit_cast<std::uint32_t>(static_cast<float>(*d));
    }
    case Type::float64: {
      const auto d = read_real(json);
      if (!d) return std::nullopt;
      return fold(std::isnan(*d) ? 0x7ff8000000000000u : std::bit_cast<std::uint64_t>(*d));
    }
    case Type::boolean:
      return json == "true" ? 1231u : 1237u;
    case Type::string: {
      const auto text = json::unquote(json);
      return text ? std::optional(text::java_string_hash(*text)) : std::nullopt;
    }
    case Type::bytes:
      return bytes_hash(schema, json);
    case Type::array:
      return array_hash(schema, json);
    case Type::map:
    case Type::structure:
      return std::nullopt;
  }
  return std::nullopt;
}

constexpr std::uint64_t mixed(std::uint64_t k) {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccdULL;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53ULL;
  return k ^ (k >> 33);
}

class Murmur {
 public:
  void block(std::uint64_t k1, std::uint64_t k2) {
    k1 *= c1_;
    k1 = std::rotl(k1, 23);
    k1 *= c2_;
    h1_ ^= k1;
    h1_ += h2_;
    h2_ = std::rotl(h2_, 41);
    k2 *= c2_;
    k2 = std::rotl(k2, 23);
    k2 *= c1_;
    h2_ ^= k2;
    h2_ += h1_;
    h1_ = h1_ * 3 + 0x52dce729;
    h2_ = h2_ * 3 + 0x38495ab5;
    c1_ = c1_ * 5 + 0x7b7d159c;
    c2_ = c2_ * 5 + 0x6bce6396;
  }
  std::int32_t finish(std::size_t length) {
    h2_ ^= length;
    h1_ += h2_;
    h2_ += h1_;
    h1_ = mixed(h1_);
    h2_ = mixed(h2_);
    h1_ += h2_;
    return static_cast<std::int32_t>(h1_ >> 32);
  }

 private:
  static constexpr std::uint64_t kSeed = 9001;
  std::uint64_t h1_ = 0x9368e53c2f6af274ULL ^ kSeed, h2_ = 0x586dcd208f7cd3fdULL ^ kSeed;
  std::uint64_t c1_ = 0x87c37b91114253d5ULL, c2_ = 0x4cf5ad432745937fULL;
};

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t v = 0;
  for (std::size_t i = 8; i-- > 0;) v = (v << 8) | static_cast<unsigned char>(bytes[i]);
  return v;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view literal) {
  if (literal.size() >= 2 && literal.front() == '"' && literal.back() == '"')
    literal = literal.substr(1, literal.size() - 2);
  while (!literal.empty() && literal.back() == '=') literal.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : literal) {
    const std::size_t v = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
                              .find(c == '-'   ? '+'
                                    : c == '_' ? '/'
                                               : c);
    if (v == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(v);
    have += 6;
    if (have < 8) continue;
    have -= 8;
    out.push_back(static_cast<char>((bits >> have) & 0xFF));
  }
  return out;
}

std::optional<std::int32_t> java_hash_of(const Schema& schema, std::string_view json) {
  const auto h = hash(schema, json);
  return h ? std::optional(static_cast<std::int32_t>(*h)) : std::nullopt;
}

std::int32_t murmur_of_bytes(std::string_view bytes) {
  Murmur murmur;
  std::size_t at = 0;
  for (; at + 16 <= bytes.size(); at += 16)
    murmur.block(little_endian(bytes.substr(at)), little_endian(bytes.substr(at + 8)));
  if (at < bytes.size()) {
    std::uint64_t k[2] = {0, 0};
    for (std::size_t i = 0; at + i < bytes.size(); ++i)  // sign-extended, as in the original
      k[i / 8] ^=
          static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<signed char>(bytes[at + i])))
          << (8 * (i % 8));
    murmur.block(k[0], k[1]);
  }
  return murmur.finish(bytes.size());
}

std::optional<std::int32_t> murmur_of(const Schema& schema, std::string_view json) {
  if (schema.type == Type::string) {
    const auto text = json::unquote(json);
    return text ? std::optional(murmur_of_bytes(*text)) : std::nullopt;
  }
  if (schema.type == Type::bytes && schema.name.empty()) {
    const auto bytes = decode_base64(json);
    return bytes ? std::optional(murmur_of_bytes(*bytes)) : std::nullopt;
  }
  const auto h = hash(schema, json);
  if (!h) return std::nullopt;
  char bytes[4];
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<char>((*h >> (8 * i)) & 0xFF);
  return murmur_of_bytes({bytes, 4});
}

}  // namespace cdc::transform
