// DecodeLogicalDecodingMessageContent: the JSON content of a logical message becomes the row of a change
// event (CORE-SMT-13, PG-MSG-06).
#include "transform/debezium.h"

#include <fmt/format.h>

#include "transform/hashes.h"
#include "transform/json_schema.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

class DecodeMessage : public Transform {
 public:
  explicit DecodeMessage(NullMembers nulls) : nulls_(nulls) {}

  Result<bool> apply(Record& record) override {
    const Schema* schema = record.value_schema();
    if (record.value_is_null() || schema == nullptr || schema->type != Type::structure) return true;
    const int op = field_index(*schema, "op"), message = field_index(*schema, "message");
    if (op < 0 || message < 0 || !split_struct(*schema, record.value().text, texts_) ||
        texts_[static_cast<std::size_t>(op)] != "\"m\"")
      return true;
    CDC_TRY(const auto document, decode(*schema->fields[static_cast<std::size_t>(message)].schema,
                                        texts_[static_cast<std::size_t>(message)]));
    Schema result = basics_of(*schema);
    result.name = schema->name + ".Envelope";
    result.version.reset();
    Texts kept;
    for (std::size_t i = 0; i < schema->fields.size(); ++i) {
      if (static_cast<int>(i) == message) continue;
      result.fields.push_back(schema->fields[i]);
      kept.push_back(static_cast<int>(i) == op ? std::string_view("\"c\"") : texts_[i]);
    }
    CDC_CHECK(add_field(result, "after", document->schema));
    kept.push_back(document->json);
    SchemaPtr type = share(std::move(result));
    const std::string_view text = record.build(*type, kept, Nulls::keep);
    record.set_value(typed(std::move(type), text));
    record.key = {};
    return true;
  }

 private:
  Result<std::unique_ptr<InferredJson>> decode(const Schema& message, std::string_view text) const {
    const Field* content = find_field(message, "content");
    if (content == nullptr || content->schema->type != Type::bytes)
      return record_error("the content of the message is no bytes", "Set binary.handling.mode=bytes");
    const auto document = decode_base64(member(text, "content"));
    std::string why = "it is no base64";
    if (document) {
      if (auto inferred = infer_json(*document, "", nulls_, why)) return inferred;
    }
    return record_error(fmt::format("the content of the message is not the JSON that is wanted: {}", why),
                        "Bind the transform to messages that hold JSON with a predicate, or leave others out "
                        "with message.prefix.exclude.list");
  }

  const NullMembers nulls_;
  Texts texts_;
};

}  // namespace

StepFactory make_decode_message(Options& options, const StepContext&) {
  const NullMembers nulls =
      options.boolean("fields.null.include") ? NullMembers::as_bytes : NullMembers::leave_out;
  return [nulls] { return std::make_unique<DecodeMessage>(nulls); };
}

}  // namespace cdc::transform
