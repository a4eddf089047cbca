// Inside of this room: what one type becomes under given modes, before a column adds its own nullability
// and default. The same mapping serves a column and the elements of an array.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/codec.h"
#include "source/postgres/types/type_catalog.h"
#include "source/postgres/types/type_modes.h"

namespace cdc::pg {

struct TypeRequest {
  const TypeCatalog& catalog;
  const TypeInfo& type;  // never a domain
  std::int32_t typmod;
  const TypeModes& modes;
};

struct Mapping {
  SchemaPtr schema;  // as of a NOT NULL column; parameters included, no default
  EncodeFn encode = nullptr;
  std::shared_ptr<const CodecState> state;
  std::string fallback_json;                    // 4.9
  std::optional<std::string> unavailable_json;  // 4.10
  std::string no_form_hint;
  bool always_optional = false;  // optional even in a NOT NULL column
};

using MappingFn = Mapping (*)(const TypeRequest&);

// Encoders without parameters: one instance a function of values/, so that a value costs one indirect call.
template <auto append>
std::uint32_t encode_with(const CodecState*, std::string_view text, Buffer& out) {
  return append(text, out) ? encoded::ok : encoded::failed;
}
template <auto append, auto form>
std::uint32_t encode_as(const CodecState*, std::string_view text, Buffer& out) {
  return append(text, form, out) ? encoded::ok : encoded::failed;
}

// JSON of text or bytes, for fallbacks and placeholders.
std::string json_string(std::string_view utf8);
std::string json_base64(std::string_view bytes);

// mapping_basic.cc: types whose text is their form, booleans, integers, floats, bits, bytes
Mapping map_bool(const TypeRequest&);
Mapping map_int2(const TypeRequest&);
Mapping map_int4(const TypeRequest&);
Mapping map_int8(const TypeRequest&);
Mapping map_oid(const TypeRequest&);
Mapping map_int2vector(const TypeRequest&);
Mapping map_oidvector(const TypeRequest&);
Mapping map_float4(const TypeRequest&);
Mapping map_float8(const TypeRequest&);
Mapping map_text(const TypeRequest&);
Mapping map_json(const TypeRequest&);
Mapping map_xml(const TypeRequest&);
Mapping map_uuid(const TypeRequest&);
Mapping map_ltree(const TypeRequest&);
Mapping map_tsvector(const TypeRequest&);
Mapping map_enum(const TypeRequest&);
Mapping map_bit(const TypeRequest&);
Mapping map_varbit(const TypeRequest&);
Mapping map_bytea(const TypeRequest&);
Mapping map_unknown(const TypeRequest&);            // the text as bytes
Mapping map_unknown_geometric(const TypeRequest&);  // the same with Java's spelling of numbers

// mapping_decimal.cc
Mapping map_numeric(const TypeRequest&);
Mapping map_money(const TypeRequest&);

// mapping_temporal.cc
Mapping map_date(const TypeRequest&);
Mapping map_time(const TypeRequest&);
Mapping map_timestamp(const TypeRequest&);
Mapping map_timestamptz(const TypeRequest&);
Mapping map_timetz(const TypeRequest&);
Mapping map_interval(const TypeRequest&);

// mapping_structured.cc
Mapping map_hstore(const TypeRequest&);
Mapping map_point(const TypeRequest&);
Mapping map_geometry(const TypeRequest&);
Mapping map_geography(const TypeRequest&);
Mapping map_vector(const TypeRequest&);
Mapping map_halfvec(const TypeRequest&);
Mapping map_sparsevec(const TypeRequest&);

}  // namespace cdc::pg
