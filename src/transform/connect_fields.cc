// Connect's transforms that choose, wrap and move fields: ReplaceField, ExtractField, HoistField,
// ValueToKey, Flatten.
#include "transform/connect.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/json_text.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {

Result<void> split_operand(const Typed& operand, std::string_view purpose, Texts& out) {
  if (operand.is_struct() && !operand.is_null() && split_struct(*operand.schema, operand.text, out))
    return {};
  return record_error(fmt::format("only a struct has fields to {}, and this is {}", purpose,
                                  operand.is_null() ? "null" : "none"),
                      "Bind the transform to the right records with a predicate");
}

namespace {

class ReplaceField : public Transform {
 public:
  struct Chosen {
    std::vector<std::string> include, exclude;
    std::vector<std::pair<std::string, std::string>> renames;
    Nulls nulls;
  };
  ReplaceField(Chosen chosen, Side side) : o_(std::move(chosen)), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed& operand = record.operand(side_);
    if (operand.is_null()) return true;
    CDC_CHECK(split_operand(operand, "replace", texts_));
    const SchemaPtr type = record.own(side_);
    const Plan& plan = plans_.get(type, [this](const SchemaPtr& s) { return make_plan(*s); });
    if (!plan.broken.empty()) return record_error(plan.broken);
    fill_nulls(*type, texts_, o_.nulls);
    kept_.clear();
    for (const std::size_t i : plan.kept) kept_.push_back(texts_[i]);
    record.set_operand(side_, typed(plan.type, record.build(*plan.type, kept_, record.nulls(side_))));
    return true;
  }

 private:
  struct Plan {
    SchemaPtr type;
    std::vector<std::size_t> kept;
    std::string broken;
  };

  bool keeps(const std::string& name) const {
    const auto in = [&](const std::vector<std::string>& list) {
      return std::find(list.begin(), list.end(), name) != list.end();
    };
    return !in(o_.exclude) && (o_.include.empty() || in(o_.include));
  }
  Plan make_plan(const Schema& schema) const {
    Plan plan;
    Schema result = basics_of(schema);
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
      const Field& field = schema.fields[i];
      if (!keeps(field.name)) continue;
      std::string name = field.name;
      for (const auto& [from, to] : o_.renames)
        if (from == field.name) name = to;
      if (auto added = add_field(result, name, field.schema); !added) plan.broken = added.error().message;
      plan.kept.push_back(i);
    }
    plan.type = share(std::move(result));
    return plan;
  }

  const Chosen o_;
  const Side side_;
  SchemaMemo<Plan> plans_;
  Texts texts_, kept_;
};

class ExtractField : public Transform {
 public:
  ExtractField(std::vector<std::string> path, Nulls nulls, Side side)
      : path_(std::move(path)), nulls_(nulls), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed& operand = record.operand(side_);
    if (operand.schema == nullptr) {
      if (operand.is_null()) return true;
      return record_error("a value without schema has no fields to extract");
    }
    SchemaPtr type = record.own(side_);
    std::string_view text = operand.text;
    for (const std::string& name : path_) {
      const Field* field = type->type == Type::structure ? find_field(*type, name) : nullptr;
      if (field == nullptr) return record_error(fmt::format("there is no field '{}' to extract", name));
      text = is_null(text) ? std::string_view("null") : filled(*field->schema, member(text, name), nulls_);
      type = field->schema;
    }
    record.set_operand(side_, typed(std::move(type), text));
    return true;
  }

 private:
  const std::vector<std::string> path_;
  const Nulls nulls_;
  const Side side_;
};

class HoistField : public Transform {
 public:
  HoistField(std::string field, Side side) : field_(std::move(field)), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed& operand = record.operand(side_);
    Buffer& out = record.work.scratch;
    out.clear();
    out.push('{');
    json::append_string(out, field_);
    out.push(':');
    out.append(operand.is_null() ? std::string_view("null") : operand.text);
    out.push('}');
    Typed result;
    result.text = record.work.store(out.view());
    if (operand.schema != nullptr) {
      result.owner = types_.get(record.own(side_), [this](const SchemaPtr& s) {
        return struct_of("", std::nullopt, false, {{field_, s}});
      });
      result.schema = result.owner.get();
    }
    record.set_operand(side_, std::move(result));
    return true;
  }

 private:
  const std::string field_;
  const Side side_;
  SchemaMemo<SchemaPtr> types_;
};

class ValueToKey : public Transform {
 public:
  ValueToKey(std::vector<std::string> fields, Nulls nulls) : fields_(std::move(fields)), nulls_(nulls) {}

