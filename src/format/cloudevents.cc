// Structured CloudEvents (CORE-CE). The event's own text is taken apart again, so that transformed
// records work like plain ones; whoever asks for this format pays for it.
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>

#include <fmt/format.h>

#include "format/value_text.h"
#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc {
namespace {

using Members = std::vector<std::pair<std::string, std::string_view>>;

std::string_view find(const Members& members, std::string_view name) {
  for (const auto& [key, value] : members)
    if (key == name) return value;
  return {};
}

// Text of a scalar inside an id: strings without their quotes.
std::string plain(std::string_view value) {
  if (value.empty()) return "null";
  return json::unquote(value).value_or(std::string(value));
}

// What identifies an event, source by source (CORE-CE-03): label and member of the source block.
struct IdRow {
  std::string_view connector;
  std::array<std::array<std::string_view, 2>, 4> parts;
};
constexpr std::array kIds{
    IdRow{"postgresql", {{{"name", "name"}, {"lsn", "lsn"}, {"txId", "txId"}, {"sequence", "sequence"}}}},
    IdRow{"mysql", {{{"name", "name"}, {"file", "file"}, {"pos", "pos"}, {"", ""}}}},
    IdRow{"mariadb", {{{"name", "name"}, {"file", "file"}, {"pos", "pos"}, {"", ""}}}},
    IdRow{"mongodb", {{{"name", "name"}, {"ts", "ts_ms"}, {"ord", "ord"}, {"", ""}}}},
    IdRow{
        "oracle",
        {{{"name", "name"}, {"scn", "scn"}, {"commit_scn", "commit_scn"}, {"lcr_position", "lcr_position"}}}},
};

std::string event_id(std::string_view connector, const Members& source) {
  std::string id;
  for (const IdRow& row : kIds) {
    if (row.connector != connector) continue;
    for (const auto& [label, member] : row.parts)
      if (!label.empty())
        id += fmt::format("{}{}:{}", id.empty() ? "" : ";", label, plain(find(source, member)));
  }
  return id;
}

std::string iso_ms(std::string_view ms_text) {
  std::int64_t ms = 0;
  for (const char c : ms_text)
    if (c >= '0' && c <= '9') ms = ms * 10 + (c - '0');
  const std::chrono::sys_time<std::chrono::milliseconds> at{
      std::chrono::milliseconds(ms_text.starts_with('-') ? -ms : ms)};
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(at - day);
  return fmt::format("{:04d}-{:02d}-{:02d}T{:02d}:{:02d}:{:02d}.{:03d}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count(),
                     time.subseconds().count());
}

std::string attribute_name(std::string_view field) {
  std::string name = "iodebezium";
  for (const char c : field)
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) name.push_back(c);
  return name;
}

bool is_number(std::string_view value) {
  return !value.empty() && (value[0] == '-' || (value[0] >= '0' && value[0] <= '9'));
}

const EventHeader* header(const Event& event, std::string_view name) {
  for (const EventHeader& h : event.headers)
    if (h.name == name) return &h;
  return nullptr;
}

class CloudEventsText : public ValueText {
 public:
  explicit CloudEventsText(const Config& config)
      : connector_(config.source()),
        prefix_(config.text("topic.prefix")),
        extensions_(config.boolean("value.converter.extension.attributes.enable")),
        schemas_(config.boolean("value.converter.json.schemas.enable")) {
    for (const std::string& item : config.list("value.converter.metadata.source")) {
      if (item == "header") metadata_in_headers_ = true;
      if (item == "id:header") id_in_header_ = true;
      if (item == "type:header") type_in_header_ = true;
    }
  }

