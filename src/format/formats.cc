// Lines of the formats.
#include "format/formats.h"

#include "format/value_text.h"
#include "json/json_text.h"

namespace cdc {
namespace {

constexpr std::string_view kNoValue = "null";  // a tombstone, whoever made it: a transform may

struct Schemas {
  bool key, header;
};

class ValueFormat : public RecordFormat {
 public:
  explicit ValueFormat(std::unique_ptr<ValueText> value) : value_(std::move(value)) {}
  Result<unsigned> append(Buffer& out, const Event& event) override {
    if (event.value.empty()) return 0u;
    const std::size_t begin = out.size();
    value_->append(out, event);
    if (out.view(begin) == kNoValue) {
      out.truncate(begin);
      return 0u;
    }
    out.push('\n');
    return 1u;
  }

 private:
  std::unique_ptr<ValueText> value_;
};

class KeyedFormat : public RecordFormat {
 public:
  KeyedFormat(std::unique_ptr<ValueText> value, Schemas schemas)
      : value_(std::move(value)), schemas_(schemas) {}
  Result<unsigned> append(Buffer& out, const Event& event) override {
    if (!event.key.empty()) append_document(out, schemas_.key, event.key_schema, event.key);
    out.push('\t');
    const std::size_t begin = out.size();
    if (!event.value.empty()) value_->append(out, event);
    if (out.view(begin) == kNoValue) out.truncate(begin);
    out.push('\n');
    return 1u;
  }

 private:
  std::unique_ptr<ValueText> value_;
  Schemas schemas_;
};

class FullFormat : public RecordFormat {
 public:
  FullFormat(std::unique_ptr<ValueText> value, Schemas schemas)
      : value_(std::move(value)), schemas_(schemas) {}
  Result<unsigned> append(Buffer& out, const Event& event) override {
    out.append("{\"topic\":");
    json::append_string(out, event.topic);
    if (event.partition >= 0) {
      out.append(",\"partition\":");
      json::append_int(out, event.partition);
    }
    out.append(",\"key\":");
    append_document(out, schemas_.key, event.key_schema, event.key);
    out.append(",\"value\":");
    value_->append(out, event);
    if (!event.headers.empty()) {
      out.append(",\"headers\":{");
      bool first = true;
      for (const EventHeader& header : event.headers) {
        if (!first) out.push(',');
        first = false;
        json::append_string(out, header.name);
        out.push(':');
        append_document(out, schemas_.header, header.schema, header.value);
      }
      out.push('}');
    }
    if (event.position != nullptr) {
      out.append(",\"offset\":");
      const Checkpoint at = event.position->checkpoint();
      out.append(at.offset.empty() ? std::string_view("null") : std::string_view(at.offset));
    }
    out.append("}\n");
    return 1u;
  }

 private:
  std::unique_ptr<ValueText> value_;
  Schemas schemas_;
};

}  // namespace

std::vector<std::string> format_warnings(const Config& config) {
  if (!writes_cloudevents(config)) return {};
  return {
      "logical messages and transaction records have no CloudEvents form: their values are null"};  // CORE-CE-03
}

Result<std::unique_ptr<RecordFormat>> make_format(const Config& config) {
  const std::string& form = config.text("format");
  const bool cloud = writes_cloudevents(config);
  auto value = cloud ? cloudevents_value_text(config)
                     : json_value_text(config.boolean("value.converter.schemas.enable"));
  const Schemas schemas{config.boolean("key.converter.schemas.enable"),
                        config.boolean("header.converter.schemas.enable")};
  if (form == "record") return std::make_unique<FullFormat>(std::move(value), schemas);
  if (form == "keyed") return std::make_unique<KeyedFormat>(std::move(value), schemas);
  return std::make_unique<ValueFormat>(std::move(value));
}

}  // namespace cdc
