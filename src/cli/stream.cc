// `cdc stream`.
#include "cli/capture.h"
#include "cli/commands.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Watch one table: its rows first, then its changes",
     "cdc stream postgres://me@db/shop -t 'public\\.orders' | jq -c .after"},
    {"From cron: drain what is there and exit",
     "cdc stream -c shop.yaml --until now -o changes.ndjson --rotate-size 1G"},
    {"Into Kafka by kcat, keys and tombstones included",
     "cdc stream -c shop.yaml --format keyed | kcat -P -b broker -t shop -K '\\t' -Z"},
    {"What would be captured? Change nothing", "cdc stream -c shop.yaml --dry-run"},
    {"Ten changes from now on, without a snapshot",
     "cdc stream -c shop.yaml -s snapshot.mode=no_data --from now -n 10 --state none"},
};

Result<int> run(const Invocation& invocation) { return capture(invocation, CaptureOptions{}); }

}  // namespace

constinit const Command stream_command{
    "stream",
    "[URL]",
    "Write changes as they are committed, after a snapshot where one is due",
    "Takes a snapshot if snapshot.mode asks for one (by default: on the first run), then writes every "
    "committed change "
    "until it is stopped by Ctrl-C, by a limit, or by --until. The position is stored only after the output "
    "has taken "
    "everything before it; the next run goes on from there: exactly once into files, at least once into "
    "pipes.\n\n"
    "URL is postgres://user@host:port/database; a configuration file may name the source instead.",
    kExamples,
    0,
    true,
    run,
};

}  // namespace cdc::cli
