// Catalogue: what existing configurations carry for Kafka, Kafka Connect, Debezium Server and the JVM.
// Nothing here changes the events.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr std::string_view kafka = "Belongs to Kafka or Kafka Connect";
constexpr std::string_view jvm = "Belongs to the Java virtual machine";

constexpr Property rows[] = {
    {"topic.creation.<option>", text, "", "", ignored_without_kafka, kafka},
    {"bootstrap.servers", text, "", "", ignored_without_kafka, kafka},
    {"group.id", text, "", "", ignored_without_kafka, kafka},
    {"client.id", text, "", "", ignored_without_kafka, kafka},
    {"config.storage.<option>", text, "", "", ignored_without_kafka, kafka},
    {"status.storage.<option>", text, "", "", ignored_without_kafka, kafka},
    {"rest.<option>", text, "", "", ignored_without_kafka, kafka},
    {"listeners", text, "", "", ignored_without_kafka, kafka},
    {"producer.<option>", text, "", "", ignored_without_kafka, kafka},
    {"consumer.<option>", text, "", "", ignored_without_kafka, kafka},
    {"admin.<option>", text, "", "", ignored_without_kafka, kafka},
    {"security.protocol", text, "", "", ignored_without_kafka, kafka},
    {"sasl.<option>", text, "", "", ignored_without_kafka, kafka},
    {"ssl.<option>", text, "", "", ignored_without_kafka, kafka},
    {"errors.tolerance", text, "", "", ignored_without_kafka, kafka},
    {"errors.log.enable", text, "", "", ignored_without_kafka, kafka},
    {"errors.log.include.messages", text, "", "", ignored_without_kafka, kafka},
    {"errors.retry.timeout", text, "", "", ignored_without_kafka, kafka},
    {"errors.retry.delay.max", text, "", "", ignored_without_kafka, kafka},
    {"errors.deadletterqueue.<option>", text, "", "", ignored_without_kafka, kafka},
    {"exactly.once.<option>", text, "", "", ignored_without_kafka, kafka},
    {"transaction.boundary", text, "", "", ignored_without_kafka, kafka},
    {"transaction.boundary.interval.ms", text, "", "", ignored_without_kafka, kafka},
    {"offsets.storage.topic", text, "", "", ignored_without_kafka, kafka},
    {"config.action.reload", text, "", "", ignored_without_kafka, kafka},
    {"config.providers", text, "", "", ignored_without_kafka, kafka},
    {"config.providers.<option>", text, "", "", ignored_without_kafka, kafka},
    {"plugin.path", text, "", "", no_effect, jvm, "nothing is loaded"},
    {"plugin.discovery", text, "", "", no_effect, jvm, "nothing is loaded"},
    {"queue.provider.type", text, "memory", "", no_effect, jvm, "there is one queue"},
    {"openlineage.integration.enabled", boolean, "false", "", no_effect, "Reports lineage to OpenLineage",
     "cdc has no lineage client"},
    {"openlineage.<option>", text, "", "", no_effect, "Reports lineage to OpenLineage",
     "cdc has no lineage client"},
    {"internal.advanced.metrics.enable", boolean, "false", "", no_effect, jvm, "cdc has its own metrics"},
    {"internal.implementation", text, "", "", no_effect, jvm, "there is one implementation"},
    {"debezium.embedded.shutdown.pause.before.interrupt.ms", text, "", "", no_effect, jvm,
     "executor.shutdown.timeout.ms bounds an orderly stop"},
    {"source.struct.version", text, "v2", "v2", no_effect, "Version of the source block",
     "v2 is the only one"},
};

}  // namespace

std::span<const Property> foreign_properties() { return rows; }

}  // namespace cdc::config
