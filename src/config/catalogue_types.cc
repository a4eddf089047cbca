// Catalogue: how values are written.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"binary.handling.mode", enumeration, "bytes", "bytes|base64|base64-url-safe|hex", implemented,
     "How binary values are written", "", relational},
    {"decimal.handling.mode", enumeration, "precise", "precise|double|string", implemented,
     "How numeric values are written", "", relational},
    {"time.precision.mode", enumeration, "adaptive",
     "adaptive|adaptive_time_microseconds|connect|isostring|microseconds|nanoseconds", implemented,
     "How dates and times are written", "", relational},
    {"event.converting.failure.handling.mode", enumeration, "warn", "warn|skip|fail", implemented,
     "What to do with a value that its column's mode cannot express: null with a warning, null, or stop"},
    {"converters", list, "", "", not_yet, "Names of custom converters, each with <name>.type"},
    {"<converter>.type", class_name, "",
     "io.debezium.connector.binlog.converters.TinyIntOneToBooleanConverter|"
     "io.debezium.connector.binlog.converters.JdbcSinkDataTypesConverter|"
     "io.debezium.connector.binlog.converters.ZeroDateFallbackConverter|"
     "io.debezium.connector.oracle.converters.NumberToZeroScaleConverter|"
     "io.debezium.connector.oracle.converters.NumberOneToBooleanConverter|"
     "io.debezium.connector.oracle.converters.RawToStringConverter",
     not_yet, "One of Debezium's own converters; converters written in Java cannot be loaded"},
    {"<converter>.<option>", text, "", "", not_yet, "Options of a custom converter"},
    {"post.processors", list, "", "", implemented, "Names of post-processors, each with <name>.type"},
    {"<processor>.type", class_name, "",
     "reselect=io.debezium.processors.reselect.ReselectColumnsPostProcessor", implemented,
     "The post-processor: reselect reads columns again that the log did not carry"},
    {"<processor>.reselect.columns.include.list", regex_list, "", "", implemented,
     "Columns to read again: schema.table:column"},
    {"<processor>.reselect.columns.exclude.list", regex_list, "", "", implemented,
     "Columns not to read again"},
    {"<processor>.reselect.unavailable.values", boolean, "true", "", implemented,
     "Read values the log did not carry"},
    {"<processor>.reselect.null.values", boolean, "true", "", implemented, "Read values that are null"},
    {"<processor>.reselect.use.event.key", boolean, "false", "", implemented,
     "Find the row by the event's key"},
    {"<processor>.reselect.error.handling.mode", enumeration, "warn", "warn|fail", implemented,
     "What to do when reading again fails"},
};

}  // namespace

std::span<const Property> type_properties() { return rows; }

}  // namespace cdc::config
