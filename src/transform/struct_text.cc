// The splitter of compact JSON and its inverse.
#include "transform/struct_text.h"

#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc::transform {
namespace {

constexpr std::size_t npos = std::string_view::npos;

// Behind the closing quote of the string that begins at `at`.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return npos;
}

bool is_key(std::string_view literal, std::string_view name) {
  const std::string_view inner = literal.substr(1, literal.size() - 2);
  if (inner == name) return inner.find('\\') == npos;
  return inner.find('\\') != npos && json::unquote(literal) == name;
}

}  // namespace

std::size_t value_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return npos;
  if (text[at] == '"') return string_end(text, at);
  if (text[at] != '{' && text[at] != '[') {
    const std::size_t end = text.find_first_of(",}]", at);
    return end == at ? npos : end == npos ? text.size() : end;
  }
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size();) {
    switch (text[i]) {
      case '"':
        i = string_end(text, i);
        if (i == npos) return npos;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return i + 1;
        break;
      default:
        break;
    }
    ++i;
  }
  return npos;
}

bool split_struct(const Schema& schema, std::string_view object, Texts& out) {
  out.clear();
  std::size_t n = 0;
  bool in_order = true;
  const bool whole = for_each_member(object, [&](std::string_view key, std::string_view value) {
    in_order = n < schema.fields.size() && is_key(key, schema.fields[n].name);
    if (in_order) out.push_back(value), ++n;
    return in_order;
  });
  if (!whole) return false;
  if (in_order && n == schema.fields.size()) return true;
  out.clear();
  for (const Field& field : schema.fields) out.push_back(member(object, field.name));
  return true;
}

std::string_view member(std::string_view object, std::string_view name) {
  std::string_view found = "null";
  for_each_member(object, [&](std::string_view key, std::string_view value) {
    if (!is_key(key, name)) return true;
    found = value;
    return false;
  });
  return found;
}

bool split_array(std::string_view array, Texts& out) {
  out.clear();
  if (array.size() < 2 || array.front() != '[') return false;
  std::size_t at = 1;
  if (array[at] == ']') return true;
  for (;;) {
    const std::size_t end = value_end(array, at);
    if (end == npos || end >= array.size()) return false;
    out.push_back(array.substr(at, end - at));
    if (array[end] == ']') return true;
    if (array[end] != ',') return false;
    at = end + 1;
  }
}

std::string_view filled(const Schema& field, std::string_view text, Nulls nulls) {
  return nulls == Nulls::fill && field.default_json && is_null(text) ? std::string_view(*field.default_json)
                                                                     : text;
}

void append_struct(Buffer& out, const Schema& schema, const Texts& texts, Nulls nulls) {
  out.push('{');
  for (std::size_t i = 0; i < schema.fields.size(); ++i) {
    if (i > 0) out.push(',');
    json::append_string(out, schema.fields[i].name);
    out.push(':');
    const std::string_view text = filled(*schema.fields[i].schema, texts[i], nulls);
    out.append(text.empty() ? std::string_view("null") : text);
  }
  out.push('}');
}

}  // namespace cdc::transform
