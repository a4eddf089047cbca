// `cdc offsets set`: the offset as the user wants it. For those who know their server's log.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/offsets.h"
#include "json/json_read.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Go on at an LSN of PostgreSQL (16/B374D848)", "cdc offsets set -c shop.yaml '{\"lsn\":97500059720}'"},
    {"Put back what `cdc offsets show` printed earlier",
     "cdc offsets set --name shop \"$(jq -c .offset saved.json)\""},
};

Result<int> run(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return fail(ErrorKind::usage, "the offset is missing",
                "usage: cdc offsets set [OPTIONS] OFFSET, a JSON object");
  const std::string& offset = invocation.arguments.front();
  if (const auto members = json::members(offset); !members || members->empty())
    return fail(ErrorKind::usage, fmt::format("the offset is no JSON object: {}", offset),
                "write it as `cdc offsets show --json` prints it, in quotes: '{\"lsn\":123}'");
  CDC_TRY(const OpenState state, open_state_of(invocation, StateAccess::exclusive));
  CDC_TRY(std::optional<StateKey> key, chosen_key(state));
  if (!key) {
    if (state.server.empty())
      return fail(ErrorKind::usage,
                  fmt::format("{} holds no capture whose offset could be set", state.store->path()),
                  "name a new one with --name NAME or -c FILE");
    key = new_key(state);
  }
  CDC_TRY(const StoredState before, state.store->load(*key));
  StateChange change;
  change.offset = offset;
  change.snapshot = "";  // progress of a snapshot belongs to the position that is replaced
  CDC_CHECK(state.store->commit(*key, change));
  CDC_CHECK(print(fmt::format("offset of {} is now {}\nit was {}\n", key->engine, offset,
                              before.offset.value_or("not set"))));
  return 0;
}

}  // namespace

constinit const Command offsets_set_command{
    "offsets set",
    "[URL] OFFSET",
    "Store another position to go on from",
    "Replaces the stored offset by OFFSET, a JSON object in Debezium's form, and forgets an unfinished "
    "snapshot. The "
    "old offset is printed. Changes between the two positions come again or are left out. Refused while a "
    "capture runs.",
    kExamples,
    1,
    false,
    run,
};

}  // namespace cdc::cli
