// Debezium Server's names (application.properties, application.yaml) and the embedded engine's,
// translated to the connector's by one table.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "config/loaders.h"
#include "text/list.h"

namespace cdc::config {

namespace {

struct Prefix {
  std::string_view server;
  std::string_view targets;  // space-separated; "-": taken out
};
// The first that fits counts.
constexpr Prefix prefixes[] = {
    {"debezium.source.", ""},
    {"debezium.format.key.", "key.converter."},
    {"debezium.format.value.", "value.converter."},
    {"debezium.format.header.", "header.converter."},
    {"debezium.format.", "key.converter. value.converter."},
    {"debezium.transforms.", "transforms."},
    {"debezium.predicates.", "predicates."},
    {"debezium.sink.", "-"},
    {"debezium.api.", "-"},
    {"quarkus.", "-"},
    {"mp.messaging.", "-"},
    {"kubernetes.", "-"},
    {"converter.", "key.converter. value.converter."},
};
constexpr Prefix whole_names[] = {
    {"debezium.format.key", "key.converter"},       {"debezium.format.value", "value.converter"},
    {"debezium.format.header", "header.converter"}, {"debezium.transforms", "transforms"},
    {"debezium.predicates", "predicates"},          {"debezium.name", "name"},
};

std::vector<std::string> targets_of(std::string_view name) {
  for (const Prefix& whole : whole_names)
    if (whole.server == name) return {std::string(whole.targets)};
  for (const Prefix& prefix : prefixes) {
    if (name.substr(0, prefix.server.size()) != prefix.server || name.size() == prefix.server.size())
      continue;
    const std::string rest(name.substr(prefix.server.size()));
    if (prefix.targets == "-") return {};
    if (prefix.targets.empty()) return {rest};
    std::vector<std::string> out;
    for (std::string_view targets = prefix.targets; !targets.empty();) {
      const std::size_t space = targets.find(' ');
      out.push_back(std::string(targets.substr(0, space)) + rest);
      targets = space == std::string_view::npos ? std::string_view{} : targets.substr(space + 1);
    }
    return out;
  }
  return {std::string(name)};
}

bool is_variable(std::string_view name) {
  return !name.empty() && (name[0] < '0' || name[0] > '9') &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

// Quarkus' ${NAME} and ${NAME:default} as ${env:NAME...}. Only names written as variables are: others
// (${routedByValue}) belong to replacement texts.
std::string translate_expressions(std::string_view value) {
  std::string out;
  while (true) {
    const std::size_t open = value.find("${");
    out += value.substr(0, open);
    if (open == std::string_view::npos) return out;
    value.remove_prefix(open + 2);
    const std::string_view body = value.substr(0, value.find('}'));
    out += is_variable(body.substr(0, body.find(':'))) ? "${env:" : "${";
  }
}

}  // namespace

void translate_server_names(Loaded& loaded) {
  std::vector<RawEntry> general, kept;  // what names both converters counts before what names one
  std::string ignored, first_place;
  for (RawEntry& entry : loaded.entries) {
    if (entry.name.compare(0, 9, "debezium.") == 0) entry.value = translate_expressions(entry.value);
    const std::vector<std::string> targets = targets_of(entry.name);
    if (targets.empty()) {
      if (ignored.empty()) first_place = entry.origin;
      ignored += (ignored.empty() ? "" : ", ") + entry.name;
    }
    for (const std::string& target : targets) {
      RawEntry copy = entry;
      copy.name = target;
      (targets.size() > 1 ? general : kept).push_back(std::move(copy));
    }
  }
  general.insert(general.end(), std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
  loaded.entries = std::move(general);
  if (!ignored.empty())
    loaded.problems.push_back(
        {ConfigProblem::Severity::warning,
         first_place,
         {},
         fmt::format("These belong to Debezium Server itself and are ignored (cdc writes to "
                     "`output`): {}",
                     ignored)});
}

}  // namespace cdc::config
