// EventRouter: rows of an outbox table become the messages they hold (CORE-SMT-06).
#include "transform/debezium.h"

#include <fmt/format.h>

#include <charconv>

#include "json/json_read.h"
#include "text/list.h"
#include "transform/envelope_view.h"
#include "transform/json_schema.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {
namespace {

enum class Invalid : std::uint8_t { warn, error, fatal };
enum class Place : std::uint8_t { header, envelope, partition };

struct Placement {
  std::string column;
  Place place = Place::header;
  std::string alias;
};

struct OutboxOptions {
  Invalid invalid = Invalid::warn;
  std::string id, key, timestamp, payload, version, route_by;
  std::vector<Placement> placements;
  bool ignore_missing = false;
  bool expand = false;
  NullMembers nulls = NullMembers::leave_out;
  text::Regex route;
  std::string replacement;
  bool tombstones = false;
};

constexpr std::string_view kPayload = "payload";

class Outbox : public Transform {
 public:
  explicit Outbox(const OutboxOptions& options) : o_(options) {
    for (const Placement& p : o_.placements) wraps_ = wraps_ || p.place == Place::envelope;
  }

  Result<bool> apply(Record& record) override {
    if (record.value_is_null()) return false;
    if (!record.has_envelope()) return true;
    const Field* after = find_field(*record.value_schema(), "after");
    if (after == nullptr || after->schema->type != Type::structure || !view_.read(record)) return true;
    if (view_.op() == 'd') return false;
    if (view_.op() != 'c' && view_.op() != 'r') return unexpected(record);
    row_type_ = after->schema;
    if (!split_struct(*row_type_, view_.after(), row_)) return record_error("the row is no object");
    CDC_CHECK(convert(record));
    return true;
  }

 private:
  struct Cell {
    SchemaPtr type;
    std::string_view text;
  };

  Result<bool> unexpected(Record& record) {
    const std::string_view what = view_.op() == 'u' ? "an update" : "a TRUNCATE";
    if (o_.invalid == Invalid::fatal)
      return record_error(
          fmt::format("{} came from the outbox table", what),
          "Rows of an outbox are only inserted and deleted; table.op.invalid.behavior=warn drops others");
    record.work.log.write(o_.invalid == Invalid::warn ? Level::warn : Level::error, "warning",
                          fmt::format("EventRouter: {} came on topic {}; it is dropped", what, record.topic));
    return false;
  }

  std::optional<Cell> cell(std::string_view column) const {
    const int i = field_index(*row_type_, column);
    if (i < 0) return std::nullopt;
    const auto n = static_cast<std::size_t>(i);
    const SchemaPtr& type = row_type_->fields[n].schema;
    return Cell{type, filled(*type, row_[n], Nulls::fill)};
  }
  Result<Cell> needed(std::string_view column, std::string_view what) const {
    auto found = cell(column);
    if (!found) return record_error(fmt::format("the table has no column '{}' for the {}", column, what));
    return *found;
  }

  Result<void> convert(Record& record) {
    CDC_TRY(const Cell id, needed(o_.id, "event id (table.field.event.id)"));
    CDC_TRY(Cell payload, needed(o_.payload, "payload (table.field.event.payload)"));
    CDC_CHECK(route(record));
    CDC_CHECK(set_timestamp(record));
    CDC_CHECK(set_key(record));
    record.unshare_headers();
    record.add_header("id", typed(id.type, id.text));
    // Texts of the row may lie in the value that is about to be replaced: both stay for the record's time.
    if (o_.expand && payload.type->type == Type::string && !is_null(payload.text)) expand(record, payload);
    CDC_TRY(SchemaPtr type, place(record, payload));
    const bool empty =
        is_null(payload.text) || (payload.type->type == Type::string && payload.text == "\"\"");
    if (o_.tombstones && empty) {
      record.clear_value();
    } else if (!wraps_) {
      record.set_value(typed(payload.type, payload.text));
    } else {
      const std::string_view value = record.build(*type, value_, record.work.value_nulls);
      record.set_value(typed(std::move(type), value));
    }
    return {};
  }

  Result<void> set_key(Record& record) const {
    static const SchemaPtr text = make(Type::string, false);
    if (o_.key.empty()) {
      record.key = typed(text, "null");
      return {};
    }
    CDC_TRY(Cell key, needed(o_.key, "key (table.field.event.key)"));
    record.key = typed(std::move(key.type), key.text);
    return {};
  }

  Result<void> route(Record& record) {
    CDC_TRY(const Cell by, needed(o_.route_by, "topic (route.by.field)"));
    const auto value = json::unquote(by.text);
    if (value) wrapper_name_ = std::string(record.topic) + "." + *value + ".Value";
    if (!value)
      return record_error(fmt::format("the column '{}' (route.by.field) holds no text", o_.route_by));
    CDC_TRY(const bool matches, o_.route.matches(*value));
    if (!matches) {
      record.topic = record.work.store(*value);
      return {};
    }
    CDC_TRY(const std::string topic, o_.route.replace_first(*value, o_.replacement));
    record.topic = record.work.store(topic);
    return {};
  }

