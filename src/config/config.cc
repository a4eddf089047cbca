// The getters of Config, and the texts of problems. Everything here is lookup.
#include "cdc/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "config/config_data.h"
#include "config/values.h"

namespace cdc {

namespace {

using config::Kind;
using config::Property;

[[noreturn]] void caller_bug(std::string_view name, std::string_view what) {
  std::fprintf(stderr, "cdc: bug: configuration property '%.*s' %.*s\n", static_cast<int>(name.size()),
               name.data(), static_cast<int>(what.size()), what.data());
  std::abort();
}

struct Lookup {
  const config::Value* value;  // null: not set
  const Property* property;
};

Lookup look_up(const config::Value* value, std::string_view name, const config::Families& families) {
  if (value != nullptr) return {value, value->property};
  const auto found = config::find_property(name, families);
  if (!found) caller_bug(name, "is not in the catalogue");
  return {nullptr, found->property};
}

const std::string& canonical(const Lookup& at) {
  return at.value != nullptr ? at.value->canonical : config::canonical_fallback(*at.property);
}

void require_kind(const Lookup& at, std::string_view name, std::initializer_list<Kind> kinds) {
  if (std::find(kinds.begin(), kinds.end(), at.property->kind) == kinds.end())
    caller_bug(name,
               fmt::format("is read as something else than a {}", config::kind_text(at.property->kind)));
}

ConfigEntry entry_of(const config::Value& value) {
  return {value.name, value.resolved, value.origin, value.parts};
}

}  // namespace

Config::Config() : data_(std::make_shared<Data>()) {}
Config::~Config() = default;
Config::Config(const Config&) = default;
Config::Config(Config&&) noexcept = default;
Config& Config::operator=(const Config&) = default;
Config& Config::operator=(Config&&) noexcept = default;

const std::string& Config::text(std::string_view name) const {
  return canonical(look_up(data_->find(name), name, data_->families));
}

std::int64_t Config::integer(std::string_view name) const {
  const Lookup at = look_up(data_->find(name), name, data_->families);
  require_kind(at, name, {Kind::integer, Kind::size, Kind::port, Kind::milliseconds, Kind::duration});
  const std::string_view number(canonical(at));
  return config::parse_integer(number.substr(0, number.find(','))).value_or(0);
}

bool Config::boolean(std::string_view name) const {
  const Lookup at = look_up(data_->find(name), name, data_->families);
  require_kind(at, name, {Kind::boolean});
  return canonical(at) == "true";
}

std::chrono::milliseconds Config::milliseconds(std::string_view name) const {
  const Lookup at = look_up(data_->find(name), name, data_->families);
  require_kind(at, name, {Kind::milliseconds, Kind::duration});
  // A hundred years are for ever, and can be added to any moment.
  constexpr std::int64_t kForever = std::int64_t{36'500} * 86'400'000;
  return std::chrono::milliseconds(std::min(config::parse_integer(canonical(at)).value_or(0), kForever));
}

std::vector<std::string> Config::list(std::string_view name) const {
  const Lookup at = look_up(data_->find(name), name, data_->families);
  return config::split_value(*at.property, canonical(at)).value_or(std::vector<std::string>{});
}

bool Config::is_set(std::string_view name) const {
  const Lookup at = look_up(data_->find(name), name, data_->families);
  return at.value != nullptr && !at.value->derived;
}

std::string Config::origin(std::string_view name) const {
  const Lookup at = look_up(data_->find(name), name, data_->families);
  return at.value != nullptr ? at.value->origin : "default";
}

std::vector<ConfigEntry> Config::entries_matching(std::string_view pattern) const {
  const Property* row = config::find_row(pattern);
  if (row == nullptr) caller_bug(pattern, "is not a pattern of the catalogue");
  std::vector<ConfigEntry> out;
  for (const config::Value& value : data_->values)
    if (value.property == row) out.push_back(entry_of(value));
  return out;
}

std::vector<ConfigEntry> Config::entries_with_prefix(std::string_view prefix) const {
  std::vector<ConfigEntry> out;
  for (const config::Value& value : data_->values)
    if (std::string_view(value.name).substr(0, prefix.size()) == prefix) out.push_back(entry_of(value));
  return out;
}

bool Config::is_secret(std::string_view name) const {
  const auto found = config::find_property(name, data_->families);
  if (found && found->property->kind == Kind::secret) return true;
  return data_->secrets && data_->secrets->matches(name).value_or(true);
}

const std::string& Config::source() const { return data_->source; }
bool Config::debezium_form() const { return data_->debezium_form; }
const std::string& Config::capture_name() const { return data_->capture_name; }

std::string problem_line(const ConfigProblem& problem) {
  return problem.where.empty() ? problem.message : problem.where + ": " + problem.message;
}

bool ConfigReport::has_errors() const {
  return std::any_of(problems.begin(), problems.end(),
                     [](const ConfigProblem& p) { return p.severity == ConfigProblem::Severity::error; });
}

std::string_view property_doc(std::string_view name) {
  const auto found = config::find_property(name);
  return found ? found->property->doc : std::string_view{};
}

bool writes_cloudevents(const Config& config) {
  return config.text("format") == "cloudevents" || config.text("value.converter") == "cloudevents";
}

bool prints_value_defaults(const Config& config) {
  constexpr std::string_view kInner = "value.converter.json.replace.null.with.default";
  return config.boolean(writes_cloudevents(config) && config.is_set(kInner)
                            ? kInner
                            : "value.converter.replace.null.with.default");
}

}  // namespace cdc
