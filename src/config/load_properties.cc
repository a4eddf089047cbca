// Java properties: comments, continued lines, escapes, as java.util.Properties reads them (in UTF-8).
#include <fmt/format.h>

#include <algorithm>

#include "config/loaders.h"

namespace cdc::config {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

void append_utf8(std::string& out, std::uint32_t c) {
  auto push = [&](std::uint32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0U | (c >> 6U));
    push(0x80U | (c & 0x3FU));
  } else if (c < 0x10000) {
    push(0xE0U | (c >> 12U));
    push(0x80U | ((c >> 6U) & 0x3FU));
    push(0x80U | (c & 0x3FU));
  } else {
    push(0xF0U | (c >> 18U));
    push(0x80U | ((c >> 12U) & 0x3FU));
    push(0x80U | ((c >> 6U) & 0x3FU));
    push(0x80U | (c & 0x3FU));
  }
}

// Natural lines joined to logical ones; `line` is the number of the first.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}

  bool next(std::string& logical, std::size_t& line) {
    logical.clear();
    while (at_ < text_.size()) {
      std::string_view natural = take();
      while (!natural.empty() && is_blank(natural.front())) natural.remove_prefix(1);
      if (logical.empty()) {
        if (natural.empty() || natural.front() == '#' || natural.front() == '!') continue;
        line = line_;
      }
      if (!continues(natural)) {
        logical.append(natural);
        return true;
      }
      logical.append(natural.substr(0, natural.size() - 1));
      // A continued line that is empty so far must still count as begun.
      if (logical.empty()) logical.push_back(' ');
    }
    return !logical.empty();
  }

 private:
  std::string_view take() {
    const std::size_t end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    const std::string_view natural = text_.substr(at_, end - at_);
    at_ = end;
    if (at_ < text_.size()) at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
    ++line_;
    return natural;
  }

  static bool continues(std::string_view natural) {
    std::size_t backslashes = 0;
    while (backslashes < natural.size() && natural[natural.size() - 1 - backslashes] == '\\') ++backslashes;
    return backslashes % 2 == 1;
  }

  std::string_view text_;
  std::size_t at_ = 0, line_ = 0;
};

std::optional<std::uint32_t> hex4(std::string_view s) {
  if (s.size() < 4) return std::nullopt;
  std::uint32_t value = 0;
  for (const char c : s.substr(0, 4)) {
    value <<= 4U;
    if (c >= '0' && c <= '9')
      value += static_cast<std::uint32_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value += static_cast<std::uint32_t>(c - 'a' + 10);
    else if (c >= 'A' && c <= 'F')
      value += static_cast<std::uint32_t>(c - 'A' + 10);
    else
      return std::nullopt;
  }
  return value;
}

// Undoes the escapes; false on a broken \uXXXX. Surrogate pairs become one character, lone ones U+FFFD.
bool unescape(std::string_view in, std::string& out) {
  out.clear();
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != '\\' || i + 1 == in.size()) {
      if (in[i] != '\\') out.push_back(in[i]);
      continue;
    }
    const char c = in[++i];
    if (c != 'u') {
      out.push_back(c == 't' ? '\t' : c == 'n' ? '\n' : c == 'r' ? '\r' : c == 'f' ? '\f' : c);
      continue;
    }
    auto code = hex4(in.substr(i + 1));
    if (!code) return false;
    i += 4;
    if (*code >= 0xD800 && *code < 0xDC00 && in.substr(i + 1, 2) == "\\u") {
      const auto low = hex4(in.substr(i + 3));
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        *code = 0x10000 + ((*code - 0xD800) << 10U) + (*low - 0xDC00);
        i += 6;
      }
    }
    append_utf8(out, *code >= 0xD800 && *code < 0xE000 ? 0xFFFD : *code);
  }
  return true;
}

// Where the key ends, and where the value begins: at the first =, : or blank that is not escaped.
std::pair<std::size_t, std::size_t> split_at(std::string_view line) {
  std::size_t end = 0;
  while (end < line.size() && line[end] != '=' && line[end] != ':' && !is_blank(line[end]))
    end += line[end] == '\\' ? 2 : 1;
  end = std::min(end, line.size());
  std::size_t begin = end;
  bool separated = false;
  while (begin < line.size() &&
         (is_blank(line[begin]) || (!separated && (line[begin] == '=' || line[begin] == ':')))) {
    separated = separated || !is_blank(line[begin]);
    ++begin;
  }
  return {end, begin};
}

}  // namespace

Loaded load_properties(std::string_view text, std::string_view file) {
  Loaded out;
  Lines lines(text);
  std::string logical, key, value;
  std::size_t line = 0;
  while (lines.next(logical, line)) {
    std::string_view all(logical);
    while (!all.empty() && is_blank(all.front())) all.remove_prefix(1);
    if (all.empty()) continue;
    const std::string where = fmt::format("{}:{}", file, line);
    const auto [end, begin] = split_at(all);
    if (!unescape(all.substr(0, end), key) || !unescape(all.substr(begin), value))
      out.problems.push_back(
          load_error(where, "\\u must be followed by four hexadecimal digits; a backslash is written \\\\"));
    else
      out.entries.push_back({key, value, std::nullopt, where, Form::properties});
  }
  return out;
}

}  // namespace cdc::config
