// Reading the event room's options from the configuration.
#include "event/event_options.h"

#include <algorithm>

namespace cdc {
namespace {

NameAdjustment adjustment(const std::string& mode) {
  if (mode == "avro") return NameAdjustment::avro;
  if (mode == "avro_unicode") return NameAdjustment::avro_unicode;
  return NameAdjustment::none;
}

FailureMode failure_mode(const std::string& mode) {
  if (mode == "fail") return FailureMode::fail;
  return mode == "warn" ? FailureMode::warn : FailureMode::skip;
}

}  // namespace

EventOptions event_options(const Config& config) {
  EventOptions o;
  o.prefix = config.text("topic.prefix");
  o.database = config.text("database.dbname");
  o.connector = config.source();
  o.key_schemas = config.boolean("key.converter.schemas.enable");
  o.value_schemas = config.boolean("value.converter.schemas.enable");
  o.header_schemas = config.boolean("header.converter.schemas.enable");
  o.key_null_to_default = config.boolean("key.converter.replace.null.with.default");
  o.value_null_to_default = prints_value_defaults(config);
  constexpr std::string_view kHeaderNulls = "header.converter.replace.null.with.default";
  o.header_null_to_default =
      config.is_set(kHeaderNulls) ? config.boolean(kHeaderNulls) : o.key_null_to_default;
  o.tombstones = config.boolean("tombstones.on.delete");
  const auto skipped = config.list("skipped.operations");
  const auto skips = [&](const char* op) {
    return std::find(skipped.begin(), skipped.end(), op) != skipped.end();
  };
  o.skip_create = skips("c");
  o.skip_update = skips("u");
  o.skip_delete = skips("d");
  o.skip_truncate = skips("t");
  o.skip_unchanged = config.boolean("skip.messages.without.change");
  o.transaction_metadata = config.boolean("provide.transaction.metadata");
  // On by default in Debezium, but the same four texts on every line help nobody outside Kafka.
  o.extended_headers =
      config.is_set("extended.headers.enabled") && config.boolean("extended.headers.enabled");
  o.converting = failure_mode(config.text("event.converting.failure.handling.mode"));
  o.processing = failure_mode(config.text("event.processing.failure.handling.mode"));
  o.heartbeat = config.milliseconds("heartbeat.interval.ms");
  o.schema_names = adjustment(config.text("schema.name.adjustment.mode"));
  o.field_names = adjustment(config.text("field.name.adjustment.mode"));
  o.binary_mode = config.text("binary.handling.mode");
  return o;
}

}  // namespace cdc