  void append(Buffer& out, const Event& event) override {
    text_.clear();
    for (const std::string_view piece : event.value) text_.append(piece);
    const auto envelope = text_.empty() ? std::nullopt : json::members(text_.view());
    const EventHeader* source_header = metadata_in_headers_ ? header(event, "source") : nullptr;
    const std::string_view source_text = source_header != nullptr ? source_header->value
                                         : envelope               ? find(*envelope, "source")
                                                                  : "";
    const auto source = source_text.empty() ? std::nullopt : json::members(source_text);
    const bool is_data = source && (source_header != nullptr ||
                                    (event.kind == RecordKind::data && !find(*envelope, "op").empty()));
    if (!is_data) {
      out.append("null");
      return;
    }
    append_attributes(out, event, *source);
    if (extensions_) {
      const auto from = [&](std::string_view name) {
        if (source_header == nullptr) return find(*envelope, name);
        const EventHeader* h = header(event, name);
        return h == nullptr ? std::string_view() : h->value;
      };
      append_extensions(out, from("op"), *source, from("transaction"));
    }
    append_data(out, event, *envelope, source_header != nullptr);
    out.push('}');
  }

 private:
  void append_attributes(Buffer& out, const Event& event, const Members& source) const {
    const EventHeader* id = id_in_header_ ? header(event, "id") : nullptr;
    const EventHeader* type = type_in_header_ ? header(event, "type") : nullptr;
    out.append("{\"id\":");
    json::append_string(out, id != nullptr ? plain(id->value) : event_id(connector_, source));
    out.append(",\"source\":");
    json::append_string(out, fmt::format("/debezium/{}/{}", connector_, prefix_));
    out.append(",\"specversion\":\"1.0\",\"type\":");
    json::append_string(out, type != nullptr
                                 ? plain(type->value)
                                 : fmt::format("io.debezium.connector.{}.DataChangeEvent", connector_));
    out.append(",\"time\":");
    json::append_string(out, iso_ms(find(source, "ts_ms")));
    out.append(",\"datacontenttype\":\"application/json\"");
  }

  void append_extension(Buffer& out, std::string_view name, std::string_view value) const {
    out.append(",\"");
    out.append(name);
    out.append("\":");
    if (is_number(value))  // 64-bit numbers are strings in CloudEvents
      json::append_string(out, value);
    else
      out.append(value.empty() ? std::string_view("null") : value);
  }

  void append_extensions(Buffer& out, std::string_view op, const Members& source,
                         std::string_view transaction) const {
    append_extension(out, "iodebeziumop", op);
    for (const auto& [name, value] : source) append_extension(out, attribute_name(name), value);
    const auto block = json::members(transaction).value_or(Members{});
    append_extension(out, "iodebeziumtxid", find(block, "id"));
    append_extension(out, "iodebeziumtxtotalorder", find(block, "total_order"));
    append_extension(out, "iodebeziumtxdatacollectionorder", find(block, "data_collection_order"));
  }

  // `whole`: the value is no envelope any more and is the data as it stands.
  void append_data(Buffer& out, const Event& event, const Members& envelope, bool whole) const {
    out.append(",\"data\":");
    if (schemas_) {
      Schema data;
      data.type = Type::structure;
      data.name = fmt::format("io.debezium.connector.{}.Data", connector_);
      if (event.value_type != nullptr)
        for (const Field& field : event.value_type->fields)
          if (whole || is_image(field.name)) data.fields.push_back(field);
      out.append("{\"schema\":");
      append_schema(out, data);
      out.append(",\"payload\":");
    }
    if (whole) {
      out.append(text_.view());
    } else {
      bool first = true;
      out.push('{');
      for (const auto& [name, value] : envelope) {
        if (!is_image(name)) continue;
        if (!first) out.push(',');
        first = false;
        json::append_string(out, name);
        out.push(':');
        out.append(value);
      }
      out.push('}');
    }
    if (schemas_) out.push('}');
  }

  static bool is_image(std::string_view name) {
    return name == "before" || name == "after" || name == "updateDescription";
  }

  std::string connector_, prefix_;
  bool extensions_, schemas_;
  bool metadata_in_headers_ = false, id_in_header_ = false, type_in_header_ = false;
  Buffer text_;
};

}  // namespace

std::unique_ptr<ValueText> cloudevents_value_text(const Config& config) {
  return std::make_unique<CloudEventsText>(config);
}

}  // namespace cdc
