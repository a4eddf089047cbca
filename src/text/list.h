// Lists in property values: splitting by the comma rule of CORE-FLT-01 and joining so that splitting
// gives the same back. Not here: what the pieces mean (regexes: text/regex.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc::text {

std::string_view trim(std::string_view s);  // white space as Java's String.trim: everything up to U+0020
std::string lower(std::string_view s);      // ASCII letters only
bool equals_ignore_case(std::string_view a, std::string_view b);

// CORE-FLT-01: split at commas that no backslash precedes, trim, drop empty pieces, then `\,` becomes
// `,`. Other backslashes stay (they belong to a regex). A lone backslash at the end is an error.
Result<std::vector<std::string>> split_list(std::string_view list);
// Pieces of a list written with `;` (trimmed, empty ones dropped, no escapes).
std::vector<std::string> split_semicolons(std::string_view list);
// SQL statements separated by `;`, where `;;` stands for a semicolon (CORE-ERR-06).
std::vector<std::string> split_statements(std::string_view text);
// Escapes what split_list would split.
std::string join_list(const std::vector<std::string>& pieces);

}  // namespace cdc::text
