// `cdc config --differences`: where cdc deliberately writes or does something else than Debezium 3.6.
#include <fmt/format.h>

#include <string_view>

#include "cdc/config.h"

namespace cdc {

namespace {

struct Difference {
  std::string_view topic;
  std::string_view here;
  std::string_view there;
};

constexpr Difference differences[] = {
    {"A stored NULL in a column with a default", "null",
     "the column's default (cdc too, with value.converter.replace.null.with.default=true)"},
    {"A NOT NULL column that holds NULL by now", "null", "a made-up zero or empty value"},
    {"A value that the column's mode cannot express",
     "null and a warning, or a stop with the mode that could "
     "(event.converting.failure.handling.mode=fail)",
     "null, or a made-up value in a NOT NULL column"},
    {"Schemas", "left out unless asked for (--schemas)", "written unless switched off"},
    {"Commit of positions", "every second or 64 MB, together with the output",
     "every minute, apart from the output"},
    {"A record that a transform drops", "counts as processed: the position moves on",
     "never counts: the position stands"},
    {"snapshot.mode=initial_only", "ends the program when the snapshot is written", "goes on running idle"},
    {"An interrupted snapshot of `cdc snapshot`",
     "goes on table part by table part (--no-resume starts over)", "starts over"},
    {"configuration_based with only the flags for lost positions", "takes the snapshot of that start",
     "reads nothing and leaves a silent gap"},
    {"Unknown properties", "an error with the nearest name (a warning in .properties and connector JSON)",
     "ignored silently"},
    {"A mask and a truncate or propagate rule on one column", "the mask always applies",
     "the other rule switches the mask off: the value goes out in clear"},
    {"Truncating inside a character of two UTF-16 units", "the half character is dropped",
     "a lone surrogate is written"},
    {"An excluded key column in a snapshot", "its real value stands in the key", "a made-up 0 or empty text"},
    {"Letters in filters", "case is ignored for all of Unicode", "case is ignored for ASCII only"},
    {"signal.data.collection with several tables", "none of them is read by snapshots",
     "all but the first are read"},
    {"snapshot.include.collection.list", "escaped commas work", "they do not"},
    {"A restart inside an incremental snapshot", "streamed events say snapshot=false", "snapshot=true"},
    {"Lines appended to the signal file while it is read", "kept (the file is locked)", "may be lost"},
    {"ExtractNewRecordState on a delete without old row", "treated as the delete it is",
     "taken for a truncate and dropped"},
    {"EventRouter with a JSON array as payload", "written", "stops"},
    {"DecodeLogicalDecodingMessageContent on a tombstone", "passes it on", "stops"},
    {"TimezoneConverter near changes of summer time", "the instant decides", "may be an hour off"},
    {"plugin.name", "pgoutput unless set: nothing to install on the server", "decoderbufs"},
    {"publish.via.partition.root on an existing publication", "set by a statement of its own", "invalid SQL"},
    {"Publication check on a standby", "in the right sense", "the wrong way round"},
    {"Non-transactional logical messages", "time of reading", "no time"},
    {"Collection id of logical messages", "readable", "an object hash"},
    {"Type name", "text in stream and snapshot", "null in the stream"},
    {"Infinite and BC dates", "the same in snapshot and stream", "different numbers"},
    {"timetz with seconds in the offset", "accepted", "stops"},
    {"Timestamps beyond 64 bits of microseconds", "null", "wrapped around"},
    {"Infinite intervals", "null, as what cannot be expressed", "zero"},
    {"Arrays of several dimensions", "nested arrays", "flattened or stopped"},
    {"NULL, NaN and infinite elements in arrays; BC dates in arrays; microseconds in time[]", "kept",
     "lost, cut or wrong"},
    {"oidvector, int2vector", "arrays", "left out"},
    {"refcursor, domains over enums, enums without labels, user types named like built-in ones", "written",
     "stops"},
    {"Infinite and 24:00:00 defaults, defaults with doubled quotes", "right in the schema", "garbage or cut"},
    {"New enum labels", "appear in `allowed` before their first use", "the record does not fit its schema"},
    {"Unchanged TOAST in bytea under base64 modes", "the placeholder", "null"},
    {"Unchanged TOAST in a NOT NULL column without placeholder", "null", "stops"},
    {"Unchanged TOAST under a hash mask or truncation", "the placeholder, whole",
     "its hash, or its beginning"},
    {"Key columns that the replica identity does not carry", "no key", "a made-up key"},
    {"Columns that differ by case, tables without columns, quotes in column names", "work",
     "stops, or drops the quotes in the stream"},
    {"Time zone of the session", "UTC", "that of the Java machine (visible in tstzrange only)"},
    {"Output settings of the database or role (bytea_output, intervalstyle, extra_float_digits, ...)",
     "do not reach the values", "wrong values or a stop"},
    {"SQL_ASCII databases with other bytes than UTF-8", "work", "stops"},
    {"Generated columns that are published, names with an apostrophe in incremental snapshots", "work",
     "stops; rows skipped"},
    {"decoderbufs: domains over bytea and arrays, tables dropped before they are read",
     "right values, no event lost", "wrong values, events skipped"},
    {"A table of an incremental snapshot without key", "refused, with the ways out",
     "skipped with a warning"},
    {"A replication slot that somebody else moved", "a warning, or exit status 4", "silence"},
};

}  // namespace

std::string render_differences() {
  std::string out = "Where cdc deliberately differs from Debezium 3.6:\n\n";
  for (const Difference& d : differences)
    out += fmt::format("{}\n    cdc:      {}\n    Debezium: {}\n", d.topic, d.here, d.there);
  return out;
}

}  // namespace cdc
