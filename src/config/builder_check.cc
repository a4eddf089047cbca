// Each value against its row, dispositions, unknown names, and what follows from other values.
#include <fmt/format.h>

#include <algorithm>

#include "config/builder.h"
#include "config/checks.h"
#include "config/values.h"
#include "text/list.h"

namespace cdc {

using config::Disposition;
using config::Form;
using config::Kind;
using config::Value;

namespace {

struct SourceName {
  std::string_view name;
  config::Sources bit;
  std::string_view title;
};
constexpr SourceName source_names[] = {{"postgresql", config::postgresql, "PostgreSQL"},
                                       {"mysql", config::mysql, "MySQL"},
                                       {"mariadb", config::mariadb, "MariaDB"},
                                       {"mongodb", config::mongodb, "MongoDB"},
                                       {"vitess", config::vitess, "Vitess"},
                                       {"oracle", config::oracle, "Oracle"}};

const SourceName& source_named(std::string_view name) {
  for (const SourceName& source : source_names)
    if (source.name == name) return source;
  return source_names[0];
}

std::vector<std::string> list_of(std::string_view value) {
  return text::split_list(value).value_or(std::vector<std::string>{});
}

// One complaint is enough for transforms and all their options.
std::string family_of(std::string_view pattern) {
  const std::size_t place = pattern.find('<');
  if (place == std::string_view::npos) return std::string(pattern);
  if (place > 0) return std::string(pattern.substr(0, place - 1));
  return pattern.substr(0, 11) == "<converter>" ? "converters" : "post.processors";
}

// Debezium ignores names it does not know, so a file written for it may hold some; cdc's own forms may not.
bool unknown_is_error(Form form) { return form != Form::properties && form != Form::json; }

}  // namespace

void ConfigBuilder::find_families() {
  for (const Pending& p : pending_) {
    if (p.entry.name == "converters") data_->families.converters = list_of(p.entry.value);
    if (p.entry.name == "post.processors") data_->families.processors = list_of(p.entry.value);
  }
}

void ConfigBuilder::find_source() {
  const Pending* explicit_source = nullptr;
  const Pending* connector = nullptr;
  for (const Pending& p : pending_) {
    if (p.entry.name == "source") explicit_source = &p;
    if (p.entry.name == "connector.class") connector = &p;
  }
  data_->debezium_form = connector != nullptr;
  auto canonical = [](const Pending& p) {
    return config::canonical_value(*config::find_row(p.entry.name), p.entry.value).value_or("");
  };
  const std::string by_class = connector != nullptr ? canonical(*connector) : "";
  const std::string by_name = explicit_source != nullptr ? canonical(*explicit_source) : "";
  if (!by_class.empty() && !by_name.empty() && by_class != by_name)
    problem(Severity::error, explicit_source->entry.origin, "source",
            fmt::format("The source is {} here, but {} by connector.class ({})", by_name, by_class,
                        connector->entry.origin));
  if (const std::string& chosen = by_name.empty() ? by_class : by_name; !chosen.empty())
    data_->source = chosen;
}

void ConfigBuilder::check_all() {
  for (const Pending& pending : pending_) check(pending);
  report_ignored();
  const Value* pattern = data_->find("custom.sanitize.pattern");
  const std::string& secrets = pattern != nullptr && !pattern->canonical.empty()
                                   ? pattern->canonical
                                   : config::canonical_fallback(*config::find_row("custom.sanitize.pattern"));
  if (auto regex = text::Regex::compile(secrets, text::Regex::Case::insensitive))
    data_->secrets = std::move(*regex);
}

void ConfigBuilder::check(const Pending& pending) {
  auto found = config::find_property(pending.entry.name, data_->families);
  if (!found) return unknown(pending);
  const config::Property& property = *found->property;
  if (property.disposition == Disposition::ignored_without_kafka) {
    ignored_.emplace_back(pending.entry.name, pending.entry.origin);
    return;
  }
  Value value{pending.entry.name,
              pending.entry.value,
              pending.entry.value,
              config::canonical_fallback(property),
              pending.entry.origin,
              std::move(found->parts),
              &property};
  const SourceName& source = source_named(data_->source);
  if ((property.sources & source.bit) == 0) {
    problem(Severity::warning, value.origin, value.name,
            fmt::format("The '{}' property has no effect on {}", value.name, source.title));
  } else if (check_value(value) && !apply_value_rules(value)) {
    apply_disposition(value);
  }
  data_->index.emplace(value.name, data_->values.size());
  value.debezium_file = !unknown_is_error(pending.entry.form);
  data_->values.push_back(std::move(value));
}

void ConfigBuilder::unknown(const Pending& pending) {
  const std::string nearest = suggestions_left_ > 0 && suggestions_left_-- > 0
                                  ? config::suggest_property(pending.entry.name)
                                  : std::string();
  std::string message = fmt::format("There is no property '{}'", pending.entry.name);
  if (!nearest.empty()) message += fmt::format("; did you mean '{}'?", nearest);
  const bool error = unknown_is_error(pending.entry.form);
  if (!error) message += " (ignored, as Debezium does)";
  problem(error ? Severity::error : Severity::warning, pending.entry.origin, pending.entry.name,
          std::move(message));
}

bool ConfigBuilder::check_value(Value& value) {
  auto resolved = config::resolve_references(value.raw, environment_);
  if (!resolved) {
    std::string message =
        fmt::format("The '{}' value cannot be resolved: {}", value.name, resolved.error().message);
    if (!resolved.error().hint.empty()) message += fmt::format(". {}", resolved.error().hint);
    problem(Severity::error, value.origin, value.name, std::move(message));
    return false;
  }
  value.resolved = std::move(*resolved);
  const bool hide = value.property->kind == Kind::secret || config::has_references(value.raw);
  if (value.name.compare(0, 17, "column.mask.hash.") == 0) {
    if (std::string bad = config::check::hash_algorithm(value.parts.front()); !bad.empty()) {
      problem(Severity::error, value.origin, value.name,
              fmt::format("The '{}' property is invalid: {}", value.name, bad));
      return false;
    }
  }
  auto canonical = config::canonical_value(*value.property, value.resolved, hide);
  if (!canonical) {
    std::string message = fmt::format("The '{}' value is invalid: {}", value.name, canonical.error().message);
    if (!canonical.error().hint.empty()) message += fmt::format(". {}", canonical.error().hint);
    problem(Severity::error, value.origin, value.name, std::move(message));
    return false;
  }
  value.canonical = std::move(*canonical);
  return true;
}

// True when a rule about this very value has said everything.
bool ConfigBuilder::apply_value_rules(Value& value) {
  const std::vector<std::string> pieces = value.property->kind == Kind::enum_list
                                              ? list_of(value.canonical)
                                              : std::vector<std::string>{value.canonical};
  for (const config::ValueRule& rule : config::value_rules()) {
    if (rule.property != value.property->name ||
        std::none_of(pieces.begin(), pieces.end(),
                     [&](const std::string& piece) { return text::equals_ignore_case(piece, rule.value); }))
      continue;
    if (rule.disposition == Disposition::adapted) {
      problem(Severity::warning, value.origin, value.name,
              fmt::format("'{}' as '{}': {}", rule.value, value.name, rule.remark));
      if (!rule.replacement.empty()) value.canonical = rule.replacement;
      return true;
    }
    const std::string_view shown =
        value.property->kind == Kind::class_name ? std::string_view(value.resolved) : rule.value;
    const std::string_view verb =
        rule.disposition == Disposition::not_yet ? " is not supported by this version of cdc yet:" : "";
    problem(Severity::error, value.origin, value.name,
            fmt::format("The '{}' value is invalid: '{}'{} {}", value.name, shown, verb, rule.remark));
    value.canonical = config::canonical_fallback(*value.property);
    return true;
  }
  return false;
}

void ConfigBuilder::apply_disposition(const Value& value) {
  const config::Property& property = *value.property;
  const bool is_default = value.canonical == config::canonical_fallback(property);
  switch (property.disposition) {
    case Disposition::implemented:
    case Disposition::adapted:
    case Disposition::ignored_without_kafka:
      return;
    case Disposition::no_effect:
      if (!is_default)
        problem(Severity::warning, value.origin, value.name,
                fmt::format("The '{}' property has no effect: {}", value.name, property.remark));
      return;
    case Disposition::not_yet:
      if (!is_default && not_yet_.insert(family_of(property.name)).second)
        problem(Severity::error, value.origin, value.name,
                fmt::format("The '{}' property is not supported by this version of cdc yet", value.name));
      return;
    case Disposition::refused:
      problem(Severity::error, value.origin, value.name,
              fmt::format("The '{}' property cannot be honoured: {}", value.name, property.remark));
      return;
  }
}

void ConfigBuilder::report_ignored() {
  if (ignored_.empty()) return;
  std::string names;
  for (const auto& [name, origin] : ignored_) names += (names.empty() ? "" : ", ") + name;
  problem(Severity::warning, ignored_.front().second, ignored_.front().first,
          fmt::format("Without Kafka these have no meaning and are ignored: {}", names));
}

void ConfigBuilder::set_derived(std::string_view name, std::string value, std::string origin) {
  const config::Property* row = config::find_row(name);
  Value derived{std::string(name), value, value, value, std::move(origin), {}, row, true};
  if (const auto found = data_->index.find(derived.name); found != data_->index.end()) {
    Value& existing = data_->values[found->second];
    existing.canonical = std::move(derived.canonical);
    return;
  }
  data_->index.emplace(derived.name, data_->values.size());
  data_->values.push_back(std::move(derived));
}

// A family that is given without the list that opens it (natural in nested YAML): the list is its names.
void ConfigBuilder::open_lists(std::string_view list, std::string_view pattern) {
  if (data_->find(list) != nullptr) return;
  const config::Property* row = config::find_row(pattern);
  std::vector<std::string> names;
  std::string origin;
  for (const Value& value : data_->values) {
    // A file in Debezium's own form means what it means there: without the list the family is not used.
    if (value.property != row || value.debezium_file) continue;
    if (names.empty()) origin = value.origin;
    names.push_back(value.parts.front());
  }
  if (!names.empty()) set_derived(list, text::join_list(names), origin);
}

void ConfigBuilder::derive() {
  open_lists("snapshot.select.statement.overrides", "snapshot.select.statement.overrides.<table>");
  open_lists("transforms", "transforms.<alias>.type");
  open_lists("predicates", "predicates.<alias>.type");
  const Value* mode = data_->find("snapshot.mode");
  const Value* custom = data_->find("snapshot.mode.custom.name");
  if (mode != nullptr && custom != nullptr && mode->canonical == "custom" && !custom->canonical.empty()) {
    auto built_in = config::canonical_value(*mode->property, custom->canonical);
    if (built_in && *built_in != "custom")
      set_derived("snapshot.mode", std::move(*built_in), mode->origin);
    else
      problem(Severity::error, custom->origin, custom->name,
              fmt::format("The '{}' value is invalid: '{}' is none of the built-in modes, and no Java class "
                          "can be loaded",
                          custom->name, custom->canonical));
  }
  if (const Value* factory = data_->find("database.sslfactory");
      factory != nullptr && factory->canonical == "NonValidatingFactory" &&
      data_->find("database.sslmode") == nullptr)
    set_derived("database.sslmode", "require", factory->origin);
  derive_names();
}

// topic.prefix: as set; else, where the configuration was not written for Debezium, `name` or the database.
void ConfigBuilder::derive_names() {
  set_derived("source", data_->source, "default");
  const Value* prefix = data_->find("topic.prefix");
  const Value* name = data_->find("name");
  const Value* database = data_->find("database.dbname");
  if (prefix == nullptr) {
    const Value* base = name != nullptr && !name->canonical.empty() ? name : database;
    if (data_->source != "postgresql") return;  // that was an error already; the rest of the URL was not read
    if (data_->debezium_form || base == nullptr || base->canonical.empty()) {
      problem(Severity::error, {}, "topic.prefix",
              "The 'topic.prefix' value is invalid: a value is required (the logical name of the server; it "
              "begins "
              "every topic); set it with --name, topic.prefix, or a URL that names a database");
    } else {
      std::string adjusted = base->canonical;
      for (char& c : adjusted)
        if (!config::check::topic_characters({&c, 1}).empty()) c = '_';
      set_derived("topic.prefix", std::move(adjusted), fmt::format("default, from {}", base->name));
    }
  }
  prefix = data_->find("topic.prefix");
  if (data_->find("name") == nullptr && prefix != nullptr)
    set_derived("name", prefix->canonical, "default, from topic.prefix");
  if (const Value* own = data_->find("name")) data_->capture_name = own->canonical;
}

}  // namespace cdc