  Result<bool> apply(Record& record) override {
    CDC_CHECK(split_operand(record.value(), "make a key of", texts_));
    const SchemaPtr value_type = record.own_value_schema();
    const Plan& plan = plans_.get(value_type, [this](const SchemaPtr& s) { return make_plan(*s); });
    if (!plan.missing.empty())
      return record_error(fmt::format("there is no field '{}' to make a key of", plan.missing));
    fill_nulls(*value_type, texts_, nulls_);
    key_.clear();
    for (const std::size_t i : plan.fields) key_.push_back(texts_[i]);
    record.key = typed(plan.type, record.build(*plan.type, key_, record.work.key_nulls));
    return true;
  }

 private:
  struct Plan {
    SchemaPtr type;
    std::vector<std::size_t> fields;
    std::string missing;
  };
  Plan make_plan(const Schema& schema) const {
    Plan plan;
    Schema key;
    key.type = Type::structure;
    for (const std::string& name : fields_) {
      const int i = field_index(schema, name);
      if (i < 0 || !add_field(key, name, schema.fields[static_cast<std::size_t>(i)].schema)) {
        plan.missing = name;
        return plan;
      }
      plan.fields.push_back(static_cast<std::size_t>(i));
    }
    plan.type = share(std::move(key));
    return plan;
  }

  const std::vector<std::string> fields_;
  const Nulls nulls_;
  SchemaMemo<Plan> plans_;
  Texts texts_, key_;
};

class Flatten : public Transform {
 public:
  Flatten(std::string delimiter, Side side) : delimiter_(std::move(delimiter)), side_(side) {}

  Result<bool> apply(Record& record) override {
    const Typed& operand = record.operand(side_);
    if (operand.is_null()) return true;
    if (!operand.is_struct()) return record_error("only a struct can be flattened");
    const SchemaPtr type = record.own(side_);
    const Plan& plan = plans_.get(type, [this](const SchemaPtr& s) { return make_plan(*s); });
    if (!plan.broken.empty()) return record_error(plan.broken);
    texts_.clear();
    collect(*type, operand.text);
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
    add(plan, result, schema, "", schema.optional);
    plan.type = share(std::move(result));
    return plan;
  }
  void add(Plan& plan, Schema& result, const Schema& schema, const std::string& prefix, bool optional) const {
    for (const Field& field : schema.fields) {
      const std::string name = prefix.empty() ? field.name : prefix + delimiter_ + field.name;
      const bool may_miss = optional || field.schema->optional;
      if (field.schema->type == Type::structure) {
        add(plan, result, *field.schema, name, may_miss);
      } else if (auto added = add_field(result, name, with_optional(field.schema, may_miss)); !added) {
        plan.broken = added.error().message;
      }
    }
  }
  // A null struct leaves all its fields null.
  void collect(const Schema& schema, std::string_view text) {
    Texts own;
    if (is_null(text) || !split_struct(schema, text, own)) own.assign(schema.fields.size(), "null");
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (schema.fields[i].schema->type == Type::structure)
        collect(*schema.fields[i].schema, own[i]);
      else
        texts_.push_back(own[i]);
    }
  }

  const std::string delimiter_;
  const Side side_;
  SchemaMemo<Plan> plans_;
  Texts texts_;
};

}  // namespace

StepFactory make_replace_field(Options& options, const StepContext& context) {
  ReplaceField::Chosen o{options.list("include"), options.list("exclude"), {}, copy_nulls(options)};
  for (const std::string& item : options.list("renames")) {
    const std::size_t colon = item.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == item.size())
      options.invalid("renames", fmt::format("'{}' is not written as old:new", item));
    else
      o.renames.emplace_back(item.substr(0, colon), item.substr(colon + 1));
  }
  return [o, side = context.side] { return std::make_unique<ReplaceField>(o, side); };
}

StepFactory make_extract_field(Options& options, const StepContext& context) {
  std::vector<std::string> path{options.text("field")};
  if (options.text("field.syntax.version") == "V2") {
    path.clear();
    const std::string& text = options.text("field");
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('.', at), text.size());
      path.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
  return [path, nulls = copy_nulls(options), side = context.side] {
    return std::make_unique<ExtractField>(path, nulls, side);
  };
}

StepFactory make_hoist_field(Options& options, const StepContext& context) {
  return [field = options.text("field"), side = context.side] {
    return std::make_unique<HoistField>(field, side);
  };
}

StepFactory make_value_to_key(Options& options, const StepContext&) {
  return [fields = options.list("fields"), nulls = copy_nulls(options)] {
    return std::make_unique<ValueToKey>(fields, nulls);
  };
}

StepFactory make_flatten(Options& options, const StepContext& context) {
  return [delimiter = options.text("delimiter"), side = context.side] {
    return std::make_unique<Flatten>(delimiter, side);
  };
}

}  // namespace cdc::transform
