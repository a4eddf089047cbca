// Writing and reading borders.
#include "signals/key_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc {
namespace {

bool is_bare(const std::string& type) {
  return type == "int16" || type == "int32" || type == "int64" || type == "boolean";
}

bool is_bare_value(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  return (problem == std::errc() && stop == end) || text == "true" || text == "false";
}

// Floating-point numbers print as Java has them, everything else as the server does.
std::string value_display(const std::string& type, const std::string& text) {
  const char* first = text.c_str();
  char* end = nullptr;
  const double number = std::strtod(first, &end);
  if ((type != "float64" && type != "float32") || end == first || !std::isfinite(number)) return text;
  Buffer out;
  if (type == "float64")
    json::append_double(out, number);
  else
    json::append_float(out, std::strtof(first, nullptr));
  return std::string(out.view());
}

}  // namespace

std::string key_json(const ChunkKey& key) {
  std::string json = "[";
  for (const KeyPart& part : key) {
    const std::string value = !part.text ? "null" : is_bare(part.type) ? *part.text : json::quote(*part.text);
    json +=
        fmt::format("{}{{\"t\":{},\"v\":{}}}", json.size() == 1 ? "" : ",", json::quote(part.type), value);
  }
  return json + "]";
}

std::optional<ChunkKey> parse_key_json(std::string_view json) {
  const auto elements = json::elements(json);
  if (!elements) return std::nullopt;
  ChunkKey key;
  for (const std::string_view element : *elements) {
    const auto members = json::members(element);
    if (!members) return std::nullopt;
    KeyPart part;
    for (const auto& [name, value] : *members) {
      if (name == "t") {
        const auto type = json::unquote(value);
        if (!type) return std::nullopt;
        part.type = *type;
      } else if (name == "v" && !json::is_null(value)) {
        part.text = json::unquote(value).value_or(std::string(value));
      }
    }
    if (part.text && is_bare(part.type) && !is_bare_value(*part.text)) return std::nullopt;
    key.push_back(std::move(part));
  }
  return key;
}

std::string key_display(const ChunkKey& key) {
  std::string text;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (i > 0) text.push_back(',');
    text += key[i].text ? value_display(key[i].type, *key[i].text) : "<null>";
  }
  return text;
}

}  // namespace cdc
