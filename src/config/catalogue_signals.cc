// Catalogue: signals, incremental snapshots, notifications.
#include "config/catalogue.h"
#include "config/checks.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"signal.data.collection", list, "", "", implemented, "Table whose new rows are signals: schema.table"},
    {"signal.enabled.channels", enum_list, "source", "source|file|in-process|kafka|jmx", implemented,
     "Where signals come from"},
    {"signal.poll.interval.ms", milliseconds, "5000", "1..", implemented,
     "How often the other channels are looked at"},
    {"signal.file", path, "file-signals.txt", "", implemented,
     "File of the file channel, one JSON signal a line"},
    {"incremental.snapshot.chunk.size", integer, "1024", "1..", implemented,
     "Rows of one chunk of an incremental snapshot"},
    {"incremental.snapshot.watermarking.strategy", enumeration, "insert_insert",
     "insert_insert|insert_delete", implemented, "How the window of a chunk is marked in the signal table"},
    {"incremental.snapshot.allow.schema.changes", boolean, "false", "", no_effect,
     "Allow changes of structure during an incremental snapshot", "it needs a schema history", all_sources},
    {"read.only", boolean, "false", "", implemented,
     "Incremental snapshots without writing to the signal table", "", postgresql | mysql | mariadb},
    {"notification.enabled.channels", enum_list, "", "sink|log|jmx", implemented,
     "Where notifications about snapshots go: sink is a topic in the output"},
    {"notification.sink.topic.name", text, "", "", implemented, "Topic of notifications"},
    {"signal.kafka.topic", text, "", "", ignored_without_kafka, "Topic of the Kafka signal channel"},
    {"signal.kafka.groupId", text, "", "", ignored_without_kafka,
     "Consumer group of the Kafka signal channel"},
    {"signal.kafka.bootstrap.servers", text, "", "", ignored_without_kafka,
     "Brokers of the Kafka signal channel"},
    {"signal.kafka.poll.timeout.ms", text, "", "", ignored_without_kafka,
     "Poll timeout of the Kafka signal channel"},
    {"signal.consumer.<option>", text, "", "", ignored_without_kafka,
     "Consumer options of the Kafka signal channel"},
};

}  // namespace

std::span<const Property> signal_properties() { return rows; }

}  // namespace cdc::config
