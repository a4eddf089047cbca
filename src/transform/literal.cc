// Connect's rules: the smallest integer type, float before double, dates by their form, else text.
#include "transform/literal.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

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

// A number without a fraction, however it is written: 100.00 and 1e5, too.
std::optional<std::int64_t> whole_of(Number n) {
  while (n.scale > 0 && n.digits.size() > 1 && n.digits.back() == '0') {
    n.digits.pop_back();
    --n.scale;
  }
  if (n.digits == "0") n.scale = std::min<std::int64_t>(n.scale, 0);
  if (n.scale > 0 || n.scale < -18) return std::nullopt;
  n.digits.append(static_cast<std::size_t>(-n.scale), '0');
  const std::size_t first = std::min(n.digits.find_first_not_of('0'), n.digits.size() - 1);
  return read_integer((n.negative ? "-" : "") + n.digits.substr(first));
}

Literal number_literal(std::string_view text, const Number& n) {
  if (const auto whole = whole_of(n)) {
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

// Numbers from the narrowest to the widest; -1: no number.
int width_of(Type type) {
  constexpr Type kWidths[] = {Type::int8,  Type::int16,   Type::int32,
                              Type::int64, Type::float32, Type::float64};
  const auto found = std::find(std::begin(kWidths), std::end(kWidths), type);
  return found == std::end(kWidths) ? -1 : static_cast<int>(found - std::begin(kWidths));
}

// The one type of all members: the widest, where they are numbers; none where they are of several kinds.
SchemaPtr common_schema(const std::vector<Literal>& members) {
  SchemaPtr common;
  for (const Literal& one : members) {
    if (one.schema == nullptr) return nullptr;
    const bool numbers = common != nullptr && width_of(common->type) >= 0 && width_of(one.schema->type) >= 0;
    if (common == nullptr || (numbers && width_of(one.schema->type) > width_of(common->type)))
      common = one.schema;
    else if (!numbers && common->type != one.schema->type)
      return nullptr;
  }
  return common;
}

std::string in_type(const Literal& one, Type type) {
  if (one.schema->type == type || (type != Type::float32 && type != Type::float64)) return one.json;
  const double d = read_real(one.json).value_or(0);
  return json_of([&](Buffer& out) {
    type == Type::float32 ? json::append_float(out, static_cast<float>(d)) : json::append_double(out, d);
  });
}

// A JSON array or object whose members are literals of one type.
std::optional<Literal> container(std::string_view text) {
  const auto literal = [](std::string_view raw) {
    return raw.front() == '"' ? Literal{make(Type::string, false), std::string(raw)} : infer_literal(raw);
  };
  std::vector<Literal> all;
  Buffer out;
  if (const auto items = json::elements(text)) {
    for (const std::string_view item : *items) all.push_back(literal(item));
    const SchemaPtr inner = common_schema(all);
    if (inner == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < all.size(); ++i) {
      out.push(i == 0 ? '[' : ',');
      out.append(in_type(all[i], inner->type));
    }
    out.push(']');
    return Literal{array_of(inner, false), std::string(out.view())};
  }
  const auto members = json::members(text);
  if (!members || members->empty()) return std::nullopt;
  for (const auto& [name, value] : *members) all.push_back(literal(value));
  const SchemaPtr inner = common_schema(all);
  if (inner == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.push(i == 0 ? '{' : ',');
    json::append_string(out, (*members)[i].first);
    out.push(':');
    out.append(in_type(all[i], inner->type));
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
