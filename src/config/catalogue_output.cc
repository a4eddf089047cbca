// Catalogue: cdc's own options: output, life of a run, log, observation.
#include "config/catalogue.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Property rows[] = {
    {"output", text, "-", "", implemented,
     "Where events go: - (stdout), a path, a template with {topic} {database} {schema} {table} {date} {seq}, "
     "or "
     "fifo:PATH"},
    {"format", enumeration, "value", "value|record|keyed|cloudevents", implemented,
     "One line an event: the value, the whole record, key TAB value, or a CloudEvent"},
    {"schemas", enum_list, "false", "true|false|key|value|header", adapted,
     "Write schemas: for everything (true), or for some of key, value, header",
     "short for key., value. and header.converter.schemas.enable"},
    {"flatten", boolean, "false", "", implemented,
     "Write the row alone, as Debezium's ExtractNewRecordState does"},
    {"rotate.size", size, "0", "0..", implemented, "Start a new file at this size; 0: never"},
    {"rotate.time", duration, "0", "0..", implemented, "Start a new file after this time; 0: never"},
    {"rotate.events", integer, "0", "0..", implemented, "Start a new file after so many events; 0: never"},
    {"fsync", enumeration, "commit", "commit|close|never", implemented, "When files are forced to disk"},
    {"output.topic.include.list", regex_list, "", "", not_yet,
     "Topics to write; the others still count as delivered"},
    {"output.topic.exclude.list", regex_list, "", "", not_yet, "Topics not to write"},
    {"source.version.string", text, "3.6.1.Final", "", implemented, "What source.version says"},
    {"from", text, "", "", implemented,
     "Where streaming starts instead of the stored position: now, beginning, or a position"},
    {"until", text, "", "", implemented, "Where streaming ends: now, a position, or a time"},
    {"max.events", integer, "0", "0..", implemented, "Stop after so many events; 0: no limit"},
    {"max.time", duration, "0", "0..", implemented, "Stop after this time; 0: no limit"},
    {"idle.exit", duration, "0", "0..", implemented, "Stop when nothing came for this time; 0: never"},
    {"dry.run", boolean, "false", "", implemented,
     "Connect, check, say what would be captured; change nothing on the server"},
    {"pipe.ok", boolean, "false", "", implemented, "Exit status 0 when the reader of stdout goes away"},
    {"log.level", enumeration, "info", "trace|debug|info|warn|error|off", implemented,
     "What is logged to stderr"},
    {"log.format", enumeration, "text", "text|json", implemented, "Log lines for people or for programs"},
    {"quiet", boolean, "false", "", implemented, "No progress and no log below warnings"},
    {"stats", duration, "0", "0..", implemented,
     "One JSON line of statistics on stderr each so often; 0: none"},
    {"metrics.file", path, "", "", implemented, "File kept up to date with metrics for Prometheus"},
    {"metrics.listen", text, "", "", implemented, "Address of a metrics endpoint for Prometheus"},
};

}  // namespace

std::span<const Property> output_properties() { return rows; }

}  // namespace cdc::config
