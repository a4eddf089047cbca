// Rules between properties, each a small function over the finished values; none needs a server.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "config/builder.h"
#include "text/list.h"
#include "text/regex.h"

namespace cdc::config {

namespace {

using Severity = ConfigProblem::Severity;

class Rules {
 public:
  Rules(const Config& config, std::vector<ConfigProblem>& problems) : config_(config), problems_(problems) {}

  void both_lists();
  void queue_sizes();
  void retry_delays();
  void hosts_and_ports();
  void driver_options();
  void naming_strategy();
  void custom_snapshot();
  void snapshot_overrides();
  void stream_params();
  void notifications();
  void chains();
  void rotation();
  void debezium_defaults();

 private:
  bool given(std::string_view name) const {
    return !text::trim(config_.text(name)).empty() && config_.is_set(name);
  }
  void say(Severity severity, std::string_view property, std::string message) {
    const bool set = config_.is_set(property);
    problems_.push_back({severity, set ? config_.origin(property) : std::string(), std::string(property),
                         std::move(message)});
  }
  // A value that another property asks for is missing: the place is that of the other one.
  void missing(std::string_view property, std::string_view asking, std::string_view why) {
    problems_.push_back({Severity::error, config_.origin(asking), std::string(property),
                         fmt::format("The '{}' value is invalid: {}", property, why)});
  }
  void invalid(std::string_view property, std::string_view why) {
    say(Severity::error, property, fmt::format("The '{}' value is invalid: {}", property, why));
  }
  void replacement(std::string_view regex, std::string_view replacement);
  void members(std::string_view list, std::string_view prefix, std::string_view pattern);

