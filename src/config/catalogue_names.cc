// Catalogue: topic and schema names.
#include "config/catalogue.h"
#include "config/checks.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"topic.prefix", text, "", "", implemented,
     "Logical name of the server: first part of every topic and of the schema names; a new one starts a new "
     "position. Without connector.class its default is `name`, else the name of the database",
     "", all_sources, check::topic_characters},
    {"topic.naming.strategy", class_name, "",
     "io.debezium.schema.SchemaTopicNamingStrategy|io.debezium.schema.DefaultTopicNamingStrategy|"
     "io.debezium.schema.SchemaUnicodeTopicNamingStrategy|io.debezium.schema."
     "DefaultUnicodeTopicNamingStrategy|"
     "io.debezium.schema.SchemaRegexTopicNamingStrategy|io.debezium.schema.DefaultRegexTopicNamingStrategy",
     implemented, "How a table's topic is named; default: prefix, schema and table"},
    {"topic.delimiter", text, ".", "", implemented, "What stands between the parts of a topic name", "",
     all_sources, check::topic_characters},
    {"topic.cache.size", integer, "10000", "1..", no_effect, "Size of the cache of topic names",
     "topic names are kept with the table"},
    {"topic.heartbeat.prefix", text, "__debezium-heartbeat", "", implemented,
     "First part of the heartbeat topic", "", all_sources, check::topic_characters},
    {"topic.heartbeat.name", text, "", "", implemented, "Whole name of the heartbeat topic", "", all_sources,
     check::topic_characters_or_empty},
    {"topic.transaction", text, "transaction", "", implemented, "Last part of the transaction topic", "",
     all_sources, check::topic_characters},
    {"topic.regex", regex, "", "", implemented, "Names to reroute, for the regex naming strategies"},
    {"topic.replacement", text, "", "", implemented, "What such names become ($1, ${name})"},
    {"topic.key.enforce.uniqueness", boolean, "true", "", implemented,
     "Add a field to the key that keeps rows of different tables apart"},
    {"topic.key.field.name", text, "__dbz__physicalTableIdentifier", "", implemented, "Name of that field",
     "", all_sources, check::not_empty},
    {"topic.key.field.regex", regex, "", "", implemented, "Part of the topic that goes into that field"},
    {"topic.key.field.replacement", text, "", "", implemented, "What that part becomes"},
    {"schema.name.adjustment.mode", enumeration, "none", "none|avro|avro_unicode", implemented,
     "Make schema names valid for Avro"},
    {"field.name.adjustment.mode", enumeration, "none", "none|avro|avro_unicode", implemented,
     "Make field names valid for Avro"},
};

}  // namespace

std::span<const Property> name_properties() { return rows; }

}  // namespace cdc::config
