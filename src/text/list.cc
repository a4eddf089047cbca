// Splitting and joining of list values. One pass each; no regex knowledge.
#include "text/list.h"

#include <algorithm>

namespace cdc::text {

namespace {

char lower_char(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// False when the piece ends in a backslash that escapes nothing (it may have escaped a trimmed blank).
bool add_piece(std::vector<std::string>& pieces, std::string_view raw) {
  raw = trim(raw);
  if (raw.empty()) return true;
  std::size_t backslashes = 0;
  while (backslashes < raw.size() && raw[raw.size() - 1 - backslashes] == '\\') ++backslashes;
  if (backslashes % 2 == 1) return false;
  std::string piece;
  piece.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size() && raw[i + 1] == ',') continue;
    piece.push_back(raw[i]);
  }
  pieces.push_back(std::move(piece));
  return true;
}

tl::unexpected<Error> lone_backslash() {
  return fail(ErrorKind::usage, "a piece of the list ends in a single backslash",
              "Write \\\\ for a backslash, \\, for a comma inside a piece");
}

}  // namespace

std::string_view trim(std::string_view s) {
  auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

std::string lower(std::string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(), lower_char);
  return out;
}

bool equals_ignore_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower_char(x) == lower_char(y); });
}

Result<std::vector<std::string>> split_list(std::string_view list) {
  std::vector<std::string> pieces;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\') {
      if (++i == list.size()) return lone_backslash();
    } else if (list[i] == ',') {
      if (!add_piece(pieces, list.substr(begin, i - begin))) return lone_backslash();
      begin = i + 1;
    }
  }
  if (!add_piece(pieces, list.substr(begin))) return lone_backslash();
  return pieces;
}

std::vector<std::string> split_semicolons(std::string_view list) {
  std::vector<std::string> pieces;
  while (true) {
    const std::size_t end = list.find(';');
    if (const std::string_view piece = trim(list.substr(0, end)); !piece.empty()) pieces.emplace_back(piece);
    if (end == std::string_view::npos) return pieces;
    list.remove_prefix(end + 1);
  }
}

std::vector<std::string> split_statements(std::string_view text) {
  std::vector<std::string> statements;
  std::string current;
  auto finish = [&] {
    if (const std::string_view s = trim(current); !s.empty()) statements.emplace_back(s);
    current.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ';') {
      current.push_back(text[i]);
    } else if (i + 1 < text.size() && text[i + 1] == ';') {
      current.push_back(';');
      ++i;
    } else {
      finish();
    }
  }
  finish();
  return statements;
}

std::string join_list(const std::vector<std::string>& pieces) {
  std::string out;
  for (const std::string& piece : pieces) {
    if (!out.empty()) out.push_back(',');
    for (std::size_t i = 0; i < piece.size(); ++i) {
      if (piece[i] == '\\' && i + 1 < piece.size()) {
        out.push_back(piece[i++]);
      } else if (piece[i] == ',') {
        out.push_back('\\');
      }
      out.push_back(piece[i]);
    }
  }
  return out;
}

}  // namespace cdc::text
