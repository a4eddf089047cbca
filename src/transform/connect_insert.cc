// Connect's transforms that add to or rename what is there: InsertField, SetSchemaMetadata.
#include "transform/connect.h"

#include <fmt/format.h>

#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {
namespace {

SchemaPtr connect_timestamp(bool optional) {
  return named(Type::int64, "org.apache.kafka.connect.data.Timestamp", optional);
}

class InsertField : public Transform {
 public:
  enum class What : std::uint8_t { topic, partition, timestamp, literal };
  struct Insertion {
    What what = What::topic;
    std::string name;
    bool optional = true;
  };
  struct Chosen {
    std::vector<Insertion> fields;
    std::string literal;
    Nulls nulls;
  };
  InsertField(Chosen chosen, Side side) : o_(std::move(chosen)), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed& operand = record.operand(side_);
    if (operand.is_null()) return true;
    CDC_CHECK(split_operand(operand, "insert into", texts_));
    const SchemaPtr type = record.own(side_);
    const Plan& plan = plans_.get(type, [this](const SchemaPtr& s) { return make_plan(*s); });
    if (!plan.broken.empty()) return record_error(plan.broken);
    fill_nulls(*type, texts_, o_.nulls);
    for (const Insertion& field : o_.fields) {
      const std::string_view text = text_of(record, field.what);
      if (is_null(text) && !field.optional)
        return record_error(fmt::format("the record has nothing for the required field '{}'", field.name));
      texts_.push_back(text);
    }
    record.set_operand(side_, typed(plan.type, record.build(*plan.type, texts_, record.nulls(side_))));
    return true;
  }

 private:
  struct Plan {
    SchemaPtr type;
    std::string broken;
  };
  Plan make_plan(const Schema& schema) const {
    Plan plan;
    Schema result = basics_of(schema);
    result.fields = schema.fields;
    for (const Insertion& field : o_.fields) {
      SchemaPtr type = field.what == What::partition   ? make(Type::int32, field.optional)
                       : field.what == What::timestamp ? connect_timestamp(field.optional)
                                                       : make(Type::string, field.optional);
      if (auto added = add_field(result, field.name, std::move(type)); !added)
        plan.broken = added.error().message;
    }
    plan.type = share(std::move(result));
    return plan;
  }
  std::string_view text_of(Record& record, What what) const {
    switch (what) {
      case What::topic:
        return record.work.quoted(record.topic);
      case What::partition:
        return record.partition < 0 ? std::string_view("null")
                                    : record.work.store(std::to_string(record.partition));
      case What::timestamp:
        return record.timestamp_ms ? record.work.store(std::to_string(*record.timestamp_ms))
                                   : std::string_view("null");
      case What::literal:
        return record.work.quoted(o_.literal);
    }
    return "null";
  }

  const Chosen o_;
  const Side side_;
  SchemaMemo<Plan> plans_;
  Texts texts_;
};

class SchemaMetadata : public Transform {
 public:
  SchemaMetadata(std::string name, std::optional<int> version, Side side)
      : name_(std::move(name)), version_(version), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Schema* schema = side_ == Side::key ? record.key.schema : record.value_schema();
    if (schema == nullptr) {
      if (record.operand(side_).is_null()) return true;
      return record_error("there is no schema to name");
    }
    SchemaPtr type = types_.get(record.own(side_), [this](const SchemaPtr& s) {
      Schema changed = *s;
      if (!name_.empty()) changed.name = name_;
      if (version_) changed.version = version_;
      return share(std::move(changed));
    });
    if (side_ == Side::value) {
      record.set_value_schema(std::move(type));
    } else {
      record.key = typed(std::move(type), record.key.text);
    }
    return true;
  }

 private:
  const std::string name_;
  const std::optional<int> version_;
  const Side side_;
  SchemaMemo<SchemaPtr> types_;
};

}  // namespace

StepFactory make_insert_field(Options& options, const StepContext& context) {
  using What = InsertField::What;
  InsertField::Chosen o{{}, options.text("static.value"), copy_nulls(options)};
  const std::pair<std::string_view, What> rows[] = {{"topic.field", What::topic},
                                                    {"partition.field", What::partition},
                                                    {"timestamp.field", What::timestamp},
                                                    {"static.field", What::literal}};
  for (const auto& [option, what] : rows) {
    std::string name = options.text(option);
    if (name.empty()) continue;
    const bool required = name.back() == '!';
    if (required || name.back() == '?') name.pop_back();
    o.fields.push_back({what, std::move(name), !required});
  }
  if (options.is_set("offset.field"))
    options.invalid("offset.field", "records of a source have no offset in a topic");
  if (options.text("static.field").empty() != options.text("static.value").empty())
    options.invalid("static.value", "static.field and static.value must be set together");
  if (o.fields.empty() && options.ok())
    options.invalid(
        "static.field",
        "nothing is to be inserted; set topic.field, partition.field, timestamp.field or static.field");
  return [o, side = context.side] { return std::make_unique<InsertField>(o, side); };
}

StepFactory make_schema_metadata(Options& options, const StepContext& context) {
  std::optional<int> version;
  if (options.is_set("schema.version")) {
    const std::int64_t given = options.integer("schema.version");
    version = static_cast<int>(given);
    if (*version != given)
      options.invalid("schema.version", fmt::format("{} does not fit into 32 bits", given));
  }
  if (options.text("schema.name").empty() && !version)
    options.invalid("schema.name", "neither schema.name nor schema.version is set");
  return [name = options.text("schema.name"), version, side = context.side] {
    return std::make_unique<SchemaMetadata>(name, version, side);
  };
}

}  // namespace cdc::transform
