// ${env:NAME}, ${env:NAME:default}, ${file:/path}, ${file:/path:key} and ${directory:/path:file} in values.
// Other ${...} belong to somebody else (replacement texts of transforms) and stay.
#include <fmt/format.h>

#include "config/loaders.h"

namespace cdc::config {

namespace {

constexpr std::size_t largest_secret = std::size_t{1} << 20;

// NAME, or NAME:default.
Result<std::string> from_environment(const std::string& target, const Environment& environment) {
  const std::size_t colon = target.find(':');
  const std::string name = target.substr(0, colon);
  if (const char* value = environment ? environment(name.c_str()) : nullptr) return std::string(value);
  if (colon != std::string::npos) return target.substr(colon + 1);
  return fail(ErrorKind::usage,
              fmt::format("the environment variable '{}' of ${{env:{}}} is not set", name, name));
}

// One final line end is the editor's, not the secret's.
Result<std::string> whole_file(const std::string& path) {
  CDC_TRY(std::string text, read_text_file(path, largest_secret));
  if (!text.empty() && text.back() == '\n') text.pop_back();
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

Result<std::string> key_of_file(const std::string& path, const std::string& key) {
  CDC_TRY(const std::string text, read_text_file(path, largest_secret));
  const Loaded loaded = load_properties(text, path);
  for (auto entry = loaded.entries.rbegin(); entry != loaded.entries.rend(); ++entry)
    if (entry->name == key) return entry->value;
  if (!loaded.problems.empty())  // perhaps the very line
    return fail(ErrorKind::usage, problem_line(loaded.problems.front()));
  return fail(ErrorKind::usage,
              fmt::format("the file '{}' of ${{file:{}:{}}} has no property '{}'", path, path, key, key));
}

Result<std::string> from_file(const std::string& target, const Environment&) {
  const std::size_t colon = target.rfind(':');
  if (colon == std::string::npos) return whole_file(target);
  return key_of_file(target.substr(0, colon), target.substr(colon + 1));
}

Result<std::string> from_directory(const std::string& target, const Environment&) {
  const std::size_t colon = target.rfind(':');
  if (colon == std::string::npos)
    return fail(ErrorKind::usage,
                fmt::format("${{directory:{}}} needs a file name: ${{directory:/path:file}}", target));
  return whole_file(target.substr(0, colon) + "/" + target.substr(colon + 1));
}

Result<std::string> from_kubernetes(const std::string& target, const Environment&) {
  return fail(ErrorKind::usage,
              fmt::format("'{}' stands in Kubernetes or a vault, which cdc does not ask", target),
              "Mount it as a file or set it as a variable, and write ${file:/path} or ${env:NAME}");
}

struct Provider {
  std::string_view prefix;
  Result<std::string> (*get)(const std::string& target, const Environment& environment);
};
constexpr Provider providers[] = {{"${env:", from_environment},     {"${file:", from_file},
                                  {"${directory:", from_directory}, {"${dir:", from_directory},
                                  {"${secrets:", from_kubernetes},  {"${configmaps:", from_kubernetes},
                                  {"${vault:", from_kubernetes}};

const Provider* provider_at(std::string_view text) {
  for (const Provider& provider : providers)
    if (text.substr(0, provider.prefix.size()) == provider.prefix) return &provider;
  return nullptr;
}

}  // namespace

bool has_references(std::string_view value) {
  for (std::size_t at = value.find("${"); at != std::string_view::npos; at = value.find("${", at + 2))
    if (provider_at(value.substr(at)) != nullptr) return true;
  return false;
}

Result<std::string> resolve_references(std::string_view value, const Environment& environment) {
  std::string out;
  while (true) {
    const std::size_t at = value.find("${");
    out += value.substr(0, at);
    if (at == std::string_view::npos) return out;
    value.remove_prefix(at);
    const Provider* provider = provider_at(value);
    if (provider == nullptr) {
      out += "${";
      value.remove_prefix(2);
      continue;
    }
    const std::size_t close = value.find('}');
    if (close == std::string_view::npos)
      return fail(ErrorKind::usage, fmt::format("a '}}' is missing after '{}'", provider->prefix));
    const std::string target(value.substr(provider->prefix.size(), close - provider->prefix.size()));
    CDC_TRY(const std::string found, provider->get(target, environment));
    out += found;
    value.remove_prefix(close + 1);
  }
}

}  // namespace cdc::config
