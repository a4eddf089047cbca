// Loading and merging of the layers, and the public entry points. The checks stand in builder_check.cc.
#include "config/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "config/values.h"
#include "text/list.h"

namespace cdc {

using config::Form;
using config::RawEntry;

namespace {

// Where the file part of an origin ends: "shop.yaml:12" -> "shop.yaml".
std::string file_of(const std::string& origin) { return origin.substr(0, origin.rfind(':')); }

bool is_file_form(Form form) { return form == Form::yaml || form == Form::json || form == Form::properties; }

// A list of YAML or JSON as the text the property would have in a flat file.
std::string join_elements(const RawEntry& entry) {
  const auto found = config::find_property(entry.name);
  if (!found || found->property->kind != config::Kind::semicolons) return text::join_list(*entry.elements);
  std::string out;
  for (const std::string& element : *entry.elements) out += (out.empty() ? "" : ";") + element;
  return out;
}

}  // namespace

ConfigBuilder::ConfigBuilder(const ConfigInput& input)
    : input_(input), data_(std::make_shared<Config::Data>()) {
  environment_ = input.environment;
  if (!environment_) environment_ = [](const char* name) -> const char* { return std::getenv(name); };
}

void ConfigBuilder::problem(Severity severity, const std::string& where, std::string_view property,
                            std::string message) {
  problems_.push_back({severity, where, std::string(property), std::move(message)});
}

ConfigReport ConfigBuilder::build() {
  load_layers();
  find_families();
  find_source();
  check_all();
  derive();
  Config config;
  config.data_ = data_;
  config::check_rules(config, problems_);
  std::stable_partition(problems_.begin(), problems_.end(),
                        [](const ConfigProblem& p) { return p.severity == Severity::error; });
  return {std::move(config), std::move(problems_)};
}

void ConfigBuilder::load_layers() {
  for (const std::string& file : input_.files) {
    config::Loaded loaded = config::load_file(file);
    config::translate_server_names(loaded);
    add_layer(std::move(loaded));
  }
  if (!input_.url.empty()) add_layer(config::load_url(input_.url));
  for (const std::string& setting : input_.settings) {
    config::Loaded loaded = config::load_setting(setting);
    config::translate_server_names(loaded);
    add_layer(std::move(loaded));
  }
  add_flags();
}

void ConfigBuilder::add_layer(config::Loaded loaded) {
  problems_.insert(problems_.end(), std::make_move_iterator(loaded.problems.begin()),
                   std::make_move_iterator(loaded.problems.end()));
  // `schemas` stands for three others: what names one of them counts more, wherever it stands.
  for (const RawEntry& entry : loaded.entries)
    if (entry.name == "schemas")
      for (RawEntry& one : expand_schemas(entry)) merge(std::move(one));
  for (RawEntry& entry : loaded.entries)
    if (entry.name != "schemas") merge(std::move(entry));
}

std::vector<RawEntry> ConfigBuilder::expand_schemas(const RawEntry& entry) {
  std::vector<RawEntry> out{entry};
  const auto* row = config::find_row("schemas");
  const std::string value = entry.elements ? join_elements(entry) : entry.value;
  const auto canonical = config::canonical_value(*row, value);
  if (!canonical) return out;  // the check of `schemas` itself will say so
  const auto pieces = text::split_list(*canonical).value_or(std::vector<std::string>{});
  auto has = [&](std::string_view piece) {
    return std::find(pieces.begin(), pieces.end(), piece) != pieces.end();
  };
  for (const std::string part : {"key", "value", "header"}) {
    RawEntry one = entry;
    one.name = part + ".converter.schemas.enable";
    one.elements.reset();
    one.value = has("true") || has(part) ? "true" : "false";
    out.push_back(std::move(one));
  }
  return out;
}

void ConfigBuilder::add_flags() {
  std::vector<RawEntry> entries;
  for (const ConfigInput::Flag& flag : input_.flags) {
    RawEntry entry{flag.property, flag.value, std::nullopt, flag.flag.empty() ? "command line" : flag.flag,
                   Form::flag};
    // KEY=VALUE: KEY fills the <place> in the property's name.
    const std::size_t place = entry.name.find('<');
    if (place != std::string::npos) {
      const std::size_t equals = flag.value.find('=');
      if (equals == 0 || equals == std::string::npos) {
        problem(Severity::error, entry.origin, flag.property,
                fmt::format("'{}' is not of the form TABLE=VALUE", flag.value));
        continue;
      }
      entry.name = entry.name.substr(0, place) + flag.value.substr(0, equals);
      entry.value = flag.value.substr(equals + 1);
    }
    const auto earlier =
        std::find_if(entries.begin(), entries.end(), [&](const RawEntry& e) { return e.name == entry.name; });
    const auto found = config::find_property(entry.name);
    const bool is_list = found && (found->property->kind == config::Kind::list ||
                                   found->property->kind == config::Kind::regex_list);
    if (earlier != entries.end() && is_list)
      earlier->value += "," + entry.value;
    else
      entries.push_back(std::move(entry));
  }
  config::Loaded loaded;
  loaded.entries = std::move(entries);
  add_layer(std::move(loaded));
}

void ConfigBuilder::merge(RawEntry entry) {
  if (is_file_form(entry.form) && entry.name != "schemas" &&
      entry.name.find(".converter.") == std::string::npos &&
      !seen_.emplace(entry.name, file_of(entry.origin)).second)
    problem(Severity::warning, entry.origin, entry.name,
            fmt::format("The '{}' property is set twice in this file; the last one counts", entry.name));
  if (entry.elements) entry.value = join_elements(entry);
  Pending pending{std::move(entry), {}};
  RawEntry& at = pending.entry;
  if (config::find_row(at.name) == nullptr) {
    if (auto translated = config::translate_alias(at.name, at.value)) {
      if (!translated->silent)
        problem(Severity::warning, at.origin, at.name,
                fmt::format("The '{}' property is called '{}' now", at.name, translated->name));
      pending.old_name = std::exchange(at.name, translated->name);
      if (translated->value) at.value = std::move(*translated->value);
    }
  }
  put(std::move(pending));
}

void ConfigBuilder::put(Pending pending) {
  const auto [place, is_new] = pending_index_.emplace(pending.entry.name, pending_.size());
  if (is_new) {
    pending_.push_back(std::move(pending));
    return;
  }
  Pending& earlier = pending_[place->second];
  // Between an old and a current name the current one counts, whatever the order.
  const bool mixed = earlier.old_name.empty() != pending.old_name.empty();
  if (mixed && earlier.entry.value != pending.entry.value)
    problem(Severity::warning, pending.entry.origin, pending.entry.name,
            fmt::format("'{}' and its old name '{}' are both set; '{}' counts", pending.entry.name,
                        pending.old_name.empty() ? earlier.old_name : pending.old_name, pending.entry.name));
  if (mixed && !pending.old_name.empty()) return;
  earlier = std::move(pending);
}

ConfigReport read_config(const ConfigInput& input) { return ConfigBuilder(input).build(); }

Result<Config> load_config(const ConfigInput& input, std::vector<ConfigProblem>* problems) {
  ConfigReport report = read_config(input);
  std::string errors;
  for (const ConfigProblem& problem : report.problems) {
    if (problem.severity == ConfigProblem::Severity::error)
      errors += (errors.empty() ? "" : "\n") + problem_line(problem);
    else if (problems != nullptr)
      problems->push_back(problem);
  }
  if (errors.empty()) return std::move(report.config);
  return fail(ErrorKind::usage, std::move(errors),
              "`cdc config --reference` lists every property with its values");
}

Result<Config> config_of(std::initializer_list<std::pair<std::string_view, std::string_view>> properties) {
  ConfigInput input;
  input.settings = {"database.dbname=test", "topic.prefix=test"};
  for (const auto& [name, value] : properties) input.settings.push_back(fmt::format("{}={}", name, value));
  return load_config(input);
}

}  // namespace cdc