  Result<void> set_timestamp(Record& record) const {
    const auto number = [](std::string_view text) {
      std::int64_t n = 0;
      std::from_chars(text.data(), text.data() + text.size(), n);
      return n;
    };
    record.timestamp_ms = number(view_.text("ts_ms"));
    if (o_.timestamp.empty()) return {};
    CDC_TRY(const Cell at, needed(o_.timestamp, "timestamp (table.field.event.timestamp)"));
    const std::string& name = at.type->name;
    const std::int64_t divisor =
        name == "io.debezium.time.Timestamp" || name == "org.apache.kafka.connect.data.Timestamp" ? 1
        : name == "io.debezium.time.MicroTimestamp"                                               ? 1000
        : name == "io.debezium.time.NanoTimestamp"                                                ? 1000000
                                                                                                  : 0;
    if (divisor == 0)
      return record_error(
          fmt::format("the column '{}' (table.field.event.timestamp) is no timestamp", o_.timestamp));
    if (!is_null(at.text)) record.timestamp_ms = number(at.text) / divisor;
    return {};
  }

  void expand(Record& record, Cell& payload) const {
    const auto document = json::unquote(payload.text);
    if (!document || document->empty() || (document->front() != '{' && document->front() != '[')) return;
    std::string why;
    const auto inferred = infer_json(*document, o_.payload, o_.nulls, why);
    if (inferred == nullptr) {
      record.work.log.warn_once(
          "outbox payload",
          fmt::format("EventRouter: a payload cannot be expanded ({}); it stays text", why));
      return;
    }
    payload.type = inferred->schema;
    payload.text = record.work.store(inferred->json);
  }

  // Headers and partition; the texts of the wrapped value go to `value_`, its schema is returned.
  Result<SchemaPtr> place(Record& record, const Cell& payload) {
    Schema wrapper;
    wrapper.type = Type::structure;
    wrapper.name = wrapper_name_;
    value_.clear();
    if (wraps_) {
      wrapper.fields.push_back({std::string(kPayload), payload.type});
      value_.push_back(payload.text);
    }
    for (const Placement& p : o_.placements) {
      const auto found = cell(p.column);
      if (!found) {
        if (o_.ignore_missing) continue;
        return record_error(
            fmt::format("the table has no column '{}' (table.fields.additional.placement)", p.column),
            "table.field.additional.missing=ignore leaves such fields out");
      }
      switch (p.place) {
        case Place::header:
          record.add_header(p.alias, typed(found->type, found->text));
          break;
        case Place::envelope:
          CDC_CHECK(add_field(wrapper, p.alias, found->type));
          value_.push_back(found->text);
          break;
        case Place::partition: {
          int partition = -1;
          std::from_chars(found->text.data(), found->text.data() + found->text.size(), partition);
          if (found->type->type != Type::int32 || (partition < 0 && !is_null(found->text)))
            return record_error(fmt::format("the column '{}' holds no partition number", p.column));
          record.partition = partition;
          break;
        }
      }
    }
    if (!wraps_) return SchemaPtr();
    if (!o_.version.empty()) {
      CDC_TRY(const Cell version, needed(o_.version, "schema version (table.field.event.schema.version)"));
      int n = 0;
      if (std::from_chars(version.text.data(), version.text.data() + version.text.size(), n).ec ==
          std::errc())
        wrapper.version = n;
    }
    return share(std::move(wrapper));
  }

  const OutboxOptions o_;
  bool wraps_ = false;
  EnvelopeView view_;
  SchemaPtr row_type_;
  Texts row_, value_;
  std::string wrapper_name_;
};

std::vector<Placement> parse_placements(Options& options) {
  constexpr std::string_view name = "table.fields.additional.placement";
  std::vector<Placement> out;
  for (const std::string& item : options.list(name)) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= item.size();) {
      const std::size_t end = std::min(item.find(':', at), item.size());
      parts.emplace_back(text::trim(std::string_view(item).substr(at, end - at)));
      at = end + 1;
    }
    const bool known =
        parts.size() >= 2 && (parts[1] == "header" || parts[1] == "envelope" || parts[1] == "partition");
    if (!known || parts.size() > 3 || parts[0].empty()) {
      options.invalid(name,
                      fmt::format("'{}' is not written as column:header|envelope|partition:alias", item));
      continue;
    }
    const Place place = parts[1] == "header"     ? Place::header
                        : parts[1] == "envelope" ? Place::envelope
                                                 : Place::partition;
    out.push_back({parts[0], place, parts.size() == 3 ? parts[2] : parts[0]});
  }
  return out;
}

}  // namespace

StepFactory make_outbox(Options& options, const StepContext&) {
  auto route = options.regex("route.topic.regex");
  if (!route) return {};
  OutboxOptions o{static_cast<Invalid>(options.choice("table.op.invalid.behavior")),
                  options.text("table.field.event.id"),
                  options.text("table.field.event.key"),
                  options.text("table.field.event.timestamp"),
                  options.text("table.field.event.payload"),
                  options.text("table.field.event.schema.version"),
                  options.text("route.by.field"),
                  parse_placements(options),
                  options.choice("table.field.additional.missing") == 1,
                  options.boolean("table.expand.json.payload"),
                  static_cast<NullMembers>(options.choice("table.json.payload.null.behavior")),
                  std::move(*route),
                  options.text("route.topic.replacement"),
                  options.boolean("route.tombstone.on.empty.payload")};
  if (auto checked = o.route.check_replacement(o.replacement); !checked)
    options.invalid("route.topic.replacement", checked.error().message);
  return [o = std::move(o)] { return std::make_unique<Outbox>(o); };
}

}  // namespace cdc::transform
