// Hiding and cutting values.
#include "event/column_masks.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc {
namespace {

struct Inner : CodecState {
  ColumnCodec codec;
};

struct AsteriskState : Inner {
  std::string json;
};

std::uint32_t encode_asterisks(const CodecState* state, std::string_view, Buffer& out) {
  out.append(static_cast<const AsteriskState*>(state)->json);
  return encoded::ok;
}

// Writes with the inner codec and hands the string behind the JSON to `use`, which appends the final form.
template <class F>
std::uint32_t over_string(const ColumnCodec& inner, std::string_view text, Buffer& out, F use) {
  const std::size_t begin = out.size();
  const std::uint32_t outcome = inner(text, out);
  if (outcome & encoded::failed) return outcome;
  const auto plain = json::unquote(out.view(begin));
  if (!plain) return outcome;  // not a string (null, number): stays as it is
  out.truncate(begin);
  use(*plain);
  return outcome;
}

struct HashState : Inner {
  const EVP_MD* digest = nullptr;
  std::string salt;
  HashForm form = HashForm::plain_utf8;
  std::size_t length = 0;
};

// UTF-8 as Java's modified UTF-8: NUL is two bytes, supplementary characters are two surrogates.
std::string modified_utf8(const std::string& utf8) {
  std::string out;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    if (c == 0) {
      out += "\xC0\x80";
      ++i;
    } else if (c >= 0xF0 && i + 3 < utf8.size()) {
      const auto at = [&](std::size_t k) {
        return static_cast<unsigned>(static_cast<unsigned char>(utf8[i + k]));
      };
      const unsigned code =
          ((c & 7u) << 18 | (at(1) & 63u) << 12 | (at(2) & 63u) << 6 | (at(3) & 63u)) - 0x10000u;
      for (const unsigned unit : {0xD800u + (code >> 10), 0xDC00u + (code & 0x3FFu)}) {
        out.push_back(static_cast<char>(0xE0u | unit >> 12));
        out.push_back(static_cast<char>(0x80u | (unit >> 6 & 63u)));
        out.push_back(static_cast<char>(0x80u | (unit & 63u)));
      }
      i += 4;
    } else {
      out.push_back(utf8[i++]);
    }
  }
  return out;
}

std::string java_serialized(const std::string& utf8) {
  const std::string body = modified_utf8(utf8);
  std::string out("\xAC\xED\x00\x05", 4);
  const bool is_long = body.size() > 65535;
  out.push_back(is_long ? '\x7C' : '\x74');
  for (int shift = (is_long ? 56 : 8); shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(body.size() >> shift));
  return out + body;
}

std::uint32_t encode_hash(const CodecState* base, std::string_view text, Buffer& out) {
  const auto& state = *static_cast<const HashState*>(base);
  return over_string(state.codec, text, out, [&](const std::string& plain) {
    const std::string bytes = state.form == HashForm::java_serialized ? java_serialized(plain) : plain;
    const std::string input = state.salt + bytes;
    std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
    unsigned size = 0;
    EVP_Digest(input.data(), input.size(), hash.data(), &size, state.digest, nullptr);
    const std::size_t begin = out.size();
    json::append_hex(out, {reinterpret_cast<const char*>(hash.data()), size});
    if (state.length > 0 && state.length < size * 2u) {
      out.truncate(begin + 1 + state.length);
      out.push('"');
    }
  });
}

struct TruncateState : Inner {
  std::size_t length = 0;
  bool bytes = false;
};

std::string_view cut_utf16(std::string_view utf8, std::size_t units) {
  std::size_t i = 0;
  while (i < utf8.size()) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    const std::size_t bytes = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
    const std::size_t takes = bytes == 4 ? 2 : 1;
    if (takes > units) break;
    units -= takes;
    i = std::min(i + bytes, utf8.size());
  }
  return utf8.substr(0, i);
}

// Base64 of the first n bytes: whole groups are copied, the last one is decoded and written anew.
std::string decode_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0, have = 0;
  for (const char c : text) {
    const int v = c >= 'A' && c <= 'Z'   ? c - 'A'
                  : c >= 'a' && c <= 'z' ? c - 'a' + 26
                  : c >= '0' && c <= '9' ? c - '0' + 52
                  : c == '+'             ? 62
                  : c == '/'             ? 63
                                         : -1;
    if (v < 0) break;
    bits = bits << 6 | static_cast<unsigned>(v);
    if ((have += 6) >= 8) out.push_back(static_cast<char>(bits >> (have -= 8)));
  }
  return out;
}

std::uint32_t encode_truncated(const CodecState* base, std::string_view text, Buffer& out) {
  const auto& state = *static_cast<const TruncateState*>(base);
  return over_string(state.codec, text, out, [&](const std::string& plain) {
    if (state.bytes)
      json::append_base64(out, std::string_view(decode_base64(plain)).substr(0, state.length));
    else
      json::append_string(out, cut_utf16(plain, state.length));
  });
}

const EVP_MD* digest_of(const std::string& algorithm) {
  std::string name;
  for (const char c : algorithm) name.push_back(c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c);
  if (name == "SHA") name = "SHA1";
  if (name.rfind("SHA-", 0) == 0 && name.find('/') == std::string::npos) name.erase(3, 1);
  return EVP_get_digestbyname(name.c_str());
}

ColumnCodec with_parameter(const ColumnCodec& inner, const char* name, std::string value) {
  ColumnCodec codec = inner;
  auto schema = std::make_shared<Schema>(*inner.schema);
  schema->parameters.emplace_back(name, std::move(value));
  codec.schema = schema;
  return codec;
}

}  // namespace

ColumnCodec masked_with_asterisks(const ColumnCodec& inner, std::size_t count) {
  ColumnCodec codec = inner;
  auto state = std::make_shared<AsteriskState>();
  state->json = '"' + std::string(count, '*') + '"';
  codec.fallback_json = state->json;
  codec.unavailable_json = state->json;
  codec.encode = encode_asterisks;
  codec.state = std::move(state);
  return codec;
}

ColumnCodec masked_with_hash(const ColumnCodec& inner, HashForm form, const std::string& algorithm,
                             const std::string& salt, std::size_t length) {
  ColumnCodec codec = inner;
  auto state = std::make_shared<HashState>();
  state->codec = inner;
  state->digest = digest_of(algorithm);
  state->salt = salt;
  state->form = form;
  state->length = length;
  if (state->digest == nullptr) return inner;
  codec.encode = encode_hash;
  codec.state = std::move(state);
  return codec;
}

ColumnCodec as_json(const ColumnCodec& codec) {
  ColumnCodec verbatim = codec;
  verbatim.encode = [](const CodecState*, std::string_view json, Buffer& out) -> std::uint32_t {
    out.append(json);
    return encoded::ok;
  };
  verbatim.state = nullptr;
  return verbatim;
}

ColumnCodec truncated(const ColumnCodec& inner, std::size_t length) {
  ColumnCodec codec = with_parameter(inner, "truncateLength", std::to_string(length));
  // Strings and plain bytes are cut. Numbers keep their value, also those that JSON shows as a string or as
  // bytes (Infinity, Decimal), and so do bit strings (seen: golden mask-truncate-types).
  const bool plain_bytes = inner.schema->type == Type::bytes && inner.schema->name.empty();
  if (inner.schema->type != Type::string && !plain_bytes) return codec;
  auto state = std::make_shared<TruncateState>();
  state->codec = inner;
  state->length = length;
  state->bytes = plain_bytes;
  codec.encode = encode_truncated;
  codec.state = std::move(state);
  return codec;
}

}  // namespace cdc
