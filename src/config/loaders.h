// Readers of configuration texts: YAML, connector JSON, Java properties, connection URLs. Each turns a
// text into flat (name, value, place) entries; total over all inputs. Not here: what names mean.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"

namespace cdc::config {

enum class Form : std::uint8_t { yaml, json, properties, url, setting, flag };

struct RawEntry {
  std::string name;
  std::string value;
  std::optional<std::vector<std::string>> elements;  // a list of YAML or JSON, instead of `value`
  std::string origin;                                // "shop.yaml:12"
  Form form = Form::setting;
};

struct Loaded {
  std::vector<RawEntry> entries;
  std::vector<ConfigProblem> problems;
};

// `file` is the name shown in origins. Nested keys are joined by dots; null values count as not set.
Loaded load_yaml(std::string_view text, std::string_view file);
Loaded load_json(std::string_view text, std::string_view file);
Loaded load_properties(std::string_view text, std::string_view file);
Loaded load_url(std::string_view url);
// Whether it begins like the URL of a source, known to this build or not.
bool is_source_url(std::string_view text);
// -s key=value
Loaded load_setting(std::string_view setting);

// Reads a file, by its extension, else by its content.
Loaded load_file(const std::string& path);
Form form_of(std::string_view path, std::string_view text);
// The whole file, at most `limit` bytes.
Result<std::string> read_text_file(const std::string& path, std::size_t limit = std::size_t{4} << 20);

// ${env:NAME}, ${env:NAME:default}, ${file:/path}, ${file:/path:key} and ${directory:/path:file} replaced
// by what they point at.
// Other ${...} stay. Errors are complete sentences.
using Environment = std::function<const char*(const char*)>;
Result<std::string> resolve_references(std::string_view value, const Environment& environment);
bool has_references(std::string_view value);

// Debezium Server's and the embedded engine's spelling of names, turned into the connector's:
// debezium.source.X -> X, debezium.format.value.X -> value.converter.X, ... What only steers Debezium
// Server itself is taken out and named in one warning. There ${NAME} and ${NAME:default} are variables.
void translate_server_names(Loaded& loaded);

ConfigProblem load_error(std::string where, std::string message);

}  // namespace cdc::config
