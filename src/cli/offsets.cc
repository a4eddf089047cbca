// Finding the state that `cdc offsets` is about.
#include "cli/offsets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "json/json_read.h"
#include "state/partition.h"
#include "state/state_path.h"

namespace cdc::cli {
namespace {

// "; in FOLDER there is crm.db, shop.db": what one may have meant who names no state.
std::string states_at_hand() {
  constexpr std::size_t kMost = 5;
  const auto somewhere = default_state_path("x");
  if (!somewhere) return {};
  const std::filesystem::path folder = std::filesystem::path(*somewhere).parent_path();
  std::vector<std::string> names;
  std::error_code ended;
  for (std::filesystem::directory_iterator at(folder, ended), end; !ended && at != end; at.increment(ended))
    if (at->path().extension() == ".db") names.push_back(at->path().filename().string());
  if (names.empty()) return {};
  std::sort(names.begin(), names.end());
  const std::size_t more = names.size() > kMost ? names.size() - kMost : 0;
  names.resize(names.size() - more);
  return fmt::format("; in {} there is {}{}", folder.string(), fmt::join(names, ", "),
                     more == 0 ? "" : fmt::format(" and {} more", more));
}

// The part of the configuration that names the state. Whatever else is wrong with it (no database, an
// unset password variable) does not matter to one who looks at offsets.
struct StateName {
  std::string path, name, server, source;
  bool server_given;
};

Result<StateName> state_name(const Invocation& invocation) {
  const ConfigInput& input = invocation.config;
  const bool configured = !input.files.empty() || !input.settings.empty() || !input.url.empty();
  if (!configured && !invocation.has("--name") && !invocation.has("--state"))
    return fail(ErrorKind::usage, "which state? Neither --state, --name nor a configuration is given",
                "give --state FILE, --name NAME, or the -c FILE of the capture" + states_at_hand());
  if (!configured)
    return StateName{
        invocation.value("--state"), invocation.value("--name"), invocation.value("--name"), {}, false};
  const ConfigReport report = read_config(input);
  for (const ConfigProblem& problem : report.problems)
    if (problem.severity == ConfigProblem::Severity::error &&
        (problem.property == "state" || problem.property == "name" || problem.property.empty()))
      return fail(ErrorKind::usage, problem_line(problem));
  return StateName{report.config.text("state"), report.config.capture_name(),
                   report.config.text("topic.prefix"), report.config.source(),
                   report.config.is_set("topic.prefix")};
}

}  // namespace

Result<OpenState> open_state_of(const Invocation& invocation, StateAccess access) {
  CDC_TRY(const StateName where, state_name(invocation));
  CDC_TRY(auto store, open_state(where.path, where.name, access));
  return OpenState{std::move(store), where.name, where.server, where.source, where.server_given};
}

Result<std::optional<StateKey>> chosen_key(const OpenState& state) {
  CDC_TRY(const std::vector<StateKey> keys, state.store->keys());
  std::vector<StateKey> fitting;
  for (const StateKey& key : keys)
    if (state.name.empty() || key.engine == state.name) fitting.push_back(key);
  if (state.server_given)
    std::erase_if(fitting, [wanted = canonical_json(new_key(state).partition)](const StateKey& key) {
      return canonical_json(key.partition) != wanted;
    });
  if (fitting.empty()) return std::nullopt;
  if (fitting.size() == 1) return fitting.front();
  std::string names;
  for (const StateKey& key : fitting)
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", key.engine, key.partition);
  return fail(ErrorKind::usage, fmt::format("{} holds more than one capture: {}", state.store->path(), names),
              "say which one with --name NAME, or with topic.prefix where the name is the same");
}

Result<ChosenOffset> chosen_offset(const OpenState& state, std::string_view purpose) {
  CDC_TRY(const std::optional<StateKey> key, chosen_key(state));
  if (!key)
    return fail(ErrorKind::usage, fmt::format("there is no offset to {} in {}", purpose, state.store->path()),
                "`cdc offsets show` prints what there is");
  CDC_TRY(StoredState stored, state.store->load(*key));
  if (!stored.offset)
    return fail(ErrorKind::usage,
                fmt::format("no offset of {} is stored yet in {}", key->engine, state.store->path()),
                "the first one is stored when the snapshot is complete");
  return ChosenOffset{*key, std::move(*stored.offset)};
}

StateKey new_key(const OpenState& state) {
  // CORE-OFF-01: MongoDB alone calls it otherwise.
  const std::string_view member = state.source == "mongodb" ? "server_id" : "server";
  return {state.name, fmt::format("{{\"{}\":{}}}", member, json::quote(state.server))};
}

}  // namespace cdc::cli
