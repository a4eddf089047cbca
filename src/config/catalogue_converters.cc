// Catalogue: Connect's converters, as far as they decide about the JSON.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr std::string_view converter_classes =
    "json=org.apache.kafka.connect.json.JsonConverter|"
    "cloudevents=io.debezium.converters.CloudEventsConverter|"
    "avro=io.confluent.connect.avro.AvroConverter|"
    "apicurio=io.apicurio.registry.utils.converter.AvroConverter|"
    "extjson=io.apicurio.registry.utils.converter.ExtJsonConverter|"
    "protobuf=io.confluent.connect.protobuf.ProtobufConverter|"
    "jsonschema=io.confluent.connect.json.JsonSchemaConverter|"
    "string=org.apache.kafka.connect.storage.StringConverter|"
    "bytes=io.debezium.converters.ByteArrayConverter|"
    "binary=io.debezium.converters.BinaryDataConverter|"
    "jsonbytearray=org.apache.kafka.connect.converters.ByteArrayConverter";
// A Connect worker's default for headers; its JSON is that of JsonConverter without schemas.
constexpr std::string_view header_classes =
    "json=org.apache.kafka.connect.json.JsonConverter|simple=org.apache.kafka.connect.storage."
    "SimpleHeaderConverter";

constexpr Property rows[] = {
    {"key.converter", class_name, "json", converter_classes, implemented, "How keys are written"},
    {"key.converter.schemas.enable", boolean, "false", "", implemented,
     "Write the schema of each key (Debezium: true)"},
    {"key.converter.decimal.format", enumeration, "BASE64", "BASE64|NUMERIC", implemented,
     "How Connect decimals in keys are written"},
    {"key.converter.replace.null.with.default", boolean, "false", "", implemented,
     "Print a column's default where NULL is stored (Debezium: true)"},
    {"value.converter", class_name, "json", converter_classes, implemented, "How values are written"},
    {"value.converter.schemas.enable", boolean, "false", "", implemented,
     "Write the schema of each value (Debezium: true)"},
    {"value.converter.decimal.format", enumeration, "BASE64", "BASE64|NUMERIC", implemented,
     "How Connect decimals in values are written"},
    {"value.converter.replace.null.with.default", boolean, "false", "", implemented,
     "Print a column's default where NULL is stored (Debezium: true)"},
    {"header.converter", class_name, "json", header_classes, implemented, "How headers are written"},
    {"header.converter.schemas.enable", boolean, "false", "", implemented,
     "Write the schema of each header (Debezium: true)"},
    {"header.converter.decimal.format", enumeration, "BASE64", "BASE64|NUMERIC", implemented,
     "How Connect decimals in headers are written"},
    {"header.converter.replace.null.with.default", boolean, "false", "", implemented,
     "Print a default where a key in a header has null; unless set, as keys do (Debezium: true)"},
    {"value.converter.serializer.type", enumeration, "json", "json|avro", implemented,
     "CloudEvents: form of the envelope"},
    {"value.converter.data.serializer.type", enumeration, "json", "json|avro", implemented,
     "CloudEvents: form of the data"},
    {"value.converter.json.schemas.enable", boolean, "true", "", implemented,
     "CloudEvents: write the schema of the data"},
    {"value.converter.json.decimal.format", enumeration, "BASE64", "BASE64|NUMERIC", implemented,
     "CloudEvents: how decimals are written"},
    {"value.converter.json.replace.null.with.default", boolean, "false", "", implemented,
     "CloudEvents: print a column's default where NULL is stored (Debezium: true)"},
    {"value.converter.extension.attributes.enable", boolean, "true", "", implemented,
     "CloudEvents: source fields as extension attributes"},
    {"value.converter.opentelemetry.tracing.attributes.enable", boolean, "false", "", no_effect,
     "CloudEvents: tracing attributes", "cdc does not trace"},
    {"value.converter.schema.name.adjustment.mode", enumeration, "none", "none|avro|avro_unicode", no_effect,
     "CloudEvents: make schema names valid for Avro", "the names of that form are valid"},
    {"value.converter.schema.cloudevents.name", text, "", "", no_effect, "CloudEvents: name of the schema",
     "JSON has no schema of the event as such"},
    {"value.converter.metadata.source", text,
     "value,id:generate,type:generate,traceparent:header,dataSchemaName:generate", "", implemented,
     "CloudEvents: where the attributes come from"},
    {"key.converter.schemas.cache.size", integer, "1000", "0..", no_effect, "Size of a cache",
     "schemas are kept with the table"},
    {"value.converter.schemas.cache.size", integer, "1000", "0..", no_effect, "Size of a cache",
     "schemas are kept with the table"},
    {"header.converter.schemas.cache.size", integer, "1000", "0..", no_effect, "Size of a cache",
     "schemas are kept with the table"},
    {"key.converter.<option>", text, "", "", no_effect, "Options of other converters", "cdc writes JSON"},
    {"value.converter.<option>", text, "", "", no_effect, "Options of other converters", "cdc writes JSON"},
    {"header.converter.<option>", text, "", "", no_effect, "Options of other converters", "cdc writes JSON"},
};

}  // namespace

std::span<const Property> converter_properties() { return rows; }

}  // namespace cdc::config
