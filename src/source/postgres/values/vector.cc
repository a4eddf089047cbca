// pgvector: dense vectors as arrays, sparse ones as a map in Java's order.
#include "source/postgres/values/vector.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <vector>

#include "json/json_text.h"
#include "source/postgres/values/scalar.h"
#include "text/java_hash.h"

namespace cdc::pg {
namespace {

bool append_dense(std::string_view text, bool (*element)(std::string_view, Buffer&), Buffer& out) {
  if (text.size() < 2 || !text.starts_with('[') || !text.ends_with(']')) return false;
  text = text.substr(1, text.size() - 2);
  const std::size_t begin = out.size();
  out.push('[');
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const bool last = comma == std::string_view::npos;
    if (!element(text.substr(0, comma), out) || comma == text.size() - 1) {
      out.truncate(begin);
      return false;
    }
    if (!last) out.push(',');
    text.remove_prefix(last ? text.size() : comma + 1);
  }
  out.push(']');
  return true;
}

struct Pair {
  std::uint32_t index = 0;
  double value = 0;
};

// An int16 that is not negative; what does not fit has no form in the schema.
bool parse_index(std::string_view text, std::uint32_t& index) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc{} && end == text.data() + text.size() &&
         index <= std::numeric_limits<std::int16_t>::max();
}

bool parse_sparse(std::string_view text, std::vector<Pair>& pairs, std::uint32_t& dimensions) {
  const std::size_t close = text.find("}/");
  if (!text.starts_with('{') || close == std::string_view::npos ||
      !parse_index(text.substr(close + 2), dimensions))
    return false;
  text = text.substr(1, close - 1);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos || comma == text.size() - 1) return false;
    Pair& pair = pairs.emplace_back();
    if (!parse_index(item.substr(0, colon), pair.index) || !parse_double(item.substr(colon + 1), pair.value))
      return false;
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return true;
}

}  // namespace

bool append_vector(std::string_view text, Buffer& out) { return append_dense(text, append_float8, out); }
bool append_halfvec(std::string_view text, Buffer& out) { return append_dense(text, append_float4, out); }

bool append_sparsevec(std::string_view text, Buffer& out) {
  std::vector<Pair> pairs;
  std::uint32_t dimensions = 0;
  if (!parse_sparse(text, pairs, dimensions)) return false;
  std::size_t capacity = 1;  // Debezium's map is made for the number of pairs
  while (capacity < pairs.size()) capacity *= 2;
  std::vector<std::uint32_t> hashes;
  hashes.reserve(pairs.size());
  for (const Pair& pair : pairs) hashes.push_back(pair.index);
  out.append("{\"dimensions\":");
  json::append_uint(out, dimensions);
  out.append(",\"vector\":[");
  const char* separator = "[";
  for (const std::size_t i : text::java_map_order(hashes, capacity)) {
    out.append(separator);
    json::append_uint(out, pairs[i].index);
    out.push(',');
    json::append_double(out, pairs[i].value);
    out.push(']');
    separator = ",[";
  }
  out.append("]}");
  return true;
}

}  // namespace cdc::pg
