// Writing and reading borders.
#include "signals/key_text.h"

#include <fmt/format.h>

#include "json/json_read.h"

namespace cdc {
namespace {

bool is_bare(const std::string& type) {
  return type == "int16" || type == "int32" || type == "int64" || type == "boolean";
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
    key.push_back(std::move(part));
  }
  return key;
}

std::string key_display(const ChunkKey& key) {
  std::string text;
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (i > 0) text.push_back(',');
    text += key[i].text.value_or("<null>");
  }
  return text;
}

}  // namespace cdc
