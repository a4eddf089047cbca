// Reading and checking options.
#include "transform/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "text/list.h"
#include "text/suggest.h"

namespace cdc::transform {
namespace {

std::vector<std::string_view> split_bars(std::string_view s) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= s.size();) {
    const std::size_t end = std::min(s.find('|', at), s.size());
    out.push_back(s.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string commas(const std::vector<std::string_view>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

std::optional<std::int64_t> parse_integer(std::string_view s) {
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  if (error != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return n;
}

std::optional<double> parse_number(const std::string& s) {
  char* end = nullptr;
  const double n = std::strtod(s.c_str(), &end);
  if (s.empty() || end != s.c_str() + s.size()) return std::nullopt;
  return n;
}

}  // namespace

std::vector<std::string> split_commas(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (const std::string_view piece = text::trim(list.substr(at, end - at)); !piece.empty())
      out.emplace_back(piece);
    at = end + 1;
  }
  return out;
}

Options::Options(const Config& config, std::string prefix, std::span<const OptionRow> rows,
                 std::vector<std::string_view> general)
    : prefix_(std::move(prefix)) {
  for (const OptionRow& row : rows) values_.push_back({&row, std::string(row.fallback), {}, false});
  for (const ConfigEntry& entry : config.entries_with_prefix(prefix_)) {
    const std::string_view name = std::string_view(entry.name).substr(prefix_.size());
    if (std::find(general.begin(), general.end(), name) != general.end()) continue;
    const auto value =
        std::find_if(values_.begin(), values_.end(), [&](const Value& v) { return v.row->name == name; });
    if (value == values_.end()) {
      std::vector<std::string_view> known;
      for (const OptionRow& row : rows) known.push_back(row.name);
      const std::string_view nearest = text::nearest(name, known);
      const std::string mend = !nearest.empty() ? fmt::format("did you mean '{}{}'?", prefix_, nearest)
                               : known.empty()  ? std::string("it has no options")
                                                : fmt::format("its options are {}", commas(known));
      problems_.push_back(fmt::format("{}: There is no option '{}'; {}", entry.origin, entry.name, mend));
      continue;
    }
    value->text = entry.value;
    value->origin = entry.origin;
    value->set = true;
  }
  for (Value& value : values_) check(value);
}

void Options::check(Value& value) {
  const OptionRow& row = *value.row;
  if (row.kind != OptionKind::text && row.kind != OptionKind::regex) value.text = text::trim(value.text);
  if (row.required && value.text.empty()) return invalid(row.name, "a value is required");
  if (!value.set) return;
  const auto wrong = [&](std::string why) {
    invalid(row.name, why);
    value.text = row.fallback;
  };
  switch (row.kind) {
    case OptionKind::boolean:
      if (text::equals_ignore_case(value.text, "true") || text::equals_ignore_case(value.text, "false"))
        value.text = text::lower(value.text);
      else
        wrong(fmt::format("'{}' is none of true, false", value.text));
      break;
    case OptionKind::integer:
      if (!parse_integer(value.text)) wrong(fmt::format("'{}' is no whole number", value.text));
      break;
    case OptionKind::number:
      if (!parse_number(value.text)) wrong(fmt::format("'{}' is no number", value.text));
      break;
    case OptionKind::choice: {
      const auto allowed = split_bars(row.allowed);
      const auto found = std::find_if(allowed.begin(), allowed.end(), [&](std::string_view a) {
        return text::equals_ignore_case(a, value.text);
      });
      if (found == allowed.end())
        wrong(fmt::format("'{}' is none of {}", value.text, commas(allowed)));
      else
        value.text = *found;
      break;
    }
    case OptionKind::regex:
      if (auto compiled = text::Regex::compile(value.text); !compiled) wrong(compiled.error().message);
      break;
    case OptionKind::text:
    case OptionKind::list:
      break;
  }
}

const Options::Value& Options::find(std::string_view name) const {
  const auto found =
      std::find_if(values_.begin(), values_.end(), [&](const Value& v) { return v.row->name == name; });
  if (found == values_.end()) std::abort();  // a factory reads an option that its rows do not declare
  return *found;
}

const std::string& Options::text(std::string_view name) const { return find(name).text; }
bool Options::is_set(std::string_view name) const { return find(name).set; }
std::int64_t Options::integer(std::string_view name) const { return parse_integer(text(name)).value_or(0); }
double Options::number(std::string_view name) const { return parse_number(text(name)).value_or(0); }
std::vector<std::string> Options::list(std::string_view name) const { return split_commas(text(name)); }

int Options::choice(std::string_view name) const {
  const Value& value = find(name);
  const auto allowed = split_bars(value.row->allowed);
  return static_cast<int>(std::find(allowed.begin(), allowed.end(), value.text) - allowed.begin());
}

std::optional<text::Regex> Options::regex(std::string_view name) const {
  const std::string& pattern = text(name);
  if (pattern.empty()) return std::nullopt;
  auto compiled = text::Regex::compile(pattern);
  if (!compiled) return std::nullopt;
  return std::move(*compiled);
}

void Options::invalid(std::string_view name, std::string_view why) {
  const Value& value = find(name);
  const std::string where = value.origin.empty() ? std::string() : value.origin + ": ";
  problems_.push_back(fmt::format("{}The '{}{}' value is invalid: {}", where, prefix_, name, why));
}

}  // namespace cdc::transform
