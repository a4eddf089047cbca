// The checks named in the catalogue. Pure functions of the value's text.
#include "config/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "text/list.h"
#include "text/regex.h"

namespace cdc::config::check {

namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.';
}

bool is_slot_char(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

const text::Regex& identity_form() {
  static const text::Regex regex = *text::Regex::compile(
      R"(\s*([^\s:]+):(DEFAULT|INDEX\s+\S.*|FULL|NOTHING)\s*)", text::Regex::Case::insensitive);
  return regex;
}

// What is wrong with a piece that is used as a regex; empty when it compiles.
std::string regex_problem(std::string_view pattern) {
  auto regex = text::Regex::compile(pattern, text::Regex::Case::insensitive);
  return regex ? std::string() : regex.error().message;
}

std::string key_entry(const std::string& entry) {
  const std::size_t colon = entry.find(':');
  const std::string form =
      fmt::format("'{}' has an invalid format, expecting table-regex:column,column", entry);
  if (colon == std::string::npos || colon == 0 || entry.find(':', colon + 1) != std::string::npos)
    return form;
  const std::string table = entry.substr(0, colon);
  std::string_view columns = std::string_view(entry).substr(colon + 1);
  std::set<std::string> seen;
  while (true) {
    const std::size_t comma = columns.find(',');
    const std::string column(text::trim(columns.substr(0, comma)));
    if (column.empty()) return form;
    if (!seen.insert(column).second) return fmt::format("column '{}' stands twice in '{}'", column, entry);
    if (std::string problem = regex_problem(table + "." + column); !problem.empty()) return problem;
    if (comma == std::string_view::npos) return {};
    columns.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string topic_characters(std::string_view value) {
  if (!value.empty() && std::all_of(value.begin(), value.end(), is_name_char)) return {};
  return fmt::format(
      "'{}' has invalid format (only the underscore, hyphen, dot and alphanumeric characters are allowed)",
      value);
}

std::string topic_characters_or_empty(std::string_view value) {
  return value.empty() ? std::string() : topic_characters(value);
}

std::string slot_name(std::string_view value) {
  if (!value.empty() && value.size() <= 63 && std::all_of(value.begin(), value.end(), is_slot_char))
    return {};
  return fmt::format(
      "'{}'. Valid replication slot name must contain only digits, lowercase characters and underscores with "
      "length <= 63",
      value);
}

std::string key_columns(std::string_view value) {
  for (const std::string& entry : text::split_semicolons(value))
    if (std::string problem = key_entry(entry); !problem.empty()) return problem;
  return {};
}

std::string replica_identities(std::string_view value) {
  auto pieces = text::split_list(value);
  if (!pieces) return pieces.error().message;
  for (const std::string& piece : *pieces) {
    auto groups = identity_form().groups(piece);
    if (!groups || !*groups)
      return fmt::format(
          "'{}' has an invalid format, expecting table-regex:FULL, :DEFAULT, :NOTHING or :INDEX name", piece);
    if (std::string problem = regex_problem((**groups)[1]); !problem.empty()) return problem;
  }
  return {};
}

std::string skipped_operations(std::string_view value) {
  const auto pieces = text::split_list(value);
  if (!pieces || pieces->size() < 2) return {};
  if (std::any_of(pieces->begin(), pieces->end(),
                  [](const std::string& p) { return text::equals_ignore_case(p, "none"); }))
    return fmt::format("'{}': none stands alone or not at all", value);
  return {};
}

std::string placeholder(std::string_view value) {
  if (value.substr(0, 4) != "hex:") return {};
  const std::string_view digits = value.substr(4);
  const bool hex = std::all_of(digits.begin(), digits.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
  return hex && digits.size() % 2 == 0
             ? std::string()
             : fmt::format("'{}': after hex: stand pairs of hexadecimal digits", value);
}

std::string metric_tags(std::string_view value) {
  const auto pieces = text::split_list(value);
  if (!pieces) return pieces.error().message;
  for (const std::string& piece : *pieces)
    if (const std::size_t equals = piece.find('='); equals == 0 || equals == std::string::npos)
      return fmt::format("'{}' is not of the form name=value", piece);
  return {};
}

std::string hash_algorithm(std::string_view algorithm) {
  static constexpr std::string_view known[] = {"MD5",      "SHA-1",    "SHA-224",     "SHA-256",
                                               "SHA-384",  "SHA-512",  "SHA-512/224", "SHA-512/256",
                                               "SHA3-224", "SHA3-256", "SHA3-384",    "SHA3-512"};
  static constexpr std::string_view also[] = {"SHA", "SHA1"};  // Java's other names of SHA-1
  auto same = [&](std::string_view k) { return text::equals_ignore_case(k, algorithm); };
  if (std::any_of(std::begin(known), std::end(known), same) ||
      std::any_of(std::begin(also), std::end(also), same))
    return {};
  return fmt::format(
      "there is no hash algorithm '{}'; known are MD5, SHA-1, SHA-224, SHA-256, SHA-384, SHA-512 "
      "and SHA3-224 to SHA3-512",
      algorithm);
}

std::string not_empty(std::string_view value) { return text::trim(value).empty() ? "it is empty" : ""; }

}  // namespace cdc::config::check
