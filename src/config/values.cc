// Parsing by kind. One small function a kind, chosen by one switch.
#include "config/values.h"

#include <fmt/format.h>

#include <charconv>
#include <iterator>
#include <limits>
#include <mutex>
#include <unordered_map>

#include "text/list.h"
#include "text/regex.h"

namespace cdc::config {

namespace {

struct Unit {
  std::string_view name;
  std::int64_t factor;
};
constexpr Unit time_units[] = {{"ms", 1},       {"s", 1000},      {"m", 60'000},
                               {"min", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}};
constexpr Unit size_units[] = {{"b", 1},          {"k", 1LL << 10},   {"kb", 1LL << 10},  {"kib", 1LL << 10},
                               {"m", 1LL << 20},  {"mb", 1LL << 20},  {"mib", 1LL << 20}, {"g", 1LL << 30},
                               {"gb", 1LL << 30}, {"gib", 1LL << 30}, {"t", 1LL << 40},   {"tb", 1LL << 40},
                               {"tib", 1LL << 40}};

tl::unexpected<Error> invalid(std::string message, std::string hint = {}) {
  return fail(ErrorKind::usage, std::move(message), std::move(hint));
}

template <std::size_t N>
std::optional<std::int64_t> with_unit(std::string_view text, const Unit (&units)[N], std::int64_t bare) {
  text = text::trim(text);
  const std::size_t digits = std::min(text.find_first_not_of("-0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, digits));
  if (!number) return std::nullopt;
  const std::string unit = text::lower(text::trim(text.substr(digits)));
  std::int64_t factor = bare;
  if (!unit.empty()) {
    factor = 0;
    for (const Unit& u : units)
      if (u.name == unit) factor = u.factor;
    if (factor == 0) return std::nullopt;
  }
  const std::int64_t limit = std::numeric_limits<std::int64_t>::max() / factor;
  if (*number > limit || *number < -limit) return std::nullopt;
  return *number * factor;
}

struct Range {
  std::optional<std::int64_t> min, max;
};
Range range_of(const Property& property) {
  const std::size_t dots = property.allowed.find("..");
  if (dots == std::string_view::npos) return {};
  return {parse_integer(property.allowed.substr(0, dots)), parse_integer(property.allowed.substr(dots + 2))};
}

std::string expected(const Property& property) {
  switch (property.kind) {
    case Kind::milliseconds:
      return "a time in milliseconds, or with a unit: 500, 30s, 10m";
    case Kind::duration:
      return "a time such as 30s, 10m or 2h; without a unit in seconds";
    case Kind::size:
      return "a size in bytes, or such as 64M, 1G";
    case Kind::port:
      return "a port number";
    case Kind::boolean:
      return "true or false";
    default:
      return "a whole number";
  }
}

// A value as messages show it.
std::string shown(std::string_view value, bool hide) {
  if (hide) return "the value";
  if (value.size() > 200) return fmt::format("'{}...'", value.substr(0, 200));
  return fmt::format("'{}'", value);
}

Result<std::string> canonical_number(const Property& property, std::string_view value,
                                     std::optional<std::int64_t> number, bool hide) {
  const Range range = range_of(property);
  if (!number || (range.min && *number < *range.min) || (range.max && *number > *range.max)) {
    std::string message = fmt::format("{} is not {}", shown(value, hide), expected(property));
    if (range.min && range.max)
      message += fmt::format(" from {} to {}", *range.min, *range.max);
    else if (range.min)
      message += fmt::format(" of at least {}", *range.min);
    return invalid(std::move(message));
  }
  return std::to_string(*number);
}

std::string_view short_name(std::string_view entry) {
  if (const std::size_t equals = entry.find('='); equals != std::string_view::npos)
    return entry.substr(0, equals);
  const std::size_t dot = entry.rfind('.');
  return dot == std::string_view::npos ? entry : entry.substr(dot + 1);
}

std::string_view class_name(std::string_view entry) {
  const std::size_t equals = entry.find('=');
  return equals == std::string_view::npos ? entry : entry.substr(equals + 1);
}

// Values that a ValueRule knows although they are not among the allowed ones: the rule speaks later.
std::optional<std::string> ruled_value(const Property& property, std::string_view value) {
  for (const ValueRule& rule : value_rules())
    if (rule.property == property.name && text::equals_ignore_case(rule.value, value))
      return std::string(rule.value);
  return std::nullopt;
}

Result<std::string> canonical_choice(const Property& property, std::string_view value, bool hide) {
  const std::string_view wanted = text::trim(value);
  for (const std::string_view choice : split_bars(property.allowed))
    if (text::equals_ignore_case(choice, wanted)) return std::string(choice);
  if (auto ruled = ruled_value(property, wanted)) return std::move(*ruled);
  return invalid(fmt::format("{} is not one of {}", shown(value, hide), allowed_text(property)));
}

Result<std::string> canonical_class(const Property& property, std::string_view value) {
  const std::string_view wanted = text::trim(value);
  if (property.allowed.empty()) return std::string(wanted);
  for (const std::string_view entry : split_bars(property.allowed))
    if (class_name(entry) == wanted || text::equals_ignore_case(short_name(entry), wanted))
      return std::string(short_name(entry));
  return invalid(fmt::format("there is no '{}' here; known are {}", value, allowed_text(property)));
}

Result<std::string> canonical_ports(const Property& property, std::string_view value, bool hide) {
  std::string out;
  std::string_view rest = value;
  while (true) {
    const std::size_t comma = rest.find(',');
    CDC_TRY(const std::string one,
            canonical_number(property, value, parse_integer(text::trim(rest.substr(0, comma))), hide));
    out += out.empty() ? one : "," + one;
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

Result<std::string> canonical_enum_list(const Property& property, std::string_view value, bool hide) {
  CDC_TRY(const auto pieces, text::split_list(value));
  std::vector<std::string> out;
  for (const std::string& piece : pieces) {
    CDC_TRY(out.emplace_back(), canonical_choice(property, piece, hide));
  }
  return text::join_list(out);
}

Result<std::string> canonical_kind(const Property& property, std::string_view value, bool hide) {
  switch (property.kind) {
    case Kind::boolean: {
      const auto parsed = parse_boolean(value);
      if (!parsed) return invalid(fmt::format("{} is not true or false", shown(value, hide)));
      return std::string(*parsed ? "true" : "false");
    }
    case Kind::integer:
      return canonical_number(property, value, parse_integer(text::trim(value)), hide);
    case Kind::milliseconds:
      return canonical_number(property, value, parse_duration_ms(value, 1), hide);
    case Kind::duration:
      return canonical_number(property, value, parse_duration_ms(value, 1000), hide);
    case Kind::size:
      return canonical_number(property, value, parse_size(value), hide);
    case Kind::port:
      return canonical_ports(property, value, hide);
    case Kind::enumeration:
      return canonical_choice(property, value, hide);
    case Kind::enum_list:
      return canonical_enum_list(property, value, hide);
    case Kind::class_name:
      return canonical_class(property, value);
    case Kind::list: {
      CDC_TRY(const auto pieces, text::split_list(value));
      return text::join_list(pieces);
    }
    case Kind::regex_list: {
      CDC_TRY(const auto pieces, text::split_list(value));
      for (const std::string& piece : pieces)
        CDC_CHECK(text::Regex::compile(piece, text::Regex::Case::insensitive));
      return std::string(value);
    }
    case Kind::regex: {
      CDC_CHECK(text::Regex::compile(value));
      return std::string(value);
    }
    case Kind::text:
    case Kind::sql:
    case Kind::semicolons:
    case Kind::path:
    case Kind::secret:
      return std::string(value);
  }
  return std::string(value);
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_duration_ms(std::string_view text, std::int64_t bare) {
  return with_unit(text, time_units, bare);
}

std::optional<std::int64_t> parse_size(std::string_view text) { return with_unit(text, size_units, 1); }

std::optional<bool> parse_boolean(std::string_view text) {
  text = text::trim(text);
  for (const std::string_view yes : {"true", "yes", "on"})
    if (text::equals_ignore_case(text, yes)) return true;
  for (const std::string_view no : {"false", "no", "off"})
    if (text::equals_ignore_case(text, no)) return false;
  return std::nullopt;
}

std::string allowed_text(const Property& property) {
  if (property.kind == Kind::boolean) return "true, false";
  const Range range = range_of(property);
  if (range.min && range.max) return fmt::format("{} to {}", *range.min, *range.max);
  if (range.min) return fmt::format("at least {}", *range.min);
  std::string out;
  for (const std::string_view entry : split_bars(property.allowed)) {
    if (!out.empty()) out += ", ";
    out += property.kind == Kind::class_name ? short_name(entry) : entry;
  }
  return out;
}

Result<std::vector<std::string>> split_value(const Property& property, std::string_view value) {
  if (property.kind == Kind::semicolons)
    return property.name == "database.initial.statements" ? text::split_statements(value)
                                                          : text::split_semicolons(value);
  return text::split_list(value);
}

Result<std::string> canonical_value(const Property& property, std::string_view value, bool hide) {
  CDC_TRY(std::string canonical, canonical_kind(property, value, hide));
  if (property.check != nullptr)
    if (std::string problem = property.check(canonical); !problem.empty()) return invalid(std::move(problem));
  return canonical;
}

const std::string& canonical_fallback(const Property& property) {
  static std::mutex mutex;
  static std::unordered_map<const Property*, std::string> cache;
  const std::lock_guard lock(mutex);
  const auto found = cache.find(&property);
  if (found != cache.end()) return found->second;
  std::string text;
  if (!property.fallback.empty()) text = canonical_value(property, property.fallback).value_or("");
  return cache.emplace(&property, std::move(text)).first->second;
}

}  // namespace cdc::config
