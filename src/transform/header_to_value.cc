// HeaderToValue: headers become fields of the value (CORE-SMT-09).
#include "transform/debezium.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/json_text.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

struct Pair {
  std::string header;
  std::string field;  // dots lead into structs
};

class HeaderToValue : public Transform {
 public:
  HeaderToValue(std::vector<Pair> pairs, bool moves) : pairs_(std::move(pairs)), moves_(moves) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || record.value_schema() == nullptr ||
        record.value_schema()->type != Type::structure)
      return true;
    additions_.clear();
    for (const Header& header : record.headers) add(header);
    if (additions_.empty()) return true;
    for (Addition& a : additions_) record.own(a.value);
    if (moves_)
      for (const Pair& pair : pairs_) record.remove_headers(pair.header);
    Buffer out;
    CDC_TRY(SchemaPtr type, extend(out, *record.own_value_schema(), record.value().text, ""));
    record.set_value(typed(std::move(type), record.work.store(out.view())));
    return true;
  }

 private:
  struct Addition {
    std::string path;
    Typed value;
  };

  // In the order of the record's headers; of one that is there twice the last counts, where the first stood.
  void add(const Header& header) {
    for (const Pair& pair : pairs_) {
      if (pair.header != header.name) continue;
      const auto known = std::find_if(additions_.begin(), additions_.end(),
                                      [&](const Addition& a) { return a.path == pair.field; });
      if (known != additions_.end())
        known->value = header.value;
      else
        additions_.push_back({pair.field, header.value});
    }
  }

  // Writes the struct at `prefix` with what is added to it and below it.
  Result<SchemaPtr> extend(Buffer& out, const Schema& schema, std::string_view text,
                           const std::string& prefix) const {
    Schema result = basics_of(schema);
    result.fields = schema.fields;
    Texts texts;
    if (!split_struct(schema, text, texts)) return record_error("the value is no object");
    std::vector<Buffer> inner(schema.fields.size());
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
      Field& field = result.fields[i];
      texts[i] = filled(*field.schema, texts[i], Nulls::fill);
      const std::string path = prefix + field.name + ".";
      if (field.schema->type != Type::structure || is_null(texts[i]) || !leads_into(path)) continue;
      CDC_TRY(field.schema, extend(inner[i], *schema.fields[i].schema, texts[i], path));
      texts[i] = inner[i].view();
    }
    for (const Addition& a : additions_) {
      if (a.path.compare(0, prefix.size(), prefix) != 0 ||
          a.path.find('.', prefix.size()) != std::string::npos)
        continue;
      CDC_CHECK(add_field(result, a.path.substr(prefix.size()), a.value.owner));
      texts.push_back(a.value.text);
    }
    SchemaPtr type = share(std::move(result));
    append_struct(out, *type, texts, Nulls::keep);
    return type;
  }

  bool leads_into(const std::string& path) const {
    for (const Addition& a : additions_)
      if (a.path.compare(0, path.size(), path) == 0) return true;
    return false;
  }

  const std::vector<Pair> pairs_;
  const bool moves_;
  std::vector<Addition> additions_;
};

}  // namespace

StepFactory make_header_to_value(Options& options, const StepContext&) {
  const auto headers = options.list("headers"), fields = options.list("fields");
  if (headers.size() != fields.size()) {
    options.invalid("fields", fmt::format("there must be one for each of the {} in headers", headers.size()));
    return {};
  }
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < headers.size(); ++i) pairs.push_back({headers[i], fields[i]});
  return [pairs, moves = options.choice("operation") == 0] {
    return std::make_unique<HeaderToValue>(pairs, moves);
  };
}

}  // namespace cdc::transform
