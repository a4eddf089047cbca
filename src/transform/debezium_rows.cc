// Debezium's transforms and their options, as data.
#include "transform/debezium.h"

namespace cdc::transform {
namespace {

using enum OptionKind;

constexpr OptionRow kUnwrap[] = {
    {"delete.tombstone.handling.mode", choice, "tombstone",
     "drop|tombstone|rewrite|rewrite-with-tombstone|delete-to-tombstone"},
    {"add.fields", list},
    {"add.headers", list},
    {"add.fields.prefix", text, "__"},
    {"add.headers.prefix", text, "__"},
    {"route.by.field", text},
    {"drop.fields.header.name", text},
    {"drop.fields.from.key", boolean, "false"},
    {"drop.fields.keep.schema.compatible", boolean, "true"},
    {"replace.null.with.default", boolean, "true"},
};
constexpr OptionRow kChangedState[] = {{"header.changed.name", text}, {"header.unchanged.name", text}};
constexpr OptionRow kLogicalRouter[] = {
    {"topic.regex", regex, {}, {}, true},
    {"topic.replacement", text, {}, {}, true},
    {"key.enforce.uniqueness", boolean, "true"},
    {"key.field.name", text, "__dbz__physicalTableIdentifier"},
    {"key.field.regex", regex},
    {"key.field.replacement", text},
    {"schema.name.adjustment.mode", choice, "none", "none|avro|avro_unicode"},
    {"logical.table.cache.size", integer, "16"},
};
constexpr OptionRow kOutbox[] = {
    {"table.op.invalid.behavior", choice, "warn", "warn|error|fatal"},
    {"table.field.event.id", text, "id"},
    {"table.field.event.key", text, "aggregateid"},
    {"table.field.event.type", text, "type"},
    {"table.field.event.timestamp", text},
    {"table.field.event.payload", text, "payload"},
    {"table.field.event.schema.version", text},
    {"table.fields.additional.placement", list},
    {"table.field.additional.missing", choice, "error", "error|ignore"},
    {"table.expand.json.payload", boolean, "false"},
    {"table.json.payload.null.behavior", choice, "ignore", "ignore|optional_bytes"},
    {"route.by.field", text, "aggregatetype"},
    {"route.topic.regex", regex, "(?<routedByValue>.*)"},
    {"route.topic.replacement", text, "outbox.event.${routedByValue}"},
    {"route.tombstone.on.empty.payload", boolean, "false"},
};
constexpr OptionRow kHeaderToValue[] = {{"headers", list, {}, {}, true},
                                        {"fields", list, {}, {}, true},
                                        {"operation", choice, {}, "move|copy", true}};
constexpr OptionRow kTimezone[] = {
    {"converted.timezone", text, {}, {}, true}, {"include.list", list}, {"exclude.list", list}};
constexpr OptionRow kSchemaChangeFilter[] = {{"schema.change.event.exclude.list", list, {}, {}, true}};
constexpr OptionRow kRecordSize[] = {{"max.bytes", integer, {}, {}, true},
                                     {"compression.ratio", number, "1.0"},
                                     {"min.field.size", integer, "25000"}};
constexpr OptionRow kGeometryFormat[] = {{"srids", list}};
constexpr OptionRow kPartitionRouting[] = {{"partition.payload.fields", list, {}, {}, true},
                                           {"partition.topic.num", integer, {}, {}, true},
                                           {"partition.hash.function", choice, "java", "java|murmur"}};
constexpr OptionRow kDecodeMessage[] = {{"fields.null.include", boolean, "false"}};
constexpr OptionRow kFilter[] = {{"condition", text, {}, {}, true},
                                 {"language", text},
                                 {"topic.regex", regex},
                                 {"null.handling.mode", choice, "keep", "keep|drop|evaluate"}};
constexpr OptionRow kContentRouter[] = {{"topic.expression", text, {}, {}, true},
                                        {"language", text},
                                        {"topic.regex", regex},
                                        {"null.handling.mode", choice, "keep", "keep|drop|evaluate"}};
constexpr OptionRow kTimescale[] = {
    {"schema.list", list, "_timescaledb_internal"},
    {"target.topic.prefix", text, "timescaledb"},
    {"database.hostname", text},
    {"database.port", text},
    {"database.user", text},
    {"database.password", text},
    {"database.dbname", text},
    {"database.sslmode", text},
};

constexpr TransformRow kRows[] = {
    {"io.debezium.transforms.ExtractNewRecordState", make_unwrap, kUnwrap},
    {"io.debezium.transforms.ExtractChangedRecordState", make_changed_state, kChangedState},
    {"io.debezium.transforms.ExtractSchemaToNewRecord", make_source_schema},
    {"io.debezium.transforms.ByLogicalTableRouter", make_logical_router, kLogicalRouter},
    {"io.debezium.transforms.outbox.EventRouter", make_outbox, kOutbox},
    {"io.debezium.transforms.HeaderToValue", make_header_to_value, kHeaderToValue},
    {"io.debezium.transforms.TimezoneConverter", make_timezone, kTimezone},
    {"io.debezium.transforms.SchemaChangeEventFilter", make_schema_change_filter, kSchemaChangeFilter},
    {"io.debezium.transforms.EnforceRecordSize", make_record_size, kRecordSize},
    {"io.debezium.transforms.GeometryFormatTransformer", make_geometry_format, kGeometryFormat},
    {"io.debezium.transforms.SwapGeometryCoordinates", make_swap_geometry},
    {"io.debezium.transforms.VectorToJsonConverter", make_vector_to_json},
    {"io.debezium.transforms.ReadToInsertEvent", make_read_to_insert},
    {"io.debezium.transforms.partitions.PartitionRouting", make_partition_routing, kPartitionRouting},
    {"io.debezium.transforms.Filter", make_script_filter, kFilter},
    {"io.debezium.transforms.ContentBasedRouter", make_content_router, kContentRouter},
    {"io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent", make_decode_message,
     kDecodeMessage},
    {"io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb", make_timescale, kTimescale},
};

}  // namespace

std::span<const TransformRow> debezium_transforms() { return kRows; }

}  // namespace cdc::transform
