// Looking into JSON text that cdc wrote itself (or a user's one-line document): splitting an object
// or array into raw members without building a document, and reading strings back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cdc::json {

// Members of an object / elements of an array as raw texts, in order; nullopt when the text is not
// one well-formed object / array. Keys are unescaped.
std::optional<std::vector<std::pair<std::string, std::string_view>>> members(std::string_view object);
std::optional<std::vector<std::string_view>> elements(std::string_view array);
// The UTF-8 of a JSON string literal (quotes included in `literal`); lone surrogates become U+FFFD.
std::optional<std::string> unquote(std::string_view literal);
std::string quote(std::string_view utf8);
bool is_null(std::string_view value);

}  // namespace cdc::json
