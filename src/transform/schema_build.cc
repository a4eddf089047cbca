// Copies of schemas with something changed.
#include "transform/schema_build.h"

#include <fmt/format.h>

namespace cdc::transform {

Schema basics_of(const Schema& from) {
  Schema s;
  s.type = from.type;
  s.name = from.name;
  s.version = from.version;
  s.doc = from.doc;
  s.parameters = from.parameters;
  return s;
}

SchemaPtr optional_copy(const Schema& from) {
  Schema s = from;
  s.optional = true;
  s.default_json.reset();
  return share(std::move(s));
}

SchemaPtr renamed(const Schema& from, std::string name) {
  Schema s = from;
  s.name = std::move(name);
  return share(std::move(s));
}

int field_index(const Schema& schema, std::string_view name) {
  for (std::size_t i = 0; i < schema.fields.size(); ++i)
    if (schema.fields[i].name == name) return static_cast<int>(i);
  return -1;
}

const Field* find_field(const Schema& schema, std::string_view name) {
  const int i = field_index(schema, name);
  return i < 0 ? nullptr : &schema.fields[static_cast<std::size_t>(i)];
}

Result<void> add_field(Schema& schema, std::string name, SchemaPtr type) {
  if (find_field(schema, name) != nullptr)
    return fail(ErrorKind::event, fmt::format("there is a field '{}' already", name),
                "Give the added field another name, or leave the column out");
  schema.fields.push_back({std::move(name), std::move(type)});
  return {};
}

SchemaPtr share(Schema schema) { return std::make_shared<const Schema>(std::move(schema)); }

bool is_envelope(const Schema* schema) {
  return schema != nullptr && std::string_view(schema->name).ends_with(".Envelope");
}

}  // namespace cdc::transform
