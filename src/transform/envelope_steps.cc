// Small transforms of whole envelopes: ReadToInsertEvent, SchemaChangeEventFilter, ExtractSchemaToNewRecord
// (CORE-SMT-12, -14).
#include "transform/debezium.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "json/json_read.h"
#include "json/json_text.h"
#include "text/list.h"
#include "transform/envelope_view.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {
namespace {

class ReadToInsert : public Transform {
 public:
  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope() || !view_.read(record) || view_.op() != 'r')
      return true;
    const SchemaPtr type = record.own_value_schema();
    const int op = field_index(*type, "op");
    if (op < 0 || !split_struct(*type, record.value().text, texts_)) return true;
    texts_[static_cast<std::size_t>(op)] = "\"c\"";
    const std::string_view text = record.build(*type, texts_, Nulls::keep);
    record.set_value(typed(type, text));
    return true;
  }

 private:
  EnvelopeView view_;
  Texts texts_;
};

class SchemaChangeFilter : public Transform {
 public:
  explicit SchemaChangeFilter(std::vector<std::string> excluded) : excluded_(std::move(excluded)) {}

  Result<bool> apply(Record& record) override {
    if (record.kind != RecordKind::schema_change || record.value_is_null()) return true;
    const std::string_view changes = member(record.value().text, "tableChanges");
    Texts items;
    if (is_null(changes) || !split_array(changes, items)) return false;
    const std::string type =
        items.empty() ? "DATABASE" : json::unquote(member(items.front(), "type")).value_or(std::string());
    return std::find(excluded_.begin(), excluded_.end(), type) == excluded_.end();
  }

 private:
  const std::vector<std::string> excluded_;
};

// The description of a table's columns, out of the parameters that datatype propagation leaves in schemas.
class SourceSchema : public Transform {
 public:
  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope() || !view_.read(record)) return true;
    const Block& block =
        blocks_.get(record.own_value_schema(), [](const SchemaPtr& s) { return make_block(*s); });
    if (block.type == nullptr)
      return record_error("the schema does not tell the columns' types",
                          "Set column.propagate.source.type=.*");
    const std::string_view value = record.value().text;
    const std::string_view table = member(view_.text("source"), "table");
    pieces_ = {value.substr(0, value.size() - 1), ",\"sourceSchema\":{\"id\":", table,
               record.work.store(block.tail), "}"};
    record.set_value(block.type, pieces_);
    return true;
  }

 private:
  struct Block {
    SchemaPtr type;    // null: the types are not there
    std::string tail;  // `,"table":{...}}`
  };

  static SchemaPtr block_type() {
    const auto text = make(Type::string, false);
    const auto number = make(Type::int32, true);
    const std::string name = "io.debezium.connector.source";
    auto column = struct_of(name + ".schema.Column", 1, false,
                            {{"name", text},
                             {"typeName", text},
                             {"length", number},
                             {"scale", number},
                             {"comment", make(Type::string, true)}});
    auto table =
        struct_of(name + ".schema.Table", 1, false, {{"columns", array_of(std::move(column), false)}});
    return struct_of(name + ".Schema", 1, false, {{"id", text}, {"table", std::move(table)}});
  }

  static Block make_block(const Schema& envelope) {
    constexpr std::string_view prefix = "__debezium.source.column.";
    Block block;
    const Field* row = find_field(envelope, "after");
    if (row == nullptr || row->schema->type != Type::structure) return block;
    Buffer out;
    out.append(R"(,"table":{"columns":[)");
    bool first = true;
    for (const Field& field : row->schema->fields) {
      const auto parameter = [&](std::string_view name) -> std::string_view {
        for (const auto& [key, value] : field.schema->parameters)
          if (key.size() == prefix.size() + name.size() && key.starts_with(prefix) && key.ends_with(name))
            return value;
        return {};
      };
      const auto number = [&](std::string_view name) {
        const std::string_view value = parameter(name);
        out.append(value.empty() ? std::string_view("0") : value);
      };
      const std::string_view type = parameter("type"), comment = parameter("comment"),
                             name = parameter("name");
      if (type.empty()) return block;
      out.append(first ? R"({"name":)" : R"(,{"name":)");
      first = false;
      json::append_string(out, name.empty() ? std::string_view(field.name) : name);
      out.append(R"(,"typeName":)");
      json::append_string(out, type);
      out.append(R"(,"length":)");
      number("length");
      out.append(R"(,"scale":)");
      number("scale");
      out.append(R"(,"comment":)");
      if (comment.empty())
        out.append("null");
      else
        json::append_string(out, comment);
      out.push('}');
    }
    out.append("]}}");
    block.tail = out.view();
    Schema type = envelope;
    type.fields.push_back({"sourceSchema", block_type()});
    block.type = share(std::move(type));
    return block;
  }

  EnvelopeView view_;
  SchemaMemo<Block> blocks_;
  std::vector<std::string_view> pieces_;
};

}  // namespace

StepFactory make_read_to_insert(Options&, const StepContext&) {
  return [] { return std::make_unique<ReadToInsert>(); };
}

StepFactory make_schema_change_filter(Options& options, const StepContext&) {
  static constexpr std::string_view known[] = {"CREATE", "ALTER", "DROP", "TRUNCATE", "DATABASE"};
  const auto excluded = options.list("schema.change.event.exclude.list");
  for (const std::string& type : excluded)
    if (std::find(std::begin(known), std::end(known), type) == std::end(known))
      options.invalid("schema.change.event.exclude.list",
                      fmt::format("'{}' is none of {}", type, fmt::join(known, ", ")));
  return [excluded] { return std::make_unique<SchemaChangeFilter>(excluded); };
}

StepFactory make_source_schema(Options&, const StepContext&) {
  return [] { return std::make_unique<SourceSchema>(); };
}

}  // namespace cdc::transform
