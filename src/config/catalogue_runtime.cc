// Catalogue: queue, errors, heartbeats, transactions, headers, metrics.
#include "config/catalogue.h"
#include "config/checks.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr std::string_view secrets_pattern =
    ".*secret$|.*password$|.*sasl\\.jaas\\.config$|.*basic\\.auth\\.user\\.info|.*registry\\.auth\\.client-"
    "secret|"
    ".*credentials\\.json$|.*connectionstring$|.*connection\\.string$";

constexpr Property rows[] = {
    {"max.batch.size", integer, "2048", "1..", implemented, "Most events handed over at once"},
    {"max.queue.size", integer, "8192", "1..", implemented,
     "Most events waiting between reader and writer; larger than max.batch.size"},
    {"max.queue.size.in.bytes", size, "0", "0..", implemented,
     "Most bytes waiting there; 0 for cdc's own limit"},
    {"poll.interval.ms", milliseconds, "500", "1..", adapted, "Longest time an event waits for others",
     "an upper bound: events go out at once when the output is idle"},
    {"heartbeat.interval.ms", milliseconds, "0", "0..", implemented,
     "How often a heartbeat record is written; 0: never"},
    {"heartbeat.action.query", sql, "", "", implemented, "Statement run with every heartbeat", "",
     relational},
    {"provide.transaction.metadata", boolean, "false", "", implemented,
     "Transaction blocks in events, and BEGIN and END records"},
    {"transaction.metadata.factory", class_name, "",
     "io.debezium.pipeline.txmetadata.DefaultTransactionMetadataFactory|"
     "io.debezium.connector.vitess.pipeline.txmetadata.VitessOrderedTransactionMetadataFactory",
     no_effect, "Java class that makes transaction blocks", "it is a Java class"},
    {"sourceinfo.struct.maker", class_name, "", "", no_effect, "Java class that makes the source block",
     "it is a Java class; the source block is Debezium's own"},
    {"extended.headers.enabled", boolean, "true", "", implemented, "Context headers on records"},
    {"event.processing.failure.handling.mode", enumeration, "fail", "fail|warn|skip|ignore", implemented,
     "What to do with an event that cannot be processed: stop, leave out with a warning, leave out"},
    {"event.deserialization.failure.handling.mode", enumeration, "fail", "fail|warn|skip|ignore", not_yet,
     "What to do with a log record that cannot be read", "", mysql | mariadb},
    {"inconsistent.schema.handling.mode", enumeration, "fail", "fail|warn|skip", not_yet,
     "What to do with a row that does not fit the known structure", "", mysql | mariadb},
    {"errors.max.retries", integer, "-1", "-1..", implemented,
     "How often to try again after a failure that may pass; -1 without end"},
    {"errors.retry.delay.initial.ms", milliseconds, "300", "1..", implemented,
     "First pause before trying again"},
    {"errors.retry.delay.max.ms", milliseconds, "10000", "1..", implemented,
     "Longest pause before trying again"},
    {"retriable.restart.connector.wait.ms", milliseconds, "10000", "0..", implemented,
     "Pause before the capture is started again"},
    {"internal.custom.retriable.exception", regex, "", "", implemented,
     "Messages of errors that are worth a retry"},
    {"executor.shutdown.timeout.ms", milliseconds, "4000", "0..", implemented,
     "Longest time an orderly stop may take to write what is queued"},
    {"guardrail.collections.max", integer, "0", "0..", implemented,
     "Most tables to capture; 0 for any number"},
    {"guardrail.collections.limit.action", enumeration, "warn", "warn|fail", implemented,
     "What to do when there are more"},
    {"custom.metric.tags", text, "", "", adapted, "Labels on all metrics: name=value,name=value",
     "labels of the Prometheus output", all_sources, check::metric_tags},
    {"statistics.metrics.enabled", boolean, "true", "", implemented,
     "Minimum, maximum and percentiles of the lag"},
    {"custom.sanitize.pattern", regex, secrets_pattern, "", implemented,
     "Names of properties whose values are hidden in logs and in `cdc config`"},
    {"record.processing.threads", text, "", "", no_effect, "Threads that convert records",
     "one thread keeps up with the server"},
    {"record.processing.order", enumeration, "ORDERED", "ORDERED|UNORDERED", no_effect,
     "Order of converted records", "order is always kept"},
    {"record.processing.shutdown.timeout.ms", milliseconds, "1000", "0..", no_effect,
     "Longest wait for converting threads", "there are none"},
    {"record.processing.with.serial.consumer", boolean, "false", "", no_effect, "How records are handed over",
     "order is always kept"},
};

}  // namespace

std::span<const Property> runtime_properties() { return rows; }

}  // namespace cdc::config
