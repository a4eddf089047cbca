// Points: the server's text and PostGIS' hex EWKB.
#include "source/postgres/values/spatial.h"

#include <bit>
#include <cstdint>
#include <optional>

#include "json/json_text.h"
#include "source/postgres/values/binary.h"
#include "source/postgres/values/scalar.h"
#include "source/postgres/values/scratch.h"

namespace cdc::pg {
namespace {

constexpr std::uint32_t kHasSrid = 0x20000000;  // in the type word of EWKB

void put_little_endian(char* w, std::uint64_t value) {
  for (int shift = 0; shift < 64; shift += 8) *w++ = static_cast<char>(value >> shift);
}

std::uint32_t word_at(std::string_view bytes, std::size_t at, bool little_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = (value << 8) | static_cast<unsigned char>(bytes[at + (little_endian ? 3 - i : i)]);
  return value;
}

// Whether `bytes` begin as EWKB does; if so, `srid` is what they say about it.
bool read_srid(std::string_view bytes, std::optional<std::int32_t>& srid) {
  if (bytes.size() < 5 || (bytes[0] != 0 && bytes[0] != 1)) return false;
  const bool little_endian = bytes[0] == 1;
  if ((word_at(bytes, 1, little_endian) & kHasSrid) == 0) return true;
  if (bytes.size() < 9) return false;
  srid = static_cast<std::int32_t>(word_at(bytes, 5, little_endian));
  return true;
}

}  // namespace

bool append_point(std::string_view text, Buffer& out) {
  double x = 0, y = 0;
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || !text.starts_with('(') || !text.ends_with(')')) return false;
  if (!parse_double(text.substr(1, comma - 1), x) ||
      !parse_double(text.substr(comma + 1, text.size() - comma - 2), y))
    return false;
  char wkb[21] = {1, 1, 0, 0, 0};  // little-endian, POINT
  put_little_endian(wkb + 5, std::bit_cast<std::uint64_t>(x));
  put_little_endian(wkb + 13, std::bit_cast<std::uint64_t>(y));
  out.append("{\"x\":");
  json::append_double(out, x);
  out.append(",\"y\":");
  json::append_double(out, y);
  out.append(",\"wkb\":");
  json::append_base64(out, {wkb, sizeof wkb});
  out.append(",\"srid\":null}");
  return true;
}

bool append_ewkb(std::string_view text, Buffer& out) {
  const std::size_t begin = out.size();
  out.append("{\"wkb\":");
  const std::size_t bytes = out.size();
  std::optional<std::int32_t> srid;
  if (!decode_hex(text, out) || !read_srid(out.view(bytes), srid)) {
    out.truncate(begin);
    return false;
  }
  replace_tail(out, bytes, (out.size() - bytes + 2) / 3 * 4 + 2,
               [](Buffer& to, std::string_view wkb) { json::append_base64(to, wkb); });
  out.append(",\"srid\":");
  if (srid) {
    json::append_int(out, *srid);
  } else {
    json::append_null(out);
  }
  out.push('}');
  return true;
}

}  // namespace cdc::pg
