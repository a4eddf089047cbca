// TimezoneConverter: temporal columns in another time zone (CORE-SMT-11). Where Debezium looks up an
// offset with the wrong clock, the instant decides here.
#include "transform/debezium.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>

#include "json/json_read.h"
#include "json/json_text.h"
#include "text/list.h"
#include "transform/envelope_view.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"
#include "transform/zone.h"

namespace cdc::transform {
namespace {

enum class Scope : std::uint8_t { any, source, topic };

struct Item {
  Scope scope = Scope::any;
  std::string name;   // table or topic
  std::string part;   // before, after, source; empty: before and after
  std::string field;  // empty: all
};

struct ZoneOptions {
  Zone zone;
  std::vector<Item> include, exclude;
};

std::string two(std::int64_t n) { return fmt::format("{:02d}", n); }

std::string offset_text(std::int32_t seconds) {
  if (seconds == 0) return "Z";
  const std::int32_t s = std::abs(seconds);
  std::string out = (seconds < 0 ? "-" : "+") + two(s / 3600) + ":" + two(s / 60 % 60);
  if (s % 60 != 0) out += ":" + two(s % 60);
  return out;
}

// "HH:mm:ss[.f]" with its fraction cut of trailing zeros, at `at`; moves on behind it.
struct Clock {
  std::int64_t seconds = 0;
  std::string fraction;  // with its dot
};
std::optional<Clock> take_clock(std::string_view& s) {
  const auto digit = [&](std::size_t i) { return i < s.size() && s[i] >= '0' && s[i] <= '9'; };
  if (!(digit(0) && digit(1) && s.size() > 4 && s[2] == ':' && digit(3) && digit(4))) return std::nullopt;
  const auto pair = [&](std::size_t i) { return (s[i] - '0') * 10 + (s[i + 1] - '0'); };
  Clock clock;
  clock.seconds = pair(0) * 3600 + pair(3) * 60;
  std::size_t at = 5;
  if (at < s.size() && s[at] == ':' && digit(6) && digit(7)) {
    clock.seconds += pair(6);
    at = 8;
    if (at < s.size() && s[at] == '.') {
      std::size_t end = at + 1;
      while (digit(end)) ++end;
      clock.fraction = s.substr(at, end - at);
      while (!clock.fraction.empty() && (clock.fraction.back() == '0' || clock.fraction.back() == '.'))
        clock.fraction.pop_back();
      at = end;
    }
  }
  s.remove_prefix(at);
  return clock;
}

std::string clock_text(std::int64_t seconds, const std::string& fraction) {
  return two(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + two(seconds % 60) + fraction;
}

// Nothing: the text is no such time (infinity, BC); it stays.
std::optional<std::string> zoned_timestamp(const Zone& zone, std::string_view s) {
  std::int64_t year = 0;
  const bool sign = !s.empty() && (s[0] == '+' || s[0] == '-');
  const auto [end, error] = std::from_chars(s.data() + (sign ? 1 : 0), s.data() + s.size(), year);
  if (error != std::errc() || year > 1'000'000'000) return std::nullopt;
  if (sign && s[0] == '-') year = -year;
  s.remove_prefix(static_cast<std::size_t>(end - s.data()));
  unsigned month = 0, day = 0;
  if (s.size() < 7 || s[0] != '-' || s[3] != '-' || s[6] != 'T') return std::nullopt;
  std::from_chars(s.data() + 1, s.data() + 3, month);
  std::from_chars(s.data() + 4, s.data() + 6, day);
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  s.remove_prefix(7);
  const auto clock = take_clock(s);
  std::int32_t offset = 0;
  if (!clock || !parse_offset(s, offset)) return std::nullopt;
  const std::int64_t utc = days_of(year, month, day) * 86400 + clock->seconds - offset;
  const std::int32_t there = zone.offset_at(utc);
  const std::int64_t local = utc + there, days = floor_div(local, 86400);
  const CivilDate date = date_of(days);
  const std::string y = date.year > 9999 ? fmt::format("+{}", date.year)
                        : date.year < 0  ? fmt::format("-{:04d}", -date.year)
                                         : fmt::format("{:04d}", date.year);
  return y + "-" + two(date.month) + "-" + two(date.day) + "T" +
         clock_text(local - days * 86400, clock->fraction) + offset_text(there);
}

std::optional<std::string> zoned_time(const Zone& zone, std::string_view s) {
  const auto clock = take_clock(s);
  std::int32_t offset = 0;
  if (!clock || !parse_offset(s, offset)) return std::nullopt;
  const std::int32_t there = zone.offset_at(std::time(nullptr));
  const std::int64_t local = ((clock->seconds - offset + there) % 86400 + 86400) % 86400;
  return clock_text(local, clock->fraction) + offset_text(there);
}

// The wall clock's digits in UTC, read as local time.
std::optional<std::string> local_epoch(const Zone& zone, std::string_view text, std::int64_t per_second) {
  std::int64_t value = 0, result = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  const std::int64_t shift = std::int64_t{zone.offset_of_local(floor_div(value, per_second))} * per_second;
  if (__builtin_sub_overflow(value, shift, &result)) return std::nullopt;
  return std::to_string(result);
}

enum class Form : std::uint8_t { none, millis, micros, nanos, zoned_timestamp, zoned_time, no_zone };

struct FormRow {
  std::string_view name;
  Form form;
};
constexpr FormRow kForms[] = {
    {"io.debezium.time.Timestamp", Form::millis},
    {"org.apache.kafka.connect.data.Timestamp", Form::millis},
    {"io.debezium.time.MicroTimestamp", Form::micros},
    {"io.debezium.time.NanoTimestamp", Form::nanos},
    {"io.debezium.time.ZonedTimestamp", Form::zoned_timestamp},
    {"io.debezium.time.ZonedTime", Form::zoned_time},
    {"io.debezium.time.Date", Form::no_zone},
    {"io.debezium.time.Time", Form::no_zone},
    {"io.debezium.time.MicroTime", Form::no_zone},
    {"io.debezium.time.NanoTime", Form::no_zone},
    {"org.apache.kafka.connect.data.Date", Form::no_zone},
    {"org.apache.kafka.connect.data.Time", Form::no_zone},
};

Form form_of(const Schema& schema) {
  for (const FormRow& row : kForms)
    if (row.name == schema.name) return row.form;
  return Form::none;
}

class TimezoneConverter : public Transform {
 public:
  explicit TimezoneConverter(std::shared_ptr<const ZoneOptions> options) : o_(std::move(options)) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope() || !view_.read(record)) return true;
    table_ = json::unquote(member(view_.text("source"), "table")).value_or(std::string());
    topic_ = record.topic;
    const SchemaPtr envelope = record.own_value_schema();
    if (!split_struct(*envelope, record.value().text, members_)) return true;
    bool changed = false;
    for (std::size_t i = 0; i < envelope->fields.size(); ++i) {
      const Field& field = envelope->fields[i];
      if (field.schema->type != Type::structure || is_null(members_[i])) continue;
      if (field.name == "before" || field.name == "after")
        changed = row(record, *field.schema, field.name, members_[i]) || changed;
      else if (field.name == "source")
        changed = source(record, *field.schema, members_[i]) || changed;
    }
    if (changed) record.set_value(typed(envelope, record.build(*envelope, members_, Nulls::keep)));
    return true;
  }

 private:
  bool applies(const Item& item) const {
    if (item.scope == Scope::source) return item.name == table_;
    if (item.scope == Scope::topic) return item.name == topic_;
    return item.name == table_ || item.name == topic_;
  }
  // How the lists speak of a field: by its name, all of a table, or not at all.
  bool named(const std::vector<Item>& items, std::string_view part, std::string_view field,
             bool explicitly) const {
    return std::any_of(items.begin(), items.end(), [&](const Item& item) {
      if (!applies(item)) return false;
      if (item.field.empty()) return !explicitly;
      const bool here = item.part.empty() ? part != "source" : item.part == part;
      return here && item.field == field;
    });
  }
  bool converts(std::string_view part, std::string_view field) const {
    if (!o_->include.empty()) return named(o_->include, part, field, false);
    return !named(o_->exclude, part, field, false);
  }

  std::optional<std::string> convert(Record& record, const Field& field, std::string_view text) const {
    const Form form = form_of(*field.schema);
    switch (form) {
      case Form::none:
        return std::nullopt;
      case Form::millis:
        return local_epoch(o_->zone, text, 1000);
      case Form::micros:
        return local_epoch(o_->zone, text, 1'000'000);
      case Form::nanos:
        return local_epoch(o_->zone, text, 1'000'000'000);
      case Form::zoned_timestamp:
      case Form::zoned_time: {
        const auto plain = json::unquote(text);
        if (!plain) return std::nullopt;
        auto there =
            form == Form::zoned_time ? zoned_time(o_->zone, *plain) : zoned_timestamp(o_->zone, *plain);
        return there ? std::optional(json::quote(*there)) : std::nullopt;
      }
      case Form::no_zone:
        record.work.log.warn_once(
            "timezone " + topic_ + field.name,
            fmt::format("TimezoneConverter: {} of topic {} has no instant ({}); it stays as it is",
                        field.name, topic_, field.schema->name));
        return std::nullopt;
    }
    return std::nullopt;
  }

  bool row(Record& record, const Schema& schema, std::string_view part, std::string_view& text) {
    if (!split_struct(schema, text, fields_)) return false;
    bool changed = false;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const Field& field = schema.fields[i];
      if (is_null(fields_[i]) || form_of(*field.schema) == Form::none || !converts(part, field.name))
        continue;
      if (const auto there = convert(record, field, fields_[i])) {
        fields_[i] = record.work.store(*there);
        changed = true;
      }
    }
    if (changed) text = record.build(schema, fields_, Nulls::keep);
    return changed;
  }

  // The source's times move only when they are asked for by name.
  bool source(Record& record, const Schema& schema, std::string_view& text) {
    static constexpr std::pair<std::string_view, std::int64_t> times[] = {
        {"ts_ms", 1000}, {"ts_us", 1'000'000}, {"ts_ns", 1'000'000'000}};
    bool changed = false;
    for (const auto& [name, per_second] : times) {
      if (!named(o_->include, "source", name, true)) continue;
      if (!changed && !split_struct(schema, text, fields_)) return false;
      const int i = field_index(schema, name);
      std::int64_t value = 0;
      if (i < 0) continue;
      std::string_view& field = fields_[static_cast<std::size_t>(i)];
      if (std::from_chars(field.data(), field.data() + field.size(), value).ec != std::errc()) continue;
      const std::int64_t shift = std::int64_t{o_->zone.offset_at(floor_div(value, per_second))} * per_second;
      field = record.work.store(std::to_string(value + shift));
      changed = true;
    }
    if (changed) text = record.build(schema, fields_, Nulls::keep);
    return changed;
  }

  const std::shared_ptr<const ZoneOptions> o_;
  EnvelopeView view_;
  std::string table_, topic_;
  Texts members_, fields_;
};

std::vector<Item> parse_items(Options& options, std::string_view name) {
  std::vector<Item> out;
  for (const std::string& text : options.list(name)) {
    Item item;
    std::string_view rest = text;
    if (rest.starts_with("source:"))
      item.scope = Scope::source, rest.remove_prefix(7);
    else if (rest.starts_with("topic:"))
      item.scope = Scope::topic, rest.remove_prefix(6);
    const std::size_t colon = rest.find(':');
    item.name = rest.substr(0, colon);
    if (colon != std::string_view::npos) {
      std::string_view field = rest.substr(colon + 1);
      for (const std::string_view part : {"before.", "after.", "source."})
        if (field.starts_with(part)) {
          item.part = part.substr(0, part.size() - 1);
          field.remove_prefix(part.size());
          break;
        }
      item.field = field;
    }
    if (item.name.empty() || (colon != std::string_view::npos && item.field.empty()))
      options.invalid(name, fmt::format("'{}' is not written as [source:|topic:]name[:field]", text));
    out.push_back(std::move(item));
  }
  return out;
}

}  // namespace

StepFactory make_timezone(Options& options, const StepContext&) {
  auto zone = Zone::open(options.text("converted.timezone"));
  if (!zone)
    options.invalid("converted.timezone", fmt::format("{}. {}", zone.error().message, zone.error().hint));
  auto o = std::make_shared<ZoneOptions>();
  o->include = parse_items(options, "include.list");
  o->exclude = parse_items(options, "exclude.list");
  if (!o->include.empty() && !o->exclude.empty())
    options.invalid("exclude.list", "include.list is set already: one of both");
  if (!options.ok()) return {};
  o->zone = std::move(*zone);
  return [o = std::shared_ptr<const ZoneOptions>(std::move(o))] {
    return std::make_unique<TimezoneConverter>(o);
  };
}

}  // namespace cdc::transform
