// Catalogue: single values that are treated otherwise than their property, and old names.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Disposition;

constexpr std::string_view other_server = "this version captures from PostgreSQL only";
constexpr std::string_view only_json =
    "is not what cdc writes, which is JSON: set it to json, or leave it out";

constexpr ValueRule values[] = {
    {"connector.class", "mysql", not_yet, other_server},
    {"connector.class", "mariadb", not_yet, other_server},
    {"connector.class", "mongodb", not_yet, other_server},
    {"connector.class", "oracle", not_yet, other_server},
    {"connector.class", "vitess", not_yet, other_server},
    {"source", "mysql", not_yet, other_server},
    {"source", "mariadb", not_yet, other_server},
    {"source", "mongodb", not_yet, other_server},
    {"source", "oracle", not_yet, other_server},
    {"source", "vitess", not_yet, other_server},
    {"plugin.name", "wal2json", refused,
     "was removed from Debezium; the plugins are pgoutput and decoderbufs"},
    {"plugin.name", "wal2json_streaming", refused,
     "was removed from Debezium; the plugins are pgoutput and decoderbufs"},
    // Names of former versions (CORE-SNAP-02).
    {"snapshot.mode", "never", refused, "is called no_data now"},
    {"snapshot.mode", "schema_only", refused, "is called no_data now"},
    {"snapshot.mode", "initial_schema_only", refused, "is called no_data now"},
    {"snapshot.mode", "schema_only_recovery", refused, "is called recovery now"},
    {"snapshot.mode", "exported", refused, "is what initial does now: use initial"},
    {"snapshot.mode", "recovery", refused,
     "rebuilds a schema history, which this source does not have: use initial, when_needed or no_data"},
    {"snapshot.locking.mode", "custom", refused,
     "needs a Java class, which cannot be loaded: use shared or none"},
    {"snapshot.query.mode", "custom", refused,
     "needs a Java class, which cannot be loaded: use snapshot.select.statement.overrides"},
    {"signal.enabled.channels", "kafka", refused, "needs Kafka: use the file or the source channel"},
    {"signal.enabled.channels", "jmx", refused, "needs a Java virtual machine: use file, with `cdc signal`"},
    {"signal.enabled.channels", "in-process", adapted,
     "is for Java programs; `cdc signal` writes to the signal table or the file of the file channel"},
    {"notification.enabled.channels", "jmx", refused,
     "needs a Java virtual machine: use log, sink or `stats`"},
    {"source.struct.version", "v1", refused, "was removed from Debezium: leave it out"},
    {"database.sslfactory", "NonValidatingFactory", adapted,
     "certificates are not checked: database.sslmode=require says the same"},
    {"key.converter", "avro", refused, only_json},
    {"key.converter", "apicurio", refused, only_json},
    {"key.converter", "extjson", refused, only_json},
    {"key.converter", "protobuf", refused, only_json},
    {"key.converter", "jsonschema", refused, only_json},
    {"key.converter", "string", refused, only_json},
    {"key.converter", "bytes", refused, only_json},
    {"key.converter", "binary", refused, only_json},
    {"key.converter", "cloudevents", refused, "is a form of values: set value.converter"},
    {"key.converter", "jsonbytearray", adapted, "the same text as json", "json"},
    {"value.converter", "avro", refused, only_json},
    {"value.converter", "apicurio", refused, only_json},
    {"value.converter", "extjson", refused, only_json},
    {"value.converter", "protobuf", refused, only_json},
    {"value.converter", "jsonschema", refused, only_json},
    {"value.converter", "string", refused, only_json},
    {"value.converter", "bytes", refused, only_json},
    {"value.converter", "binary", refused, only_json},
    {"value.converter", "jsonbytearray", adapted, "the same text as json", "json"},
    {"header.converter", "simple", adapted, "header values are written as JSON", "json"},
    {"value.converter.serializer.type", "avro", refused, "needs a schema registry: use json"},
    {"value.converter.data.serializer.type", "avro", refused, "needs a schema registry: use json"},
};

constexpr Alias names[] = {
    {"database.whitelist", "database.include.list"},
    {"database.blacklist", "database.exclude.list"},
    {"schema.whitelist", "schema.include.list"},
    {"schema.blacklist", "schema.exclude.list"},
    {"table.whitelist", "table.include.list"},
    {"table.blacklist", "table.exclude.list"},
    {"column.whitelist", "column.include.list"},
    {"column.blacklist", "column.exclude.list"},
    {"database.server.name", "topic.prefix"},
    {"database.history", "schema.history.internal"},
    {"database.history.<option>", "schema.history.internal.<option>"},
    {"sanitize.field.names", "field.name.adjustment.mode", "true=avro|false=none"},
    {"flush.lsn.source", "lsn.flush.mode", "true=connector|false=manual"},
    {"internal.slot.seek.to.known.offset.on.start", "offset.mismatch.strategy",
     "true=trust_offset|false=no_validation"},
    {"internal.legacy.snapshot.max.threads", "legacy.snapshot.max.threads"},
    {"heartbeat.topics.prefix", "topic.heartbeat.prefix"},
    {"toasted.value.placeholder", "unavailable.value.placeholder"},
    {"slot.drop_on_stop", "slot.drop.on.stop"},
    {"logical_decoding_message.prefix.include.list", "message.prefix.include.list"},
    {"logical_decoding_message.prefix.exclude.list", "message.prefix.exclude.list"},
    // JDBC's names of what libpq calls otherwise.
    {"driver.connectTimeout", "driver.connect_timeout", "", true},
    {"driver.gssEncMode", "driver.gssencmode", "", true},
    {"driver.kerberosServerName", "driver.krbsrvname", "", true},
    {"driver.channelBinding", "driver.channel_binding", "", true},
    {"driver.ApplicationName", "driver.application_name", "", true},
    {"driver.targetServerType", "driver.target_session_attrs",
     "any=any|primary=read-write|master=read-write|secondary=standby|slave=standby|preferSecondary=prefer-"
     "standby|"
     "preferSlave=prefer-standby|preferPrimary=any",
     true},
};

}  // namespace

std::span<const ValueRule> value_rules() { return values; }
std::span<const Alias> aliases() { return names; }

}  // namespace cdc::config
