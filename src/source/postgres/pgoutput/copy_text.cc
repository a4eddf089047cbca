// Splitting of COPY text rows. The server escapes with a backslash only what would be taken for a
// delimiter, so that most rows hold none and are split without being changed.
#include "source/postgres/pgoutput/copy_text.h"

#include <cstring>

namespace cdc::pg::pgoutput {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Takes the escape after a backslash; returns the byte it stands for and moves `from` behind it.
char take_escape(const char*& from, const char* end) {
  const char c = *from++;
  switch (c) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case 'x': {
      int value = 0;
      int digits = 0;
      while (digits < 2 && from < end && hex_digit(*from) >= 0)
        value = value * 16 + hex_digit(*from++), ++digits;
      return digits == 0 ? 'x' : static_cast<char>(value);
    }
    default:
      break;
  }
  if (c < '0' || c > '7') return c;
  int value = c - '0';
  for (int digits = 1; digits < 3 && from < end && *from >= '0' && *from <= '7'; ++digits)
    value = value * 8 + (*from++ - '0');
  return static_cast<char>(value);
}

// Unescapes [begin, end) in place from the first backslash on; returns the new end.
char* unescape(char* backslash, const char* end) {
  char* to = backslash;
  const char* from = backslash;
  while (from < end) {
    if (*from != '\\' || from + 1 == end) {
      *to++ = *from++;
      continue;
    }
    ++from;
    *to++ = take_escape(from, end);
  }
  return to;
}

Cell make_cell(char* begin, char* end) {
  char* backslash = begin == end
                        ? nullptr
                        : static_cast<char*>(std::memchr(begin, '\\', static_cast<std::size_t>(end - begin)));
  if (backslash == nullptr) return {Cell::Kind::value, {begin, static_cast<std::size_t>(end - begin)}};
  if (end - begin == 2 && begin[1] == 'N') return {Cell::Kind::null, {}};
  char* new_end = unescape(backslash, end);
  return {Cell::Kind::value, {begin, static_cast<std::size_t>(new_end - begin)}};
}

}  // namespace

bool split_copy_row(char* data, std::size_t size, std::size_t columns, std::vector<Cell>& cells,
                    Fault& fault) {
  if (size > 0 && data[size - 1] == '\n') --size;
  cells.resize(columns);
  if (columns == 0) {
    if (size == 0) return true;
    fault = {"a row without columns holds data", 0};
    return false;
  }
  char* const end = data + size;
  const bool escapes = size != 0 && std::memchr(data, '\\', size) != nullptr;
  char* field = data;
  for (std::size_t i = 0; i < columns; ++i) {
    void* tab = field == end ? nullptr : std::memchr(field, '\t', static_cast<std::size_t>(end - field));
    char* field_end = tab == nullptr ? end : static_cast<char*>(tab);
    if ((tab == nullptr) != (i + 1 == columns)) {
      fault = {tab == nullptr ? "row has fewer fields than columns" : "row has more fields than columns",
               static_cast<std::size_t>(field - data)};
      return false;
    }
    cells[i] = escapes ? make_cell(field, field_end)
                       : Cell{Cell::Kind::value, {field, static_cast<std::size_t>(field_end - field)}};
    if (tab != nullptr) field = field_end + 1;
  }
  return true;
}

}  // namespace cdc::pg::pgoutput
