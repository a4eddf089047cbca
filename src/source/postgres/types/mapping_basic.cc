// Types whose text is (nearly) their form: strings, enums, booleans, integers, floats, bits, bytes
// (4.1, 4.4).
#include <algorithm>
#include <vector>

#include "json/json_text.h"
#include "source/postgres/types/column_codec.h"
#include "source/postgres/types/mapping.h"
#include "source/postgres/types/typmod.h"
#include "source/postgres/values/bits.h"
#include "source/postgres/values/scalar.h"

namespace cdc::pg {
namespace {

std::uint32_t encode_text(const CodecState*, std::string_view text, Buffer& out) {
  json::append_string(out, text);
  return encoded::ok;
}

Mapping plain(Type type, EncodeFn encode, std::string_view fallback_json) {
  Mapping m;
  m.schema = make(type, false);
  m.encode = encode;
  m.fallback_json = fallback_json;
  return m;
}

// A string type, with a schema name or without.
Mapping text(const TypeRequest& request, std::string_view schema_name) {
  Mapping m;
  m.schema =
      schema_name.empty() ? make(Type::string, false) : named(Type::string, std::string(schema_name), false);
  m.encode = encode_text;
  m.fallback_json = "\"\"";
  m.unavailable_json = json_string(request.modes.unavailable);
  return m;
}

struct EnumLabels final : CodecState {
  explicit EnumLabels(std::vector<std::string> labels) : sorted(std::move(labels)) {
    std::sort(sorted.begin(), sorted.end());
  }
  std::vector<std::string> sorted;
};

std::uint32_t encode_enum(const CodecState* state, std::string_view label, Buffer& out) {
  json::append_string(out, label);
  const auto& known = static_cast<const EnumLabels*>(state)->sorted;
  return std::binary_search(known.begin(), known.end(), label) ? encoded::ok : kUnknownLabel;
}

Mapping integer_vector(EncodeFn encode, Type element) {
  Mapping m;
  m.schema = array_of(make(element, false), false);
  m.encode = encode;
  m.fallback_json = "[]";
  return m;
}

// `unbounded`: the length that the schema names when the type has none.
Mapping bit_string(const TypeRequest& request, int unbounded) {
  const int length = bit_length(request.typmod).value_or(unbounded);
  Mapping m;
  if (length == 1) {
    m = plain(Type::boolean, encode_with<append_bit_as_bool>, "false");
    m.no_form_hint = "an empty bit string has no boolean form";
    return m;
  }
  auto schema = std::make_shared<Schema>(*named(Type::bytes, "io.debezium.data.Bits", false));
  schema->parameters.emplace_back("length", std::to_string(length));
  m.schema = std::move(schema);
  m.encode = encode_with<append_bits>;
  m.fallback_json = "\"\"";
  return m;
}

template <BinaryForm form>
std::uint32_t encode_binary(const CodecState*, std::string_view bytes, Buffer& out) {
  append_binary(bytes, form, out);
  return encoded::ok;
}

// One row a mode, in the order of BinaryForm.
struct BinaryEncoders {
  Type type;
  EncodeFn bytea, any, geometric;
};
template <BinaryForm form>
constexpr BinaryEncoders binary_row(Type type) {
  return {type, encode_as<append_bytea, form>, encode_binary<form>, encode_as<append_geometric, form>};
}
constexpr BinaryEncoders kBinary[] = {
    binary_row<BinaryForm::bytes>(Type::bytes),
    binary_row<BinaryForm::base64>(Type::string),
    binary_row<BinaryForm::base64_url_safe>(Type::string),
    binary_row<BinaryForm::hex>(Type::string),
};

Mapping binary(const TypeRequest& request, EncodeFn BinaryEncoders::*encoder) {
  const BinaryEncoders& row = kBinary[static_cast<std::size_t>(request.modes.binary)];
  return plain(row.type, row.*encoder, "\"\"");
}

}  // namespace

std::string json_string(std::string_view utf8) {
  Buffer out;
  json::append_string(out, utf8);
  return std::string(out.view());
}

std::string json_base64(std::string_view bytes) {
  Buffer out;
  json::append_base64(out, bytes);
  return std::string(out.view());
}

namespace {

std::string binary_placeholder(const TypeModes& modes) {
  return modes.binary == BinaryForm::bytes ? json_base64(modes.unavailable) : json_string(modes.unavailable);
}

// The base64 modes have no placeholder for types without mapping (seen; bytea has).
Mapping unknown(const TypeRequest& request, EncodeFn BinaryEncoders::*encoder) {
  Mapping m = binary(request, encoder);
  const BinaryForm form = request.modes.binary;
  if (form == BinaryForm::bytes || form == BinaryForm::hex)
    m.unavailable_json = binary_placeholder(request.modes);
  return m;
}

}  // namespace

Mapping map_bool(const TypeRequest&) { return plain(Type::boolean, encode_with<append_bool>, "false"); }
Mapping map_int2(const TypeRequest&) {
  return plain(Type::int16, encode_as<append_integer, IntType::int2>, "0");
}
Mapping map_int4(const TypeRequest&) {
  return plain(Type::int32, encode_as<append_integer, IntType::int4>, "0");
}
Mapping map_int8(const TypeRequest&) {
  return plain(Type::int64, encode_as<append_integer, IntType::int8>, "0");
}
Mapping map_oid(const TypeRequest&) {
  return plain(Type::int64, encode_as<append_integer, IntType::oid>, "0");
}
Mapping map_int2vector(const TypeRequest&) {
  return integer_vector(encode_as<append_integer_vector, IntType::int2>, Type::int16);
}
Mapping map_oidvector(const TypeRequest&) {
  return integer_vector(encode_as<append_integer_vector, IntType::oid>, Type::int64);
}
Mapping map_float4(const TypeRequest&) { return plain(Type::float32, encode_with<append_float4>, "0.0"); }
Mapping map_float8(const TypeRequest&) { return plain(Type::float64, encode_with<append_float8>, "0.0"); }

Mapping map_text(const TypeRequest& request) { return text(request, {}); }
Mapping map_json(const TypeRequest& request) { return text(request, "io.debezium.data.Json"); }
Mapping map_xml(const TypeRequest& request) { return text(request, "io.debezium.data.Xml"); }
Mapping map_uuid(const TypeRequest& request) { return text(request, "io.debezium.data.Uuid"); }
Mapping map_ltree(const TypeRequest& request) { return text(request, "io.debezium.data.Ltree"); }
Mapping map_tsvector(const TypeRequest& request) { return text(request, "io.debezium.data.Tsvector"); }

Mapping map_enum(const TypeRequest& request) {
  Mapping m = text(request, {});
  auto schema = std::make_shared<Schema>(*named(Type::string, "io.debezium.data.Enum", false));
  std::string allowed;
  for (const std::string& label : request.type.labels) {
    if (&label != &request.type.labels.front()) allowed.push_back(',');
    allowed.append(label);
  }
  schema->parameters.emplace_back("allowed", std::move(allowed));
  m.schema = std::move(schema);
  m.encode = encode_enum;
  m.state = std::make_shared<EnumLabels>(request.type.labels);
  return m;
}

Mapping map_bit(const TypeRequest& request) { return bit_string(request, 1); }
Mapping map_varbit(const TypeRequest& request) { return bit_string(request, 2147483647); }

Mapping map_bytea(const TypeRequest& request) {
  Mapping m = binary(request, &BinaryEncoders::bytea);
  m.unavailable_json = binary_placeholder(request.modes);
  return m;
}
Mapping map_unknown(const TypeRequest& request) { return unknown(request, &BinaryEncoders::any); }
Mapping map_unknown_geometric(const TypeRequest& request) {
  return unknown(request, &BinaryEncoders::geometric);
}

}  // namespace cdc::pg
