// `cdc config`: the effective configuration as YAML, and the reference of all properties.
#include <fmt/format.h>

#include <algorithm>

#include "cdc/config.h"
#include "config/config_data.h"
#include "config/loaders.h"
#include "config/values.h"
#include "json/json_read.h"
#include "text/list.h"

namespace cdc {

namespace {

using config::Disposition;
using config::Property;

constexpr std::string_view hidden = "\"********\"";
constexpr std::size_t comment_column = 56;

bool is_plain(std::string_view s) {
  if (text::equals_ignore_case(s, "null")) return false;  // would read back as not set
  return !s.empty() && s[0] != '-' && std::all_of(s.begin(), s.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '/';
  });
}

// A YAML scalar that reads back as the same text.
std::string scalar(std::string_view s) {
  if (is_plain(s)) return std::string(s);
  const bool control = std::any_of(s.begin(), s.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
  if (control) return json::quote(s);
  std::string out = "'";
  for (const char c : s) {
    if (c == '\'') out.push_back('\'');
    out.push_back(c);
  }
  return out + "'";
}

std::string line(std::string_view name, std::string_view value, std::string_view comment) {
  const std::string text = fmt::format("{}: {}", scalar(name), value);
  return fmt::format("{:<{}}  # {}\n", text, comment_column, comment);
}

std::string disposition_text(const Property& property) {
  switch (property.disposition) {
    case Disposition::implemented:
      return {};
    case Disposition::adapted:
      return property.remark.empty() ? std::string() : std::string(property.remark);
    case Disposition::no_effect:
      return fmt::format("no effect: {}", property.remark);
    case Disposition::ignored_without_kafka:
      return "ignored: there is no Kafka";
    case Disposition::not_yet:
      return "not supported by this version yet";
    case Disposition::refused:
      return fmt::format("refused: {}", property.remark);
  }
  return {};
}

struct ReferenceRow {
  std::string name, type, fallback, allowed, note;
  std::string_view doc;
};

ReferenceRow reference_row(const Property& property) {
  return {std::string(property.name),     std::string(config::kind_text(property.kind)),
          std::string(property.fallback), config::allowed_text(property),
          disposition_text(property),     property.doc};
}

std::string plain_entry(const ReferenceRow& row) {
  std::string out = fmt::format("{}\n    {}\n    {}", row.name, row.doc, row.type);
  if (!row.allowed.empty()) out += fmt::format(": {}", row.allowed);
  if (!row.fallback.empty()) out += fmt::format("; default {}", row.fallback);
  if (!row.note.empty()) out += fmt::format("\n    ({})", row.note);
  return out + "\n";
}

std::string markdown_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '<' || c == '>') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string markdown_entry(const ReferenceRow& row) {
  const std::string doc = row.note.empty() ? std::string(row.doc) : fmt::format("{} ({})", row.doc, row.note);
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", row.name, row.type, markdown_cell(row.allowed),
                     row.fallback.empty() ? "" : fmt::format("`{}`", markdown_cell(row.fallback)),
                     markdown_cell(doc));
}

}  // namespace

std::string render_config(const Config& config, bool all) {
  std::string out;
  for (const config::Value& value : ConfigAccess::of(config).values) {
    const bool secret = config.is_secret(value.name);
    // A secret that is nothing but a reference is shown: it tells where, not what.
    const bool reference =
        config::has_references(value.raw) && value.raw.front() == '$' && value.raw.back() == '}';
    const std::string& text = value.derived ? value.canonical : value.raw;
    out += line(value.name, secret && !reference ? std::string(hidden) : scalar(text), value.origin);
  }
  if (!all) return out;
  for (const config::Topic& topic : config::topics())
    for (const Property& property : topic.properties)
      if (!property.fallback.empty() && property.name.find('<') == std::string_view::npos &&
          ConfigAccess::of(config).find(property.name) == nullptr)
        out += line(property.name, scalar(property.fallback), "default");
  return out;
}

std::string render_reference(bool markdown) {
  std::string out;
  for (const config::Topic& topic : config::topics()) {
    if (markdown)
      out += fmt::format("## {}\n\n| property | type | values | default | meaning |\n|---|---|---|---|---|\n",
                         topic.title);
    else
      out += fmt::format("{}\n{}\n\n", topic.title, std::string(topic.title.size(), '='));
    for (const Property& property : topic.properties)
      out += markdown ? markdown_entry(reference_row(property)) : plain_entry(reference_row(property));
    out += "\n";
  }
  return out;
}

}  // namespace cdc
