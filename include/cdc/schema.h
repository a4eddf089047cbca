// Connect schemas: the type system of the events (CORE-SCOPE-02). Immutable once shared.
// `default_json` is the default already rendered as a value of the schema (CORE-JSON-02).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cdc/buffer.h"

namespace cdc {

enum class Type : std::uint8_t {
  int8,
  int16,
  int32,
  int64,
  float32,
  float64,
  boolean,
  string,
  bytes,
  array,
  map,
  structure
};

struct Schema;
using SchemaPtr = std::shared_ptr<const Schema>;

struct Field {
  std::string name;
  SchemaPtr schema;
};

struct Schema {
  Type type = Type::string;
  bool optional = false;
  std::string name;                                             // empty: none
  std::optional<int> version;                                   // unset: no `version` member at all
  std::string doc;                                              // empty: none
  std::vector<std::pair<std::string, std::string>> parameters;  // insertion order counts
  std::optional<std::string> default_json;
  std::vector<Field> fields;  // structure
  SchemaPtr items;            // array
  SchemaPtr keys, values;     // map
};

// Short forms for building: make(Type::int64, optional) or named(Type::string, "io.debezium.data.Json",
// optional).
SchemaPtr make(Type type, bool optional);
SchemaPtr named(Type type, std::string name, bool optional, int version = 1);
SchemaPtr array_of(SchemaPtr items, bool optional);
SchemaPtr struct_of(std::string name, std::optional<int> version, bool optional, std::vector<Field> fields);
SchemaPtr with_optional(const SchemaPtr& schema, bool optional);

// Appends the JSON text of the schema (CORE-JSON-02); `field`, when not empty, is the last member.
void append_schema(Buffer& out, const Schema& schema, std::string_view field = {});
std::string schema_text(const Schema& schema);

}  // namespace cdc