  const Config& config_;
  std::vector<ConfigProblem>& problems_;
};

void Rules::both_lists() {
  for (const std::string_view family :
       {"database", "schema", "table", "column", "message.prefix", "output.topic"}) {
    const std::string include = fmt::format("{}.include.list", family),
                      exclude = fmt::format("{}.exclude.list", family);
    if (given(include) && given(exclude))
      invalid(exclude, fmt::format("\"{}\" is already specified", include));
  }
  for (const ConfigEntry& entry : config_.entries_matching("<processor>.reselect.columns.exclude.list")) {
    const std::string include = entry.parts.front() + ".reselect.columns.include.list";
    if (given(entry.name) && given(include))
      invalid(entry.name, fmt::format("\"{}\" is already specified", include));
  }
}

void Rules::queue_sizes() {
  const auto queue = config_.integer("max.queue.size"), batch = config_.integer("max.batch.size");
  if (queue > batch) return;
  const std::string_view at = config_.is_set("max.queue.size") ? "max.queue.size" : "max.batch.size";
  invalid(at, fmt::format("max.queue.size ({}) must be larger than max.batch.size ({})", queue, batch));
}

void Rules::retry_delays() {
  const auto initial = config_.integer("errors.retry.delay.initial.ms"),
             most = config_.integer("errors.retry.delay.max.ms");
  if (initial <= most) return;
  const std::string_view at = config_.is_set("errors.retry.delay.initial.ms")
                                  ? "errors.retry.delay.initial.ms"
                                  : "errors.retry.delay.max.ms";
  invalid(at, fmt::format("errors.retry.delay.initial.ms ({}) must not exceed errors.retry.delay.max.ms ({})",
                          initial, most));
}

void Rules::hosts_and_ports() {
  auto count = [&](std::string_view name) {
    const std::string& value = config_.text(name);
    return 1 + std::count(value.begin(), value.end(), ',');
  };
  if (count("database.port") > 1 && count("database.port") != count("database.hostname"))
    invalid("database.port", "there must be one port, or one for each host");
}

void Rules::driver_options() {
  const auto known = driver_keywords();
  for (const ConfigEntry& entry : config_.entries_matching("driver.<option>"))
    if (std::find(known.begin(), known.end(), entry.parts.front()) == known.end())
      say(Severity::warning, entry.name,
          fmt::format("The '{}' property has no effect: libpq has no such option", entry.name));
}

void Rules::replacement(std::string_view regex, std::string_view replacement) {
  if (!given(regex) || config_.text(replacement).empty()) return;
  const auto compiled = text::Regex::compile(config_.text(regex));
  if (!compiled) return;
  if (auto checked = compiled->check_replacement(config_.text(replacement)); !checked)
    invalid(replacement, fmt::format("{}. {}", checked.error().message, checked.error().hint));
}

void Rules::naming_strategy() {
  const std::string& strategy = config_.text("topic.naming.strategy");
  if (strategy.find("Regex") != std::string::npos)
    for (const std::string_view needed : {"topic.regex", "topic.replacement"})
      if (!given(needed))
        missing(needed, "topic.naming.strategy",
                fmt::format("a value is required with topic.naming.strategy={}", strategy));
  if (given("topic.key.field.regex") != given("topic.key.field.replacement")) {
    const bool regex = given("topic.key.field.regex");
    invalid(regex ? "topic.key.field.regex" : "topic.key.field.replacement",
            fmt::format("{} must be set with it",
                        regex ? "topic.key.field.replacement" : "topic.key.field.regex"));
  }
  replacement("topic.regex", "topic.replacement");
  replacement("topic.key.field.regex", "topic.key.field.replacement");
}

void Rules::custom_snapshot() {
  if (config_.text("snapshot.mode") == "custom" && !given("snapshot.mode.custom.name") &&
      !given("snapshot.mode.custom.command"))
    missing("snapshot.mode.custom.name", "snapshot.mode", "it cannot be empty when snapshot.mode is custom");
}

void Rules::snapshot_overrides() {
  const auto listed = config_.list("snapshot.select.statement.overrides");
  const auto statements = config_.entries_matching("snapshot.select.statement.overrides.<table>");
  for (const std::string& table : listed)
    if (std::none_of(statements.begin(), statements.end(),
                     [&](const ConfigEntry& e) { return e.parts.front() == table; }))
      say(Severity::warning, "snapshot.select.statement.overrides",
          fmt::format("'{}' is listed in snapshot.select.statement.overrides but has no statement; all of "
                      "its rows are read",
                      table));
  for (const ConfigEntry& entry : statements)
    if (std::find(listed.begin(), listed.end(), entry.parts.front()) == listed.end())
      say(Severity::warning, entry.name,
          fmt::format("'{}' has no effect: snapshot.select.statement.overrides does not list '{}'",
                      entry.name, entry.parts.front()));
}

void Rules::stream_params() {
  for (const std::string& pair : config_.list("slot.stream.params"))
    if (const std::size_t equals = pair.find('='); equals == 0 || equals == std::string::npos)
      say(Severity::warning, "slot.stream.params",
          fmt::format("'{}' in slot.stream.params is left out: it is not of the form name=value", pair));
}

// CORE-NOT-01.
void Rules::notifications() {
  const auto channels = config_.list("notification.enabled.channels");
  if (std::find(channels.begin(), channels.end(), "sink") != channels.end() &&
      !given("notification.sink.topic.name"))
    missing("notification.sink.topic.name", "notification.enabled.channels",
            "the sink channel of notifications (notification.enabled.channels) needs the name of a topic");
}

// A list of names, each with <prefix><name>.type; and no such family without its name in the list.
void Rules::members(std::string_view list, std::string_view prefix, std::string_view pattern) {
  const auto names = config_.list(list);
  const auto types = config_.entries_matching(pattern);
  for (const std::string& name : names)
    if (std::none_of(types.begin(), types.end(),
                     [&](const ConfigEntry& e) { return e.parts.front() == name; }))
      say(Severity::error, list,
          fmt::format("The '{}' value is invalid: '{}' has no {}{}.type", list, name, prefix, name));
  for (const ConfigEntry& type : types)
    if (std::find(names.begin(), names.end(), type.parts.front()) == names.end())
      say(Severity::warning, type.name,
          fmt::format("'{}' has no effect: '{}' does not list '{}'", type.name, list, type.parts.front()));
}

void Rules::chains() {
  members("transforms", "transforms.", "transforms.<alias>.type");
  members("predicates", "predicates.", "predicates.<alias>.type");
  members("converters", "", "<converter>.type");
  members("post.processors", "", "<processor>.type");
  const auto predicates = config_.list("predicates");
  for (const ConfigEntry& use : config_.entries_matching("transforms.<alias>.predicate"))
    if (std::find(predicates.begin(), predicates.end(), use.value) == predicates.end())
      invalid(use.name, fmt::format("there is no predicate '{}' in `predicates`", use.value));
}

void Rules::rotation() {
  if (config_.text("output") != "-") return;
  for (const std::string_view name : {"rotate.size", "rotate.time", "rotate.events"})
    if (config_.integer(name) != 0)
      say(Severity::warning, name,
          fmt::format("The '{}' property has no effect on stdout: it needs an `output` file", name));
}

// CORE-JSON-09, CORE-OUT-03: who brings a Debezium configuration learns once where the defaults differ.
void Rules::debezium_defaults() {
  if (!config_.debezium_form()) return;
  if (!config_.is_set("value.converter.replace.null.with.default"))
    problems_.push_back({Severity::notice,
                         {},
                         "value.converter.replace.null.with.default",
                         "A stored NULL is written as null; Debezium writes the column's default instead "
                         "(value.converter.replace.null.with.default=true does so here)"});
  if (!config_.is_set("value.converter.schemas.enable"))
    problems_.push_back({Severity::notice,
                         {},
                         "value.converter.schemas.enable",
                         "Values are written without schemas; Debezium's default is with them (--schemas)"});
}

}  // namespace

void check_rules(const Config& config, std::vector<ConfigProblem>& problems) {
  Rules rules(config, problems);
  rules.both_lists();
  rules.queue_sizes();
  rules.retry_delays();
  rules.hosts_and_ports();
  rules.driver_options();
  rules.naming_strategy();
  rules.custom_snapshot();
  rules.snapshot_overrides();
  rules.stream_params();
  rules.notifications();
  rules.chains();
  rules.rotation();
  rules.debezium_defaults();
}

}  // namespace cdc::config
