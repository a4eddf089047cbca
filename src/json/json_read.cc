// Splitting JSON text into raw members. A strict scanner without a document; nesting is kept in a
// small stack of its own, so that no text can exhaust the program's.
#include "json/json_read.h"

#include <cstdint>

#include "json/json_text.h"

namespace cdc::json {
namespace {

// Reads one token or value at a time; every function moves on only when it returns true.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  bool done() const { return at_ == text_.size(); }
  std::string_view since(std::size_t begin) const { return text_.substr(begin, at_ - begin); }

  void space() {
    while (!done() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool take(char c) {
    if (done() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool string() {
    std::size_t i = at_;
    if (i >= text_.size() || text_[i] != '"') return false;
    for (++i; i < text_.size(); ++i) {
      const auto c = static_cast<unsigned char>(text_[i]);
      if (c == '"') {
        at_ = i + 1;
        return true;
      }
      if (c < 0x20) return false;
      if (c != '\\') continue;
      if (++i >= text_.size()) return false;
      if (text_[i] == 'u') {
        if (text_.size() - i < 5) return false;
        for (int k = 0; k < 4; ++k)
          if (!is_hex(text_[++i])) return false;
      } else if (std::string_view("\"\\/bfnrt").find(text_[i]) == std::string_view::npos) {
        return false;
      }
    }
    return false;
  }
  // Any value: one pass, containers on `open`.
  bool value() {
    std::string open;
    for (;;) {
      space();
      if (done()) return false;
      bool complete = true;
      const char c = text_[at_];
      if (c == '{' || c == '[') {
        ++at_;
        space();
        if (!take(c == '{' ? '}' : ']')) {
          open.push_back(c);
          if (c == '{' && !key()) return false;
          complete = false;
        }
      } else if (!scalar(c)) {
        return false;
      }
      while (complete) {
        if (open.empty()) return true;
        space();
        if (take(',')) {
          if (open.back() == '{' && !key()) return false;
          complete = false;
        } else if (take(open.back() == '{' ? '}' : ']')) {
          open.pop_back();
        } else {
          return false;
        }
      }
    }
  }

 private:
  static bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }
  bool key() {
    space();
    if (!string()) return false;
    space();
    return take(':');
  }
  bool scalar(char c) {
    if (c == '"') return string();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return true;
    }
    return number();
  }
  bool digits() {
    const std::size_t begin = at_;
    while (!done() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return at_ != begin;
  }
  bool number() {
    take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return digits();
    }
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void put_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// Four hex digits that the scanner has already seen to be such.
std::uint32_t unit_at(std::string_view text, std::size_t at) {
  std::uint32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    unit = unit * 16 + (c <= '9' ? c - '0' : (c | 0x20U) - 'a' + 10U);
  }
  return unit;
}

}  // namespace

std::optional<std::vector<std::pair<std::string, std::string_view>>> members(std::string_view object) {
  std::vector<std::pair<std::string, std::string_view>> out;
  Scanner scan(object);
  scan.space();
  if (!scan.take('{')) return std::nullopt;
  scan.space();
  if (!scan.take('}')) {
    do {
      scan.space();
      const std::size_t key = scan.at();
      if (!scan.string()) return std::nullopt;
      auto name = unquote(scan.since(key));
      scan.space();
      if (!name || !scan.take(':')) return std::nullopt;
      scan.space();
      const std::size_t value = scan.at();
      if (!scan.value()) return std::nullopt;
      out.emplace_back(std::move(*name), scan.since(value));
      scan.space();
    } while (scan.take(','));
    if (!scan.take('}')) return std::nullopt;
  }
  scan.space();
  if (!scan.done()) return std::nullopt;
  return out;
}

std::optional<std::vector<std::string_view>> elements(std::string_view array) {
  std::vector<std::string_view> out;
  Scanner scan(array);
  scan.space();
  if (!scan.take('[')) return std::nullopt;
  scan.space();
  if (!scan.take(']')) {
    do {
      scan.space();
      const std::size_t value = scan.at();
      if (!scan.value()) return std::nullopt;
      out.push_back(scan.since(value));
      scan.space();
    } while (scan.take(','));
    if (!scan.take(']')) return std::nullopt;
  }
  scan.space();
  if (!scan.done()) return std::nullopt;
  return out;
}

std::optional<std::string> unquote(std::string_view literal) {
  Scanner scan(literal);
  if (!scan.string() || !scan.done()) return std::nullopt;
  const std::string_view text = literal.substr(1, literal.size() - 2);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
      continue;
    }
    switch (const char c = text[++i]) {
      case 'b':
        out.push_back('\b');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'n':
        out.push_back('\n');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 'u': {
        std::uint32_t code = unit_at(text, i + 1);
        i += 4;
        if (code >= 0xD800 && code <= 0xDBFF && text.substr(i + 1, 2) == "\\u") {
          if (const std::uint32_t low = unit_at(text, i + 3); low >= 0xDC00 && low <= 0xDFFF) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            i += 6;
          }
        }
        put_utf8(out, code >= 0xD800 && code <= 0xDFFF ? 0xFFFD : code);
        break;
      }
      default:
        out.push_back(c);
        break;
    }
  }
  return out;
}

std::string quote(std::string_view utf8) {
  Buffer out(utf8.size() + 64);
  append_string(out, utf8);
  return std::string(out.view());
}

bool is_null(std::string_view value) { return value == "null"; }

}  // namespace cdc::json
