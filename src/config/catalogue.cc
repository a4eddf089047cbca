// The one reader of the catalogue's tables: lookup by name, patterns, old names, suggestions.
#include "config/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "text/suggest.h"

namespace cdc::config {

namespace {

bool is_pattern(std::string_view name) { return name.find('<') != std::string_view::npos; }

struct Index {
  std::unordered_map<std::string_view, const Property*> rows;
  std::vector<const Property*> patterns;
  std::vector<std::string_view> names;  // what a suggestion may be

  Index() {
    for (const Topic& topic : topics()) {
      for (const Property& property : topic.properties) {
        rows.emplace(property.name, &property);
        if (is_pattern(property.name))
          patterns.push_back(&property);
        else
          names.push_back(property.name);
      }
    }
    for (const Alias& alias : aliases())
      if (!is_pattern(alias.old_name)) names.push_back(alias.old_name);
    // A pattern that begins with a place is tried last: it matches nearly everything.
    std::stable_partition(patterns.begin(), patterns.end(),
                          [](const Property* p) { return p->name[0] != '<'; });
  }
};

const Index& index() {
  static const Index instance;
  return instance;
}

bool is_declared(const Property& pattern, const std::vector<std::string>& parts, const Families& families) {
  auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), parts.front()) != names.end();
  };
  if (pattern.name.substr(0, 11) == "<converter>") return among(families.converters);
  if (pattern.name.substr(0, 11) == "<processor>") return among(families.processors);
  return true;
}

enum class Place : std::uint8_t { number, word, rest };

Place place_kind(std::string_view place) {
  if (place == "N") return Place::number;
  if (place == "ALG" || place == "alias" || place == "converter" || place == "processor") return Place::word;
  return Place::rest;
}

bool fits(Place place, std::string_view part) {
  if (part.empty()) return false;
  if (place == Place::number)
    return part.size() <= 9 &&
           std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
  return place == Place::rest || part.find('.') == std::string_view::npos;
}

}  // namespace

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {
      {"Capture and connection", connection_properties()},
      {"PostgreSQL", postgres_properties()},
      {"Names", name_properties()},
      {"Filters, columns and keys", filter_properties()},
      {"Values", type_properties()},
      {"Snapshots", snapshot_properties()},
      {"Signals, incremental snapshots and notifications", signal_properties()},
      {"Queue, errors, heartbeats and metrics", runtime_properties()},
      {"Positions and schema history", state_properties()},
      {"Converters", converter_properties()},
      {"Output, run and log", output_properties()},
      {"Transforms and predicates", transform_properties()},
      {"Accepted from existing configurations", foreign_properties()},
  };
  return all;
}

std::optional<std::vector<std::string>> match_pattern(std::string_view pattern, std::string_view name) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t open = pattern.find('<');
    const std::string_view literal = pattern.substr(0, open);
    if (name.substr(0, literal.size()) != literal) return std::nullopt;
    name.remove_prefix(literal.size());
    if (open == std::string_view::npos) return name.empty() ? std::optional(std::move(parts)) : std::nullopt;
    const std::size_t close = pattern.find('>', open);
    const Place place = place_kind(pattern.substr(open + 1, close - open - 1));
    pattern.remove_prefix(close + 1);
    // The place reaches to the literal that follows it, or to the end.
    const std::string_view next = pattern.substr(0, pattern.find('<'));
    const std::size_t end = next.empty() ? name.size() : name.find(next);
    if (end == std::string_view::npos || !fits(place, name.substr(0, end))) return std::nullopt;
    parts.emplace_back(name.substr(0, end));
    name.remove_prefix(end);
  }
}

const Property* find_row(std::string_view name) {
  const auto found = index().rows.find(name);
  return found == index().rows.end() ? nullptr : found->second;
}

std::optional<Found> find_property(std::string_view name, const Families& families) {
  if (const Property* row = find_row(name)) return Found{row, {}};
  for (const Property* pattern : index().patterns) {
    if (auto parts = match_pattern(pattern->name, name); parts && is_declared(*pattern, *parts, families))
      return Found{pattern, std::move(*parts)};
  }
  return std::nullopt;
}

std::vector<std::string_view> split_bars(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t bar = text.find('|');
    out.push_back(text.substr(0, bar));
    text = bar == std::string_view::npos ? std::string_view{} : text.substr(bar + 1);
  }
  return out;
}

std::optional<Translated> translate_alias(std::string_view name, std::string_view value) {
  for (const Alias& alias : aliases()) {
    auto parts = match_pattern(alias.old_name, name);
    if (!parts) continue;
    Translated out{std::string(alias.new_name), std::nullopt, alias.silent};
    if (const std::size_t place = out.name.find('<'); place != std::string::npos)
      out.name.replace(place, out.name.find('>') - place + 1, parts->front());
    for (const std::string_view pair : split_bars(alias.value_map))
      if (const std::size_t equals = pair.find('='); pair.substr(0, equals) == value)
        out.value = std::string(pair.substr(equals + 1));
    return out;
  }
  return std::nullopt;
}

std::string suggest_property(std::string_view name) {
  return std::string(text::nearest(name, index().names));
}

std::string_view kind_text(Kind kind) {
  static constexpr std::string_view texts[] = {
      "bool",           "number",  "milliseconds", "duration",    "size",  "port",  "text", "SQL",   "list",
      "list of values", "regexes", "regex",        "list with ;", "value", "class", "path", "secret"};
  return texts[static_cast<std::size_t>(kind)];
}

}  // namespace cdc::config
