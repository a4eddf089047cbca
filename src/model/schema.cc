// Building Connect schemas and writing them as JSON (CORE-JSON-02).
#include "cdc/schema.h"

#include <array>

#include "json/json_text.h"

namespace cdc {
namespace {

constexpr std::array<std::string_view, 12> kTypeNames{"int8",  "int16",  "int32",   "int64",
                                                      "float", "double", "boolean", "string",
                                                      "bytes", "array",  "map",     "struct"};

void append_member(Buffer& out, std::string_view name, std::string_view text) {
  out.append(",\"");
  out.append(name);
  out.append("\":");
  json::append_string(out, text);
}

}  // namespace

SchemaPtr make(Type type, bool optional) {
  auto s = std::make_shared<Schema>();
  s->type = type;
  s->optional = optional;
  return s;
}

SchemaPtr named(Type type, std::string name, bool optional, int version) {
  auto s = std::make_shared<Schema>();
  s->type = type;
  s->optional = optional;
  s->name = std::move(name);
  s->version = version;
  return s;
}

SchemaPtr array_of(SchemaPtr items, bool optional) {
  auto s = std::make_shared<Schema>();
  s->type = Type::array;
  s->optional = optional;
  s->items = std::move(items);
  return s;
}

SchemaPtr struct_of(std::string name, std::optional<int> version, bool optional, std::vector<Field> fields) {
  auto s = std::make_shared<Schema>();
  s->type = Type::structure;
  s->optional = optional;
  s->name = std::move(name);
  s->version = version;
  s->fields = std::move(fields);
  return s;
}

SchemaPtr with_optional(const SchemaPtr& schema, bool optional) {
  if (schema->optional == optional) return schema;
  auto s = std::make_shared<Schema>(*schema);
  s->optional = optional;
  return s;
}

void append_schema(Buffer& out, const Schema& s, std::string_view field) {
  out.append("{\"type\":\"");
  out.append(kTypeNames[static_cast<std::size_t>(s.type)]);
  out.append("\"");
  if (s.type == Type::array) {
    out.append(",\"items\":");
    append_schema(out, *s.items);
  } else if (s.type == Type::map) {
    out.append(",\"keys\":");
    append_schema(out, *s.keys);
    out.append(",\"values\":");
    append_schema(out, *s.values);
  } else if (s.type == Type::structure) {
    out.append(",\"fields\":[");
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
      if (i > 0) out.push(',');
      append_schema(out, *s.fields[i].schema, s.fields[i].name);
    }
    out.push(']');
  }
  out.append(s.optional ? ",\"optional\":true" : ",\"optional\":false");
  if (!s.name.empty()) append_member(out, "name", s.name);
  if (s.version) {
    out.append(",\"version\":");
    json::append_int(out, *s.version);
  }
  if (!s.doc.empty()) append_member(out, "doc", s.doc);
  if (!s.parameters.empty()) {
    out.append(",\"parameters\":{");
    bool first = true;
    for (const auto& [key, value] : s.parameters) {
      if (!first) out.push(',');
      first = false;
      json::append_string(out, key);
      out.push(':');
      json::append_string(out, value);
    }
    out.push('}');
  }
  if (s.default_json) {
    out.append(",\"default\":");
    out.append(*s.default_json);
  }
  if (!field.empty()) append_member(out, "field", field);
  out.push('}');
}

std::string schema_text(const Schema& schema) {
  Buffer out;
  append_schema(out, schema);
  return std::string(out.view());
}

}  // namespace cdc
