// The tokenizer of array literals.
#include "source/postgres/values/array_text.h"

namespace cdc::pg {
namespace {

constexpr int kMaxDepth = 64;  // the server has at most 6 dimensions

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_null_word(std::string_view word) {
  if (word.size() != 4) return false;
  for (std::size_t i = 0; i < 4; ++i)
    if ((word[i] | 0x20) != "null"[i]) return false;
  return true;
}

}  // namespace

ArrayText::ArrayText(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {
  skip_space();
  failed_ = !skip_bounds();
}

void ArrayText::skip_space() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
}

// `[2:3]=`, `[0:1][5:6]=`: which subscripts the elements have. They are dropped.
bool ArrayText::skip_bounds() {
  if (at_ == text_.size() || text_[at_] != '[') return true;
  const std::size_t equals = text_.find('=', at_);
  if (equals == std::string_view::npos || text_[equals - 1] != ']') return false;
  if (text_.substr(at_, equals - at_).find_first_not_of("[]0123456789:+-") != std::string_view::npos)
    return false;
  at_ = equals + 1;
  skip_space();
  return true;
}

ArrayText::Token ArrayText::fail() {
  failed_ = true;
  return Token::malformed;
}

// All elements stand at one depth, and there are no arrays beside them.
bool ArrayText::element_fits() {
  if (element_depth_ == 0) element_depth_ = depth_;
  return element_depth_ == depth_ && expects_value_ && depth_ > 0;
}

ArrayText::Token ArrayText::next() {
  if (failed_) return Token::malformed;
  skip_space();
  if (depth_ == 0 && finished_) return at_ == text_.size() ? Token::end : fail();
  if (at_ == text_.size()) return fail();
  if (text_[at_] == delimiter_) {
    if (expects_value_ || depth_ == 0) return fail();
    ++at_;
    expects_value_ = true;
    just_opened_ = false;
    skip_space();
    if (at_ == text_.size()) return fail();
  }
  switch (text_[at_]) {
    case '{':
      if (!expects_value_ || depth_ == kMaxDepth || (element_depth_ != 0 && depth_ >= element_depth_))
        return fail();
      ++at_;
      ++depth_;
      just_opened_ = true;
      return Token::open;
    case '}':
      if (depth_ == 0 || (expects_value_ && !just_opened_)) return fail();
      ++at_;
      finished_ = --depth_ == 0;
      expects_value_ = just_opened_ = false;
      return Token::close;
    default:
      break;
  }
  if (!element_fits()) return fail();
  expects_value_ = just_opened_ = false;
  return text_[at_] == '"' ? quoted() : bare();
}

ArrayText::Token ArrayText::quoted() {
  const std::size_t begin = ++at_;
  const std::size_t stop = text_.find_first_of("\"\\", begin);
  if (stop == std::string_view::npos) return fail();
  if (text_[stop] == '"') {
    element_ = text_.substr(begin, stop - begin);
    at_ = stop + 1;
    return Token::element;
  }
  scratch_.assign(text_, begin, stop - begin);
  for (std::size_t i = stop; i < text_.size(); ++i) {
    if (text_[i] == '"') {
      element_ = scratch_;
      at_ = i + 1;
      return Token::element;
    }
    if (text_[i] == '\\' && ++i == text_.size()) break;
    scratch_.push_back(text_[i]);
  }
  return fail();
}

ArrayText::Token ArrayText::bare() {
  const std::size_t begin = at_;
  std::size_t end = begin;  // behind the last character that is no blank, unless escaped
  bool escaped = false;
  scratch_.clear();
  for (; at_ < text_.size() && text_[at_] != delimiter_ && text_[at_] != '}'; ++at_) {
    char c = text_[at_];
    if (c == '{' || c == '"') return fail();
    const bool escape = c == '\\';
    if (escape) {
      if (!escaped) scratch_.assign(text_, begin, at_ - begin);
      escaped = true;
      if (++at_ == text_.size()) return fail();
      c = text_[at_];
    }
    if (escaped) scratch_.push_back(c);
    if (escape || !is_space(c)) end = at_ + 1;
  }
  if (at_ == text_.size() || end == begin) return fail();
  if (escaped) {
    scratch_.resize(scratch_.size() - (at_ - end));
    element_ = scratch_;
    return Token::element;
  }
  element_ = text_.substr(begin, end - begin);
  return is_null_word(element_) ? Token::null : Token::element;
}

}  // namespace cdc::pg
