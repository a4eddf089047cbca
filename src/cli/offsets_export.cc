// `cdc offsets export`: let Debezium go on where cdc stopped.
#include <fmt/format.h>
#include <unistd.h>

#include "capture/file_roles.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/offsets.h"
#include "state/debezium_offsets.h"
#include "state/java_keys.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"A file for offset.storage.file.filename",
     "cdc offsets export --name shop --engine-name my-engine offsets.dat"},
};

Result<int> run(const Invocation& invocation) {
  const std::string file = invocation.arguments.empty() ? "-" : invocation.arguments.front();
  if (file == "-" && isatty(STDOUT_FILENO) == 1)
    return fail(ErrorKind::usage, "an offset file is binary and stdout is a terminal",
                "give a file: cdc offsets export FILE");
  CDC_TRY(const OpenState state, open_state_of(invocation, StateAccess::read_only));
  if (file != "-" && same_file(file, state.store->path()))
    return fail(ErrorKind::usage, fmt::format("{} is the state itself", file),
                "Name another file: the export replaces it");
  CDC_TRY(const ChosenOffset stored, chosen_offset(state, "export"));
  const std::string engine =
      invocation.has("--engine-name") ? invocation.value("--engine-name") : stored.key.engine;
  CDC_TRY(const std::string offset, incremental_to_java(stored.offset));
  const std::vector<DebeziumOffset> offsets{{engine, stored.key.partition, offset}};
  if (file == "-") {
    CDC_CHECK(print(write_debezium_offsets(offsets)));
  } else {
    CDC_CHECK(save_debezium_offsets(file, offsets));
  }
  return 0;
}

}  // namespace

constinit const Command offsets_export_command{
    "offsets export",
    "[URL] [FILE]",
    "Write the stored offset as Debezium's offset file",
    "Writes the offset of one capture in the form of Debezium's FileOffsetBackingStore, to FILE or stdout. "
    "Debezium looks "
    "it up by the name of its engine (property `name`; with Debezium Server the type of the sink): "
    "--engine-name gives it.",
    kExamples,
    1,
    false,
    run,
};

}  // namespace cdc::cli
