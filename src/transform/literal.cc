// Connect's rules: the smallest integer type, float before double, dates by their form, else text.
#include "transform/literal.h"

#include <cmath>
#include <optional>

#include "json/json_read.h"
#include "json/json_text.h"
#include "text/list.h"
#include "transform/date_format.h"
#include "transform/scalar.h"

namespace cdc::transform {
namespace {

std::string json_of(auto append) {
  Buffer out;
  append(out);
  return std::string(out.view());
}

// Sign, digits, fraction and exponent of a decimal number; false: it is none.
struct Number {
  bool negative = false;
  std::string digits;
  std::int64_t scale = 0;
};
bool parse_number(std::string_view s, Number& n) {
  std::size_t i = 0;
  if (i < s.size() && (s[i] == '-' || s[i] == '+')) n.negative = s[i++] == '-';
  bool point = false;
  for (; i < s.size(); ++i) {
    if (s[i] >= '0' && s[i] <= '9') {
      n.digits += s[i];
      if (point) ++n.scale;
    } else if (s[i] == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (n.digits.empty() || n.digits.size() > 5000) return false;
  if (i == s.size()) return true;
  if (s[i] != 'e' && s[i] != 'E') return false;
  ++i;
  if (i < s.size() && s[i] == '+') ++i;
  const auto exponent = read_integer(s.substr(i));
  if (!exponent || *exponent < -100'000 || *exponent > 100'000) return false;
  n.scale -= *exponent;
  return true;
}

Literal number_literal(std::string_view text, const Number& n) {
  if (const auto whole =
          n.scale == 0 ? read_integer(text.front() == '+' ? text.substr(1) : text) : std::nullopt) {
    const Type type = narrowed(Type::int8, *whole) == *whole    ? Type::int8
                      : narrowed(Type::int16, *whole) == *whole ? Type::int16
                      : narrowed(Type::int32, *whole) == *whole ? Type::int32
                                                                : Type::int64;
    return {make(type, false), std::to_string(*whole)};
  }
  const auto d = n.scale > 0 ? read_real(text) : std::nullopt;
  if (d && std::isfinite(static_cast<float>(*d)) && (*d == 0 || static_cast<float>(*d) != 0.0F))
    return {make(Type::float32, false),
            json_of([&](Buffer& out) { json::append_float(out, static_cast<float>(*d)); })};
  if (d && std::isfinite(*d))
    return {make(Type::float64, false), json_of([&](Buffer& out) { json::append_double(out, *d); })};
  auto decimal = std::make_shared<Schema>();
  decimal->type = Type::bytes;
  decimal->name = "org.apache.kafka.connect.data.Decimal";
  decimal->version = 1;
  decimal->parameters = {{"scale", std::to_string(n.scale)}};
  return {std::move(decimal),
          json_of([&](Buffer& out) { json::append_base64(out, integer_bytes(n.digits, n.negative)); })};
}

struct DateRow {
  const char* pattern;
  std::size_t length;
  Type type;
  const char* name;
  std::int64_t unit;
};
constexpr DateRow kDates[] = {
    {"yyyy-MM-dd", 10, Type::int32, "org.apache.kafka.connect.data.Date", 86'400'000},
    {"HH:mm:ss.SSS'Z'", 13, Type::int32, "org.apache.kafka.connect.data.Time", 1},
    {"yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", 24, Type::int64, "org.apache.kafka.connect.data.Timestamp", 1}};

// A JSON array or object whose members are literals of one type.
std::optional<Literal> container(std::string_view text) {
  SchemaPtr inner;
  Buffer out;
  const auto add = [&](std::string_view raw) {
    const Literal one =
        raw.front() == '"' ? Literal{make(Type::string, false), std::string(raw)} : infer_literal(raw);
    if (one.schema == nullptr || (inner != nullptr && inner->type != one.schema->type)) return false;
    inner = one.schema;
    out.append(one.json);
    return true;
  };
  if (const auto items = json::elements(text)) {
    out.push('[');
    for (std::size_t i = 0; i < items->size(); ++i) {
      if (i > 0) out.push(',');
      if (!add((*items)[i])) return std::nullopt;
    }
    out.push(']');
    return inner == nullptr ? std::nullopt
                            : std::optional(Literal{array_of(inner, false), std::string(out.view())});
  }
  const auto members = json::members(text);
  if (!members || members->empty()) return std::nullopt;
  out.push('{');
  for (std::size_t i = 0; i < members->size(); ++i) {
    if (i > 0) out.push(',');
    json::append_string(out, (*members)[i].first);
    out.push(':');
    if (!add((*members)[i].second)) return std::nullopt;
  }
  out.push('}');
  auto map = std::make_shared<Schema>();
  map->type = Type::map;
  map->keys = make(Type::string, false);
  map->values = inner;
  return Literal{std::move(map), std::string(out.view())};
}

}  // namespace

Literal infer_literal(std::string_view text) {
  const std::string_view bare = text::trim(text);
  if (bare == "null") return {};
  if (bare == "true" || bare == "false") return {make(Type::boolean, false), std::string(bare)};
  if (Number n; parse_number(bare, n)) return number_literal(bare, n);
  for (const DateRow& row : kDates) {
    if (bare.size() != row.length) continue;
    const auto format = DateFormat::parse(row.pattern);
    const auto ms = format ? format->read(bare) : std::nullopt;
    if (ms) return {named(row.type, row.name, false), std::to_string(*ms / row.unit)};
  }
  if (!bare.empty() && (bare.front() == '[' || bare.front() == '{') && bare.size() < 10000)
    if (auto found = container(bare)) return std::move(*found);
  return {make(Type::string, false), json::quote(text)};
}

}  // namespace cdc::transform
