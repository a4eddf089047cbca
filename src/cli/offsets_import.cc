// `cdc offsets import`: go on where Debezium stopped (CORE-OFF-10, -11).
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/offsets.h"
#include "cli/offsets_file.h"
#include "state/java_keys.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Take over from an embedded Debezium or Debezium Server",
     "cdc offsets import -c application.properties data/offsets.dat"},
    {"Take over from Kafka Connect",
     "kcat -C -b broker -t connect-offsets -e -K '\\t' | grep '\"server\":\"shop\"' | cdc offsets import -c "
     "connector.json -"},
};

std::string listed(const std::vector<DebeziumOffset>& offsets) {
  std::string text;
  for (const DebeziumOffset& offset : offsets)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", offset.engine, offset.partition);
  return text;
}

Result<DebeziumOffset> choose(const std::vector<DebeziumOffset>& all, const std::string& file,
                              const std::string& partition, const std::string& engine) {
  const std::vector<DebeziumOffset> fitting = offsets_of_partition(all, partition, engine);
  if (fitting.empty())
    return fail(ErrorKind::usage,
                fmt::format("{} has no offset of {}; it has {}", file, partition, listed(all)),
                "give the topic.prefix that Debezium used, with -c or --name");
  if (fitting.size() > 1)
    return fail(ErrorKind::usage,
                fmt::format("{} has more than one offset of {}: {}", file, partition, listed(fitting)),
                "choose one with --engine-name NAME");
  if (!fitting.front().value)
    return fail(ErrorKind::usage, fmt::format("the offset of {} in {} was deleted", partition, file),
                "there is nothing to go on from; begin with a snapshot");
  return fitting.front();
}

Result<int> run(const Invocation& invocation) {
  if (invocation.arguments.empty())
    return fail(ErrorKind::usage, "the file to import is missing",
                "usage: cdc offsets import [OPTIONS] FILE");
  const std::string& file = invocation.arguments.front();
  CDC_TRY(const auto offsets, read_offsets_file(file));
  CDC_TRY(const OpenState state, open_state_of(invocation, StateAccess::exclusive));
  if (state.server.empty())
    return fail(ErrorKind::usage, fmt::format("whose offset? {} has {}", file, listed(offsets)),
                "give the topic.prefix with --name NAME or -c FILE");
  const StateKey key = new_key(state);
  CDC_TRY(const DebeziumOffset chosen,
          choose(offsets, file, key.partition, invocation.value("--engine-name")));
  CDC_TRY(const StoredState before, state.store->load(key));
  auto offset = incremental_from_java(portable_offset(*chosen.value));
  if (!offset)
    return fail(
        offset.error().kind,
        fmt::format("{} holds an unfinished incremental snapshot: {}", file, offset.error().message),
        "without its members incremental_snapshot_* the offset can be given to `cdc offsets set`; the "
        "snapshot is then to be asked for again");
  StateChange change;
  change.offset = std::move(*offset);
  change.snapshot = "";
  CDC_CHECK(state.store->commit(key, change));
  std::string text = fmt::format("offset of {} is now {}\n", key.engine, *change.offset);
  if (before.offset) text += fmt::format("it was {}\n", *before.offset);
  CDC_CHECK(print(text));
  return 0;
}

}  // namespace

constinit const Command offsets_import_command{
    "offsets import",
    "[URL] FILE",
    "Take over an offset that Debezium stored",
    "Reads Debezium's offset file (offset.storage.file.filename, copied while Debezium is stopped), lines of "
    "`cdc offsets "
    "show --json`, or KEY TAB VALUE lines of Kafka Connect's offsets topic; - is stdin. The offset of the "
    "configured "
    "topic.prefix becomes the one to go on from. A torn or empty file is an error. Refused while a capture "
    "runs.",
    kExamples,
    1,
    false,
    run,
};

}  // namespace cdc::cli
