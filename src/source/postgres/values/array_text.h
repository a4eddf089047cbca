// Array literals (4.6): `[2:3]={a,"b\"c",NULL}`, nested, with any delimiter. A total tokenizer and,
// on top of it, the loop that writes a JSON array with an element encoder of the caller's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// Reads one literal token by token. `text` must outlive the reader.
class ArrayText {
 public:
  enum class Token : std::uint8_t { open, close, element, null, end, malformed };

  explicit ArrayText(std::string_view text, char delimiter = ',');

  // The next token. After `end` or `malformed` it stays there.
  Token next();
  // Of the last `element`: a view into the text, or into a scratch of the reader's when it had
  // escapes. Valid until the next call of next().
  std::string_view element() const { return element_; }
  // Depth of braces at this moment; the number of dimensions while at an element.
  int depth() const { return depth_; }

 private:
  Token fail();
  Token quoted();
  Token bare();
  bool skip_bounds();
  void skip_space();
  bool element_fits();

  std::string_view text_;
  std::size_t at_ = 0;
  char delimiter_;
  int depth_ = 0;
  int element_depth_ = 0;      // at which depth elements stand; 0: none seen yet
  bool expects_value_ = true;  // not a delimiter
  bool just_opened_ = false;   // so that `}` may follow although a value is expected
  bool finished_ = false, failed_ = false;
  std::string_view element_;
  std::string scratch_;
};

// What an array held, for who has to adapt its schema.
struct ArrayFacts {
  int dimensions = 0;           // 0: `{}`
  bool null_element = false;    // a NULL of the array itself
  bool element_failed = false;  // an element that could not be expressed; written as null
};

// Appends nested JSON arrays; `element(text, out)` appends one element, or returns false having
// appended nothing. nullopt: malformed, nothing appended.
template <class Element>
std::optional<ArrayFacts> append_array(std::string_view text, char delimiter, Buffer& out,
                                       Element&& element) {
  const std::size_t begin = out.size();
  ArrayText reader(text, delimiter);
  ArrayFacts facts;
  bool first = true;  // no comma needed
  for (;;) {
    const ArrayText::Token token = reader.next();
    if (token == ArrayText::Token::end) return facts;
    if (token == ArrayText::Token::malformed) {
      out.truncate(begin);
      return std::nullopt;
    }
    if (token == ArrayText::Token::close) {
      out.push(']');
      first = false;
      continue;
    }
    if (!first) out.push(',');
    first = false;
    if (token == ArrayText::Token::open) {
      out.push('[');
      first = true;
      continue;
    }
    facts.dimensions = reader.depth();
    const bool is_null = token == ArrayText::Token::null;
    const bool written = !is_null && element(reader.element(), out);
    facts.null_element |= is_null;
    facts.element_failed |= !is_null && !written;
    if (!written) out.append("null");
  }
}

}  // namespace cdc::pg
