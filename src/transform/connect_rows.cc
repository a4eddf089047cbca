// Connect's transforms and their options, as data.
#include "transform/connect.h"

namespace cdc::transform {
namespace {

using enum OptionKind;

constexpr OptionRow kNulls{"replace.null.with.default", boolean, "true"};

constexpr OptionRow kRegexRouter[] = {{"regex", regex, {}, {}, true}, {"replacement", text, {}, {}, true}};
constexpr OptionRow kTimestampRouter[] = {{"topic.format", text, "${topic}-${timestamp}"},
                                          {"timestamp.format", text, "yyyyMMdd"}};
constexpr OptionRow kReplaceField[] = {{"include", list}, {"exclude", list}, {"renames", list}, kNulls};
constexpr OptionRow kInsertField[] = {{"topic.field", text},
                                      {"partition.field", text},
                                      {"offset.field", text},
                                      {"timestamp.field", text},
                                      {"static.field", text},
                                      {"static.value", text},
                                      kNulls};
constexpr OptionRow kMaskField[] = {{"fields", list, {}, {}, true}, {"replacement", text}, kNulls};
constexpr OptionRow kCast[] = {{"spec", list, {}, {}, true}, kNulls};
constexpr OptionRow kExtractField[] = {
    {"field", text, {}, {}, true}, {"field.syntax.version", choice, "V1", "V1|V2"}, kNulls};
constexpr OptionRow kHoistField[] = {{"field", text, {}, {}, true}};
constexpr OptionRow kHeaderFrom[] = {{"fields", list, {}, {}, true},
                                     {"headers", list, {}, {}, true},
                                     {"operation", choice, {}, "move|copy", true},
                                     kNulls};
constexpr OptionRow kSchemaMetadata[] = {{"schema.name", text}, {"schema.version", integer}, kNulls};
constexpr OptionRow kTimestampConverter[] = {
    {"field", text},
    {"target.type", choice, {}, "string|unix|Date|Time|Timestamp", true},
    {"format", text},
    {"unix.precision", choice, "milliseconds", "seconds|milliseconds|microseconds|nanoseconds"},
    kNulls};
constexpr OptionRow kFlatten[] = {{"delimiter", text, "."}};
constexpr OptionRow kValueToKey[] = {{"fields", list, {}, {}, true}, kNulls};
constexpr OptionRow kInsertHeader[] = {{"header", text, {}, {}, true}, {"value.literal", text, {}, {}, true}};
constexpr OptionRow kDropHeaders[] = {{"headers", list, {}, {}, true}};

constexpr TransformRow kRows[] = {
    {"org.apache.kafka.connect.transforms.RegexRouter", make_regex_router, kRegexRouter},
    {"org.apache.kafka.connect.transforms.TimestampRouter", make_timestamp_router, kTimestampRouter},
    {"org.apache.kafka.connect.transforms.ReplaceField$Key", make_replace_field, kReplaceField, Side::key},
    {"org.apache.kafka.connect.transforms.ReplaceField$Value", make_replace_field, kReplaceField},
    {"org.apache.kafka.connect.transforms.InsertField$Key", make_insert_field, kInsertField, Side::key},
    {"org.apache.kafka.connect.transforms.InsertField$Value", make_insert_field, kInsertField},
    {"org.apache.kafka.connect.transforms.MaskField$Key", make_mask_field, kMaskField, Side::key},
    {"org.apache.kafka.connect.transforms.MaskField$Value", make_mask_field, kMaskField},
    {"org.apache.kafka.connect.transforms.Cast$Key", make_cast, kCast, Side::key},
    {"org.apache.kafka.connect.transforms.Cast$Value", make_cast, kCast},
    {"org.apache.kafka.connect.transforms.ExtractField$Key", make_extract_field, kExtractField, Side::key},
    {"org.apache.kafka.connect.transforms.ExtractField$Value", make_extract_field, kExtractField},
    {"org.apache.kafka.connect.transforms.HoistField$Key", make_hoist_field, kHoistField, Side::key},
    {"org.apache.kafka.connect.transforms.HoistField$Value", make_hoist_field, kHoistField},
    {"org.apache.kafka.connect.transforms.HeaderFrom$Key", make_header_from, kHeaderFrom, Side::key},
    {"org.apache.kafka.connect.transforms.HeaderFrom$Value", make_header_from, kHeaderFrom},
    {"org.apache.kafka.connect.transforms.SetSchemaMetadata$Key", make_schema_metadata, kSchemaMetadata,
     Side::key},
    {"org.apache.kafka.connect.transforms.SetSchemaMetadata$Value", make_schema_metadata, kSchemaMetadata},
    {"org.apache.kafka.connect.transforms.TimestampConverter$Key", make_timestamp_converter,
     kTimestampConverter, Side::key},
    {"org.apache.kafka.connect.transforms.TimestampConverter$Value", make_timestamp_converter,
     kTimestampConverter},
    {"org.apache.kafka.connect.transforms.Flatten$Key", make_flatten, kFlatten, Side::key},
    {"org.apache.kafka.connect.transforms.Flatten$Value", make_flatten, kFlatten},
    {"org.apache.kafka.connect.transforms.ValueToKey", make_value_to_key, kValueToKey},
    {"org.apache.kafka.connect.transforms.InsertHeader", make_insert_header, kInsertHeader},
    {"org.apache.kafka.connect.transforms.DropHeaders", make_drop_headers, kDropHeaders},
    {"org.apache.kafka.connect.transforms.Filter", make_drop_all},
};

}  // namespace

std::span<const TransformRow> connect_transforms() { return kRows; }

}  // namespace cdc::transform
