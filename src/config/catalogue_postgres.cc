// Catalogue: what only PostgreSQL has: slot, publication, replica identity, positions.
#include "config/catalogue.h"
#include "config/checks.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"plugin.name", enumeration, "pgoutput", "pgoutput|decoderbufs", implemented,
     "Logical decoding plugin; pgoutput needs no installation", "", postgresql},
    {"slot.name", text, "debezium", "", implemented,
     "Name of the replication slot; every capture needs its own", "", postgresql, check::slot_name},
    {"slot.drop.on.stop", boolean, "false", "", implemented,
     "Drop the slot on an orderly stop; the position to resume from is lost with it", "", postgresql},
    {"slot.failover", boolean, "false", "", implemented,
     "Create the slot so that it is kept on standbys too (PostgreSQL 17 and later)", "", postgresql},
    {"slot.stream.params", semicolons, "", "", implemented,
     "Further options for START_REPLICATION, as name=value;name=value", "", postgresql},
    {"slot.max.retries", integer, "6", "0..2147483647", implemented,
     "How often to try again when the slot is in use or cannot be created yet", "", postgresql},
    {"slot.retry.delay.ms", milliseconds, "10000", "0..", implemented, "Pause between those tries", "",
     postgresql},
    {"offset.mismatch.strategy", enumeration, "no_validation",
     "no_validation|trust_offset|trust_slot|trust_greater_lsn", implemented,
     "What to do when the stored position and the slot disagree", "", postgresql},
    {"publication.name", text, "dbz_publication", "", implemented, "Name of the publication", "", postgresql,
     check::not_empty},
    {"publication.autocreate.mode", enumeration, "all_tables", "all_tables|disabled|filtered|no_tables",
     implemented, "Whether a missing publication is created, and for which tables", "", postgresql},
    {"publish.via.partition.root", boolean, "false", "", implemented,
     "Changes of partitions come under the name of the partitioned table", "", postgresql},
    {"replica.identity.autoset.values", list, "", "", implemented,
     "Replica identities to set at start: table-regex:FULL, :DEFAULT, :NOTHING or :INDEX name", "",
     postgresql, check::replica_identities},
    {"lsn.flush.mode", enumeration, "connector", "connector|manual|connector_and_driver", implemented,
     "Who tells the server which position is no longer needed", "", postgresql},
    {"lsn.flush.timeout.ms", milliseconds, "30000", "1..", implemented,
     "Longest wait for such a confirmation", "", postgresql},
    {"lsn.flush.timeout.action", enumeration, "fail", "fail|warn|ignore", implemented,
     "What to do when that wait is over", "", postgresql},
    {"status.update.interval.ms", milliseconds, "10000", "1..", implemented,
     "How often the server is told the position; keep it below wal_sender_timeout", "", postgresql},
    {"xmin.fetch.interval.ms", milliseconds, "0", "0..", implemented,
     "How often source.xmin is read from the slot; 0 leaves it out", "", postgresql},
    {"message.prefix.include.list", regex_list, "", "", implemented,
     "Prefixes of the logical messages to capture", "", postgresql},
    {"message.prefix.exclude.list", regex_list, "", "", implemented,
     "Prefixes of the logical messages to leave out", "", postgresql},
    {"money.fraction.digits", integer, "2", "0..32", implemented, "Digits after the point in money values",
     "", postgresql},
    {"hstore.handling.mode", enumeration, "json", "json|map", implemented, "How hstore values are written",
     "", postgresql},
    {"interval.handling.mode", enumeration, "numeric", "numeric|string", implemented,
     "How interval values are written", "", postgresql},
    {"include.unknown.datatypes", boolean, "false", "", implemented,
     "Write columns of types cdc does not know, as the server's text; it may change with the server's "
     "version",
     "", postgresql},
    {"schema.refresh.mode", enumeration, "columns_diff", "columns_diff|columns_diff_exclude_unchanged_toast",
     implemented, "When the decoderbufs plugin reads a table's shape again", "", postgresql},
    {"internal.create.slot.command.timeout", duration, "90", "1..", implemented,
     "Longest wait for the creation of slot and publication, in seconds", "", postgresql},
    {"internal.log.position.check.enable", boolean, "true", "", implemented,
     "Check at start that the stored position is still on the server"},
};

}  // namespace

std::span<const Property> postgres_properties() { return rows; }

}  // namespace cdc::config
