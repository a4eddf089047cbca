// Sorting default expressions by their text alone, in the order that PG 4.11 gives.
#include "source/postgres/types/default_expression.h"

#include <array>
#include <cstddef>

namespace cdc::pg {
namespace {

constexpr std::array<std::string_view, 5> kTimeWords{"CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME",
                                                     "LOCALTIME", "LOCALTIMESTAMP"};

// What a Java pattern takes for the end of a line, in UTF-8.
constexpr std::array<std::string_view, 5> kLineEnds{"\n", "\r", "\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// `name(` or `(name(`: what follows does not matter. More than one parenthesis in front is no call.
bool begins_with_call(std::string_view text) {
  std::size_t begin = !text.empty() && text[0] == '(' ? 1 : 0;
  std::size_t end = begin;
  while (end < text.size() && is_name_char(text[end])) ++end;
  return end > begin && end < text.size() && text[end] == '(';
}

bool is_time_word(std::string_view text) {
  for (std::string_view word : kTimeWords) {
    if (text == word) return true;
  }
  return false;
}

bool has_line_end(std::string_view text) {
  for (std::string_view end : kLineEnds) {
    if (text.find(end) != std::string_view::npos) return true;
  }
  return false;
}

DefaultExpression read_literal(std::string_view from_quote) {
  DefaultExpression result{DefaultExpression::Kind::literal, {}, false};
  for (std::size_t i = 1; i < from_quote.size(); ++i) {
    if (from_quote[i] == '\'') {
      const bool doubled = i + 1 < from_quote.size() && from_quote[i + 1] == '\'';
      if (!doubled) {
        if (has_line_end(result.text)) return {DefaultExpression::Kind::unreadable, {}, false};
        return result;
      }
      ++i;
    }
    result.text.push_back(from_quote[i]);
  }
  return {DefaultExpression::Kind::unreadable, {}, false};
}

}  // namespace

DefaultExpression read_default(std::string_view expression) {
  using Kind = DefaultExpression::Kind;
  if (expression.empty() || expression.starts_with("NULL")) return {Kind::null, {}, false};
  if (begins_with_call(expression) || is_time_word(expression)) return {Kind::call, {}, false};
  const std::size_t quote = expression.find('\'');
  if (quote != std::string_view::npos) {
    DefaultExpression literal = read_literal(expression.substr(quote));
    literal.opens_with_literal = quote == 0;
    return literal;
  }
  return {Kind::bare, std::string(expression), false};
}

bool is_sequence_default(std::string_view expression) {
  return expression.find("nextval(") != std::string_view::npos;
}

}  // namespace cdc::pg
