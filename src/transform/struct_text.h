// Structs as JSON text: taking one apart into the raw texts of its fields, and putting texts together.
// Texts pass through byte for byte. Trusts the writer of the text to have kept the order of the schema,
// but not the text itself: any bytes are safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/buffer.h"
#include "cdc/schema.h"

namespace cdc::transform {

using Texts = std::vector<std::string_view>;

inline bool is_null(std::string_view text) { return text.empty() || text == "null"; }

// One text a field of the schema ("null" for what is missing). False: the text is no object.
bool split_struct(const Schema& schema, std::string_view object, Texts& out);
// The text of one field; "null" when the object has none of that name.
std::string_view member(std::string_view object, std::string_view name);
// Calls back for every member until it returns false. The key comes as a literal, with its quotes.
template <class F>
bool for_each_member(std::string_view object, F take);
bool split_array(std::string_view array, Texts& out);

// How nulls print in fields that have a default (CORE-JSON-09).
enum class Nulls : bool { keep, fill };

std::string_view filled(const Schema& field, std::string_view text, Nulls nulls);
void append_struct(Buffer& out, const Schema& schema, const Texts& texts, Nulls nulls);

// End of the value that begins at `at`; npos when the text ends inside it.
std::size_t value_end(std::string_view text, std::size_t at);

template <class F>
bool for_each_member(std::string_view object, F take) {
  if (object.size() < 2 || object.front() != '{') return false;
  std::size_t at = 1;
  if (object[at] == '}') return true;
  for (;;) {
    const std::size_t key_end = value_end(object, at);
    if (object[at] != '"' || key_end == std::string_view::npos || key_end >= object.size() ||
        object[key_end] != ':')
      return false;
    const std::size_t end = value_end(object, key_end + 1);
    if (end == std::string_view::npos || end >= object.size()) return false;
    if (!take(object.substr(at, key_end - at), object.substr(key_end + 1, end - key_end - 1))) return true;
    if (object[end] == '}') return true;
    if (object[end] != ',' || end + 1 >= object.size()) return false;
    at = end + 1;
  }
}

}  // namespace cdc::transform
