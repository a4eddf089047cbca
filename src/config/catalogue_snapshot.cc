// Catalogue: initial snapshots.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"snapshot.mode", enumeration, "initial",
     "always|initial|initial_only|no_data|when_needed|configuration_based|custom|recovery|when_needed_no_"
     "data",
     implemented, "When the existing rows are read, and whether changes are streamed afterwards"},
    {"snapshot.mode.configuration.based.snapshot.data", boolean, "false", "", implemented,
     "configuration_based: read the rows at every start"},
    {"snapshot.mode.configuration.based.snapshot.schema", boolean, "false", "", implemented,
     "configuration_based: read the table structures at every start"},
    {"snapshot.mode.configuration.based.start.stream", boolean, "false", "", implemented,
     "configuration_based: stream changes"},
    {"snapshot.mode.configuration.based.snapshot.on.schema.error", boolean, "false", "", implemented,
     "configuration_based: read the structures when the schema history is unusable"},
    {"snapshot.mode.configuration.based.snapshot.on.data.error", boolean, "false", "", implemented,
     "configuration_based: read the rows when the stored position is gone"},
    {"snapshot.mode.custom.name", text, "", "", adapted, "What snapshot.mode=custom stands for",
     "names of built-in modes only; no Java class can be loaded"},
    {"snapshot.mode.custom.command", text, "", "", not_yet,
     "Program that decides about the snapshot, for snapshot.mode=custom"},
    {"snapshot.locking.mode", enumeration, "none", "none|shared|custom", implemented,
     "Locks taken on the tables while they are read", "", postgresql},
    {"snapshot.locking.mode.custom.name", text, "", "", refused, "Java class that makes lock statements",
     "no Java class can be loaded: use snapshot.locking.mode=shared"},
    {"snapshot.locking.mode.custom.statement", sql, "", "", not_yet, "Lock statement for each table"},
    {"snapshot.isolation.mode", enumeration, "serializable",
     "serializable|repeatable_read|read_committed|read_uncommitted", implemented,
     "Isolation of the snapshot transaction where no slot was created in the same run", "", postgresql},
    {"snapshot.query.mode", enumeration, "select_all", "select_all|custom", implemented,
     "How the rows are selected"},
    {"snapshot.query.mode.custom.name", text, "", "", refused, "Java class that makes snapshot queries",
     "no Java class can be loaded: use snapshot.select.statement.overrides"},
    {"snapshot.include.collection.list", regex_list, "", "", implemented,
     "Which of the captured tables have their existing rows read"},
    {"snapshot.select.statement.overrides", list, "", "", implemented,
     "Tables with a snapshot query of their own", "", relational},
    {"snapshot.select.statement.overrides.<table>", sql, "", "", implemented,
     "The snapshot query of that table; empty: its rows are not read", "", relational},
    {"snapshot.where.<table>", sql, "", "", implemented,
     "Condition on the rows a snapshot reads of that table", "", relational},
    {"snapshot.delay.ms", milliseconds, "0", "0..", implemented, "Pause before the snapshot"},
    {"streaming.delay.ms", milliseconds, "0", "0..", implemented, "Pause between snapshot and streaming"},
    {"snapshot.fetch.size", integer, "10240", "1..", adapted, "Rows fetched at a time",
     "tables are read by COPY; it bounds the rows of queries of your own"},
    {"query.fetch.size", integer, "0", "0..", no_effect, "Rows fetched at a time by other queries",
     "rows are never held back"},
    {"snapshot.lock.timeout.ms", milliseconds, "10000", "0..", implemented, "Longest wait for a table lock"},
    {"snapshot.max.threads", integer, "1", "1..256", implemented, "Connections that read in parallel", "",
     relational},
    {"snapshot.max.threads.multiplier", integer, "1", "1..1000", implemented,
     "Chunks for each of those connections", "", relational},
    {"snapshot.max.threads.multiplier.<table>", integer, "", "1..1000", implemented,
     "The same, for one table", "", relational},
    {"legacy.snapshot.max.threads", boolean, "false", "", implemented,
     "Parallel by table, not by parts of a table", "", relational},
    {"snapshot.tables.order.by.row.count", enumeration, "disabled", "disabled|ascending|descending",
     no_effect, "Order of the tables by size",
     "PostgreSQL tables come in the order of their names, in Debezium too"},
    {"internal.snapshot.scan.all.columns.force", boolean, "false", "", no_effect,
     "Read the structure of all tables", "the structure of captured tables is always read"},
    {"resume", boolean, "true", "", implemented,
     "Go on with an interrupted `cdc snapshot` where it stopped; false starts over"},
};

}  // namespace

std::span<const Property> snapshot_properties() { return rows; }

}  // namespace cdc::config
