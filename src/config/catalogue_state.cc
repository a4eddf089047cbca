// Catalogue: where the position and the schema history are kept.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"state", path, "", "", implemented,
     "Where the position is kept: *.db (SQLite), *.json, or none; default $XDG_STATE_HOME/cdc/NAME.db"},
    {"offset.storage", class_name, "", "", no_effect, "Debezium's offset store",
     "positions are kept in `state`; `cdc offsets import` takes a store's file over"},
    {"offset.storage.file.filename", path, "", "", adapted, "File of Debezium's offset store",
     "not written; `cdc offsets import` takes it over"},
    {"offset.flush.interval.ms", milliseconds, "1000", "0..", implemented,
     "Longest time between two commits of output and position (Debezium: 60000)"},
    {"offset.flush.bytes", size, "64M", "1..", implemented, "Most output between two commits"},
    {"offset.flush.timeout.ms", milliseconds, "5000", "1..", implemented,
     "Longest time one commit may take before a warning"},
    {"offset.commit.policy", class_name, "",
     "periodic=io.debezium.engine.spi.OffsetCommitPolicy$PeriodicCommitOffsetPolicy|"
     "always=io.debezium.engine.spi.OffsetCommitPolicy$AlwaysCommitOffsetPolicy",
     adapted, "When the position is committed", "`always` commits after every batch"},
    {"offset.storage.<option>", text, "", "", no_effect, "Options of Debezium's other offset stores",
     "positions are kept in `state`"},
    {"schema.history.internal", class_name, "",
     "sqlite|file=io.debezium.storage.file.history.FileSchemaHistory|"
     "memory=io.debezium.relational.history.MemorySchemaHistory|"
     "kafka=io.debezium.storage.kafka.history.KafkaSchemaHistory",
     implemented, "Where the schema history is kept", "", historized},
    {"schema.history.internal.file.filename", path, "", "", implemented, "File of the schema history", "",
     historized},
    {"schema.history.internal.skip.unparseable.ddl", boolean, "false", "", implemented,
     "Go on when a DDL statement is not understood", "", historized},
    {"schema.history.internal.store.only.captured.tables.ddl", boolean, "false", "", implemented,
     "Keep the structure of captured tables only", "", historized},
    {"schema.history.internal.store.only.captured.databases.ddl", boolean, "false", "", implemented,
     "Keep the structure of captured databases only", "", historized},
    {"schema.history.internal.prefer.ddl", boolean, "false", "", implemented,
     "Recover from the statements, not from the recorded structures", "", historized},
    {"schema.history.internal.ddl.filter", regex_list, "", "", implemented, "Statements to pass over", "",
     historized},
    {"schema.history.internal.memory.optimization", enumeration, "off", "off|on|shared", no_effect,
     "How structures are kept in memory", "they are always compact", historized},
    {"schema.history.internal.kafka.<option>", text, "", "", ignored_without_kafka,
     "Options of the schema history in Kafka", "", historized},
    {"schema.history.internal.<option>", text, "", "", ignored_without_kafka,
     "Options of other schema history stores", "", historized},
    {"memory.management.<option>", text, "", "", no_effect, "Java stores for table structures",
     "cdc's own is compact"},
};

}  // namespace

std::span<const Property> state_properties() { return rows; }

}  // namespace cdc::config
