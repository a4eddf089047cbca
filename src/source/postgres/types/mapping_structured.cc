// Types that become structs, maps and vectors: hstore, point, PostGIS, pgvector (4.1, 4.5).
#include "json/json_text.h"
#include "source/postgres/types/mapping.h"
#include "source/postgres/values/hstore.h"
#include "source/postgres/values/spatial.h"
#include "source/postgres/values/vector.h"

namespace cdc::pg {
namespace {

SchemaPtr documented_struct(std::string name, std::string doc, std::vector<Field> fields) {
  auto schema = std::make_shared<Schema>(*struct_of(std::move(name), 1, false, std::move(fields)));
  schema->doc = std::move(doc);
  return schema;
}

SchemaPtr map_of(SchemaPtr keys, SchemaPtr values) {
  auto schema = std::make_shared<Schema>();
  schema->type = Type::map;
  schema->keys = std::move(keys);
  schema->values = std::move(values);
  return schema;
}

SchemaPtr named_array(std::string name, Type element) {
  auto schema = std::make_shared<Schema>(*array_of(make(element, false), false));
  schema->name = std::move(name);
  schema->version = 1;
  return schema;
}

Mapping ewkb(std::string name, std::string doc) {
  Mapping m;
  m.schema = documented_struct("io.debezium.data.geometry." + std::move(name), std::move(doc),
                               {{"wkb", make(Type::bytes, false)}, {"srid", make(Type::int32, true)}});
  m.encode = encode_with<append_ewkb>;
  m.fallback_json = R"({"wkb":"AQcAAAAAAAAA","srid":null})";  // an empty collection
  return m;
}

Mapping vector_of(std::string name, Type element, EncodeFn encode) {
  Mapping m;
  m.schema = named_array(std::move(name), element);
  m.encode = encode;
  m.fallback_json = "[]";
  return m;
}

// {"P":"P"}, as an object or as a string that holds it.
std::string placeholder_object(const TypeModes& modes) {
  const std::string word = json_string(modes.unavailable);
  const std::string object = "{" + word + ":" + word + "}";
  return modes.hstore == HstoreForm::map ? object : json_string(object);
}

}  // namespace

Mapping map_hstore(const TypeRequest& request) {
  Mapping m;
  if (request.modes.hstore == HstoreForm::json) {
    m.schema = named(Type::string, "io.debezium.data.Json", false);
    m.encode = encode_as<append_hstore, HstoreForm::json>;
    m.fallback_json = "\"{}\"";
  } else {
    m.schema = map_of(make(Type::string, false), make(Type::string, true));
    m.encode = encode_as<append_hstore, HstoreForm::map>;
    m.fallback_json = "{}";
  }
  m.unavailable_json = placeholder_object(request.modes);
  return m;
}

Mapping map_point(const TypeRequest&) {
  Mapping m;
  m.schema = documented_struct("io.debezium.data.geometry.Point", "Geometry (POINT)",
                               {{"x", make(Type::float64, false)},
                                {"y", make(Type::float64, false)},
                                {"wkb", make(Type::bytes, true)},
                                {"srid", make(Type::int32, true)}});
  m.encode = encode_with<append_point>;
  m.fallback_json = R"({"x":0.0,"y":0.0,"wkb":"AQEAAAAAAAAAAAAAAAAAAAAAAAAA","srid":null})";
  return m;
}

Mapping map_geometry(const TypeRequest&) {
  Mapping m = ewkb("Geometry", "Geometry");
  m.always_optional = true;
  return m;
}
Mapping map_geography(const TypeRequest&) { return ewkb("Geography", "Geography"); }

Mapping map_vector(const TypeRequest&) {
  return vector_of("io.debezium.data.DoubleVector", Type::float64, encode_with<append_vector>);
}
Mapping map_halfvec(const TypeRequest&) {
  return vector_of("io.debezium.data.FloatVector", Type::float32, encode_with<append_halfvec>);
}

Mapping map_sparsevec(const TypeRequest&) {
  Mapping m;
  m.schema = documented_struct("io.debezium.data.SparseDoubleVector", "Sparse double vector",
                               {{"dimensions", make(Type::int16, false)},
                                {"vector", map_of(make(Type::int16, false), make(Type::float64, false))}});
  m.encode = encode_with<append_sparsevec>;
  m.fallback_json = R"({"dimensions":0,"vector":[]})";
  m.no_form_hint = "an index or the dimensions of a sparsevec above 32767 do not fit the schema";
  return m;
}

}  // namespace cdc::pg
