// `cdc snapshot`.
#include "cli/capture.h"
#include "cli/commands.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Two tables to stdout",
     "cdc snapshot postgres://me@db/shop -t 'public\\.orders' -t 'public\\.items' | jq -c .after"},
    {"Nightly, from cron: compressed files, one a table, each in the place of last night's",
     "cdc snapshot -c shop.yaml -o 'out/{schema}.{table}.ndjson.zst'"},
    {"Four connections, only this year's orders",
     "cdc snapshot -c shop.yaml -j 4 --where \"public.orders=placed >= '2026-01-01'\" -o orders.ndjson"},
    {"Share one snapshot between machines: print the plan, run some of it",
     "cdc snapshot -c shop.yaml --plan > plan.ndjson;  cdc snapshot -c shop.yaml --chunk ID -o part.ndjson"},
};

Result<int> run(const Invocation& invocation) {
  CaptureOptions options;
  options.snapshot_only = true;
  options.plan_only = invocation.has("--plan");
  if (const auto chunks = invocation.values.find("--chunk"); chunks != invocation.values.end())
    options.chunks = chunks->second;
  if (options.plan_only && !options.chunks.empty())
    return fail(ErrorKind::usage, "--plan and --chunk exclude each other",
                "print the plan first, then run chunks of it");
  return capture(invocation, options);
}

}  // namespace

constinit const Command snapshot_command{
    "snapshot",
    "[URL]",
    "Read the tables once, consistently, and exit",
    "Reads all rows of the captured tables as of one moment, writes an event with op \"r\" for each, and "
    "exits. "
    "Interrupted, it goes on where it stopped when it is run again with the same state; rows read by "
    "different runs "
    "are then of different moments, and the log says so. --no-resume starts over.\n\n"
    "A file of an earlier snapshot is replaced when the new one is complete, not before; with {date}, {seq}, "
    "rotation or --chunk nothing is replaced.\n\n"
    "URL is postgres://user@host:port/database; a configuration file may name the source instead.",
    kExamples,
    0,
    true,
    run,
};

}  // namespace cdc::cli
