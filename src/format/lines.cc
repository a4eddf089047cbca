// JSON documents as the converter writes them (CORE-JSON-01, -10).
#include <cstring>

#include "format/value_text.h"

namespace cdc {
namespace {

class JsonValueText : public ValueText {
 public:
  explicit JsonValueText(bool schemas) : schemas_(schemas) {}
  void append(Buffer& out, const Event& event) override {
    if (event.value.empty()) {
      out.append("null");
      return;
    }
    if (schemas_) {
      out.append("{\"schema\":");
      out.append(event.value_schema.empty() ? std::string_view("null") : event.value_schema);
      out.append(",\"payload\":");
    }
    std::size_t size = 0;
    for (const std::string_view piece : event.value) size += piece.size();
    char* w = out.reserve(size);
    for (const std::string_view piece : event.value) {
      if (piece.empty()) continue;
      std::memcpy(w, piece.data(), piece.size());
      w += piece.size();
    }
    out.advance(size);
    if (schemas_) out.push('}');
  }

 private:
  bool schemas_;
};

}  // namespace

std::unique_ptr<ValueText> json_value_text(bool schemas) { return std::make_unique<JsonValueText>(schemas); }

void append_document(Buffer& out, bool schemas, std::string_view schema, std::string_view payload) {
  if (payload.empty()) {
    out.append("null");
  } else if (schemas) {
    out.append("{\"schema\":");
    out.append(schema.empty() ? std::string_view("null") : schema);
    out.append(",\"payload\":");
    out.append(payload);
    out.push('}');
  } else {
    out.append(payload);
  }
}

}  // namespace cdc
