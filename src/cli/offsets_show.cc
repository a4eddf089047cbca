// `cdc offsets show`.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/offsets.h"
#include "json/json_read.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Of the capture named shop", "cdc offsets show --name shop"},
    {"Of a state file, for a script", "cdc offsets show --state shop.db --json | jq .offset.lsn"},
};

std::string as_text(const StateKey& key, const StoredState& state) {
  std::string text = fmt::format("{}  {}\n", key.engine, key.partition);
  const auto line = [&](std::string_view name, std::string_view value) {
    text += fmt::format("  {:<10}{}\n", name, value);
  };
  line("offset", state.offset.value_or("none stored yet"));
  if (state.snapshot && !state.snapshot->empty()) line("snapshot", *state.snapshot);
  for (const FilePosition& file : state.files)
    line("file", fmt::format("{}: {} lines, {} bytes{}", file.path, file.lines, file.length,
                             file.finished ? ", finished" : ""));
  for (const auto& [name, fact] : state.facts) line("fact", fmt::format("{}: {}", name, fact));
  return text;
}

std::string as_json(const StateKey& key, const StoredState& state) {
  std::string files, facts;
  for (const FilePosition& file : state.files)
    files += fmt::format("{}{{\"path\":{},\"final_path\":{},\"lines\":{},\"length\":{},\"finished\":{}}}",
                         files.empty() ? "" : ",", json::quote(file.path), json::quote(file.final_path),
                         file.lines, file.length, file.finished);
  for (const auto& [name, fact] : state.facts)
    facts += fmt::format("{}{}:{}", facts.empty() ? "" : ",", json::quote(name), json::quote(fact));
  const std::string snapshot = state.snapshot && !state.snapshot->empty() ? *state.snapshot : "null";
  return fmt::format(
      "{{\"name\":{},\"partition\":{},\"offset\":{},\"snapshot\":{},\"files\":[{}],\"facts\":{{{}}}}}\n",
      json::quote(key.engine), key.partition, state.offset.value_or("null"), snapshot, files, facts);
}

Result<int> run(const Invocation& invocation) {
  CDC_TRY(const OpenState state, open_state_of(invocation, StateAccess::read_only));
  CDC_TRY(const std::vector<StateKey> keys, state.store->keys());
  std::string text;
  for (const StateKey& key : keys) {
    if (!state.name.empty() && key.engine != state.name) continue;
    CDC_TRY(const StoredState stored, state.store->load(key));
    text += invocation.has("--json") ? as_json(key, stored) : as_text(key, stored);
  }
  if (text.empty() && !invocation.has("--json")) {
    const std::string of = state.name.empty() ? std::string() : fmt::format(" for '{}'", state.name);
    text = fmt::format("no offset{} in {}\n", of, state.store->path());
  }
  CDC_CHECK(print(text));
  return 0;
}

}  // namespace

constinit const Command offsets_show_command{
    "offsets show",
    "[URL]",
    "Print stored positions: offset, files, snapshot progress",
    "Prints what the state holds for each capture: the offset in Debezium's form, the output files with "
    "their committed "
    "lengths, the progress of an unfinished snapshot, and what is known of the server. Works while a capture "
    "runs.",
    kExamples,
    0,
    false,
    run,
};

}  // namespace cdc::cli
