// Arrays: the mapping of the element inside of a loop over the literal, and the oddities of single types.
#include "source/postgres/types/array_mapping.h"

#include <openssl/evp.h>

#include <array>
#include <cstddef>

#include "json/json_text.h"
#include "source/postgres/types/column_codec.h"
#include "source/postgres/types/type_rules.h"
#include "source/postgres/values/array_text.h"

namespace cdc::pg {
namespace {

constexpr int kMaxDimensions = 255;  // what the flag has room for; the server stops at 6

struct ArrayState final : CodecState {
  EncodeFn encode = nullptr;
  std::shared_ptr<const CodecState> element;
  char delimiter = ',';
  bool elements_required = false;
};

std::uint32_t encode_array(const CodecState* state, std::string_view text, Buffer& out) {
  const auto& array = *static_cast<const ArrayState*>(state);
  std::uint32_t flags = encoded::ok;
  const auto facts = append_array(text, array.delimiter, out, [&](std::string_view element, Buffer& to) {
    const std::uint32_t result = array.encode(array.element.get(), element, to);
    if (result == encoded::failed) return false;
    flags |= result & kUnknownLabel;
    return true;
  });
  if (!facts) return encoded::failed;
  if (facts->element_failed) flags |= encoded::element_failed;
  if (array.elements_required && (facts->null_element || facts->element_failed))
    flags |= encoded::null_element;
  if (facts->dimensions > 1) {
    const int dimensions = facts->dimensions < kMaxDimensions ? facts->dimensions : kMaxDimensions;
    flags |= static_cast<std::uint32_t>(dimensions) << encoded::nested_shift;
  }
  return flags;
}

std::uint32_t encode_never(const CodecState*, std::string_view, Buffer&) { return encoded::failed; }

// The bytes of the placeholder as Java's signed ones.
std::string signed_bytes(std::string_view bytes) {
  Buffer out;
  out.push('[');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i > 0) out.push(',');
    json::append_int(out, static_cast<signed char>(bytes[i]));
  }
  out.push(']');
  return std::string(out.view());
}

// Version 3 UUID of the bytes (UUID.nameUUIDFromBytes). nullopt: this build of OpenSSL has no MD5.
std::optional<std::string> name_uuid(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_md5(), nullptr) != 1 || size != 16) {
    return std::nullopt;
  }
  digest[6] = static_cast<unsigned char>((digest[6] & 0x0F) | 0x30);
  digest[8] = static_cast<unsigned char>((digest[8] & 0x3F) | 0x80);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.push_back('-');
    text.push_back(kDigits[digest[i] >> 4]);
    text.push_back(kDigits[digest[i] & 0x0F]);
  }
  return text;
}

std::optional<std::string> placeholder_of(ArrayPlaceholder kind, const Mapping& element,
                                          const TypeModes& modes) {
  const std::string& bytes = modes.unavailable;
  switch (kind) {
    case ArrayPlaceholder::none:
      break;
    case ArrayPlaceholder::text:
      return "[" + json_string(bytes) + "]";
    case ArrayPlaceholder::bytes:
      if (element.schema->type == Type::bytes) return "[" + json_base64(bytes) + "]";
      break;
    case ArrayPlaceholder::signed_bytes:
      // date[] in isostring: numbers would not fit the schema; as dates of Connect: null, too (seen)
      if (element.schema->type != Type::string &&
          element.schema->name != "org.apache.kafka.connect.data.Date")
        return signed_bytes(bytes);
      break;
    case ArrayPlaceholder::uuid:
      if (const auto uuid = name_uuid(bytes)) return "[" + json_string(*uuid) + "]";
      break;
  }
  return std::nullopt;
}

// What reads `element` in an array: domains (and arrays below domains) go the way of unknown types.
struct ElementRule {
  MappingFn map;
  InArrays use;
  ArrayPlaceholder placeholder;
};
ElementRule element_rule(const TypeInfo& element) {
  if (element.kind == TypeKind::domain) return {map_unknown, InArrays::unknown, ArrayPlaceholder::none};
  const TypeRule& rule = rule_of(element);
  return {rule.map, rule.in_arrays, rule.placeholder};
}

Mapping never_a_value(Mapping scalar) {
  scalar.encode = encode_never;
  scalar.state = nullptr;
  scalar.always_optional = true;
  scalar.fallback_json = "null";
  scalar.no_form_hint = "bit arrays have no form";
  return scalar;
}

}  // namespace

std::optional<Mapping> map_array(const TypeRequest& request) {
  const TypeInfo* element_type = request.catalog.find(request.type.element);
  if (element_type == nullptr) return std::nullopt;
  const ElementRule rule = element_rule(*element_type);
  if (rule.use == InArrays::left_out) return std::nullopt;
  if (rule.use == InArrays::unknown && !request.modes.include_unknown) return std::nullopt;

  Mapping element = rule.map({request.catalog, *element_type, request.typmod, request.modes});
  if (rule.use == InArrays::as_scalar) return never_a_value(std::move(element));

  const bool required = rule.use != InArrays::optional_elements;
  auto state = std::make_shared<ArrayState>();
  state->encode = element.encode;
  state->element = element.state;
  state->delimiter = element_type->delimiter;
  state->elements_required = required;

  Mapping array;
  array.schema = array_of(with_optional(element.schema, !required), false);
  array.encode = encode_array;
  array.state = std::move(state);
  array.fallback_json = "[]";
  array.unavailable_json = placeholder_of(rule.placeholder, element, request.modes);
  array.no_form_hint = std::move(element.no_form_hint);
  return array;
}

}  // namespace cdc::pg
