// Bit strings. Their value is read as one binary number; Debezium writes it from its low byte on.
#include "source/postgres/values/bits.h"

#include <algorithm>
#include <cstring>

#include "json/json_text.h"
#include "source/postgres/values/scratch.h"

namespace cdc::pg {

bool append_bit_as_bool(std::string_view text, Buffer& out) {
  if (text != "0" && text != "1") return false;
  json::append_bool(out, text == "1");
  return true;
}

bool append_bits(std::string_view text, Buffer& out) {
  if (text.find_first_not_of("01") != std::string_view::npos) return false;
  text.remove_prefix(std::min(text.find('1'), text.size()));
  const std::size_t begin = out.size();
  const std::size_t length = (text.size() + 7) / 8;
  char* const bytes = out.reserve(length);
  std::memset(bytes, 0, length);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t bit = text.size() - 1 - i;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] | ((text[i] - '0') << (bit % 8)));
  }
  out.advance(length);
  replace_tail(out, begin, (length + 2) / 3 * 4 + 2,
               [](Buffer& to, std::string_view inner) { json::append_base64(to, inner); });
  return true;
}

}  // namespace cdc::pg
