// Catalogue: transforms and predicates. The options of each transform are checked where it is built.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr std::string_view transform_classes =
    "io.debezium.transforms.ExtractNewRecordState|"
    "io.debezium.transforms.ExtractChangedRecordState|"
    "io.debezium.transforms.ExtractSchemaToNewRecord|"
    "io.debezium.transforms.ByLogicalTableRouter|"
    "io.debezium.transforms.outbox.EventRouter|"
    "io.debezium.transforms.HeaderToValue|"
    "io.debezium.transforms.TimezoneConverter|"
    "io.debezium.transforms.SchemaChangeEventFilter|"
    "io.debezium.transforms.EnforceRecordSize|"
    "io.debezium.transforms.GeometryFormatTransformer|"
    "io.debezium.transforms.SwapGeometryCoordinates|"
    "io.debezium.transforms.VectorToJsonConverter|"
    "io.debezium.transforms.ReadToInsertEvent|"
    "io.debezium.transforms.partitions.PartitionRouting|"
    "io.debezium.connector.postgresql.transforms.DecodeLogicalDecodingMessageContent|"
    "io.debezium.connector.postgresql.transforms.timescaledb.TimescaleDb|"
    "org.apache.kafka.connect.transforms.RegexRouter|"
    "org.apache.kafka.connect.transforms.TimestampRouter|"
    "org.apache.kafka.connect.transforms.ReplaceField$Key|"
    "org.apache.kafka.connect.transforms.ReplaceField$Value|"
    "org.apache.kafka.connect.transforms.InsertField$Key|"
    "org.apache.kafka.connect.transforms.InsertField$Value|"
    "org.apache.kafka.connect.transforms.MaskField$Key|"
    "org.apache.kafka.connect.transforms.MaskField$Value|"
    "org.apache.kafka.connect.transforms.Cast$Key|"
    "org.apache.kafka.connect.transforms.Cast$Value|"
    "org.apache.kafka.connect.transforms.ExtractField$Key|"
    "org.apache.kafka.connect.transforms.ExtractField$Value|"
    "org.apache.kafka.connect.transforms.HoistField$Key|"
    "org.apache.kafka.connect.transforms.HoistField$Value|"
    "org.apache.kafka.connect.transforms.HeaderFrom$Key|"
    "org.apache.kafka.connect.transforms.HeaderFrom$Value|"
    "org.apache.kafka.connect.transforms.SetSchemaMetadata$Key|"
    "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value|"
    "org.apache.kafka.connect.transforms.TimestampConverter$Key|"
    "org.apache.kafka.connect.transforms.TimestampConverter$Value|"
    "org.apache.kafka.connect.transforms.Flatten$Key|"
    "org.apache.kafka.connect.transforms.Flatten$Value|"
    "org.apache.kafka.connect.transforms.ValueToKey|"
    "org.apache.kafka.connect.transforms.InsertHeader|"
    "org.apache.kafka.connect.transforms.DropHeaders|"
    "org.apache.kafka.connect.transforms.Filter|"
    "io.debezium.transforms.Filter|"
    "io.debezium.transforms.ContentBasedRouter";

constexpr Property rows[] = {
    {"transforms", list, "", "", implemented,
     "Names of transforms, applied in this order, each with transforms.<name>.type"},
    {"transforms.<alias>.type", class_name, "", transform_classes, implemented,
     "The transform: Debezium's or Kafka Connect's class name, or its last part"},
    {"transforms.<alias>.predicate", text, "", "", implemented,
     "Apply it only to records this predicate holds for"},
    {"transforms.<alias>.negate", boolean, "false", "", implemented, "Apply it only to the others"},
    {"transforms.<alias>.<option>", text, "", "", implemented, "Options of the transform"},
    {"predicates", list, "", "", implemented, "Names of predicates, each with predicates.<name>.type"},
    {"predicates.<alias>.type", class_name, "",
     "org.apache.kafka.connect.transforms.predicates.TopicNameMatches|"
     "org.apache.kafka.connect.transforms.predicates.HasHeaderKey|"
     "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
     implemented, "The predicate"},
    {"predicates.<alias>.<option>", text, "", "", implemented, "Options of the predicate"},
};

}  // namespace

std::span<const Property> transform_properties() { return rows; }

}  // namespace cdc::config
