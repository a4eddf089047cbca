// Rewrites JSON in one canonical spelling. Nesting beyond kMaxDepth is kept as it was written.
#include "state/partition.h"

#include <algorithm>

#include "json/json_read.h"

namespace cdc {
namespace {

constexpr int kMaxDepth = 32;

std::string canonical(std::string_view value, int depth) {
  if (depth > kMaxDepth || value.empty()) return std::string(value);
  std::string out;
  if (value.front() == '{') {
    auto members = json::members(value);
    if (!members) return std::string(value);
    std::stable_sort(members->begin(), members->end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    out = "{";
    for (const auto& [name, member] : *members) {
      if (out.size() > 1) out += ',';
      out += json::quote(name) + ":" + canonical(member, depth + 1);
    }
    return out + "}";
  }
  if (value.front() == '[') {
    const auto elements = json::elements(value);
    if (!elements) return std::string(value);
    out = "[";
    for (const std::string_view element : *elements) {
      if (out.size() > 1) out += ',';
      out += canonical(element, depth + 1);
    }
    return out + "]";
  }
  if (value.front() == '"')
    if (const auto text = json::unquote(value)) return json::quote(*text);
  return std::string(value);
}

}  // namespace

std::string canonical_json(std::string_view json) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!json.empty() && is_space(json.front())) json.remove_prefix(1);
  while (!json.empty() && is_space(json.back())) json.remove_suffix(1);
  return canonical(json, 0);
}

}  // namespace cdc
