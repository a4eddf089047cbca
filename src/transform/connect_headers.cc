// Connect's transforms of headers: InsertHeader, HeaderFrom, DropHeaders.
#include "transform/connect.h"

#include <fmt/format.h>

#include <algorithm>

#include "transform/literal.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {
namespace {

class InsertHeader : public Transform {
 public:
  InsertHeader(std::string name, Literal literal) : name_(std::move(name)), literal_(std::move(literal)) {}

  Result<bool> apply(Record& record) override {
    record.unshare_headers();
    // A null literal makes a header without a value, of which nothing is printed.
    if (literal_.schema != nullptr) record.add_header(name_, typed(literal_.schema, literal_.json));
    return true;
  }

 private:
  const std::string name_;
  const Literal literal_;
};

class DropHeaders : public Transform {
 public:
  explicit DropHeaders(std::vector<std::string> names) : names_(std::move(names)) {}

  Result<bool> apply(Record& record) override {
    record.unshare_headers();
    for (const std::string& name : names_) record.remove_headers(name);
    return true;
  }

 private:
  const std::vector<std::string> names_;
};

class HeaderFrom : public Transform {
 public:
  struct Chosen {
    std::vector<std::string> fields, headers;
    bool moves = true;
    Nulls nulls;
  };
  HeaderFrom(Chosen chosen, Side side) : o_(std::move(chosen)), side_(side) {}

  Result<bool> apply(Record& record) override {
    CDC_CHECK(split_operand(record.operand(side_), "make headers of", texts_));
    const SchemaPtr type = record.own(side_);
    const Plan& plan = plans_.get(type, [this](const SchemaPtr& s) { return make_plan(*s); });
    if (!plan.missing.empty())
      return record_error(fmt::format("there is no field '{}' to make a header of", plan.missing));
    fill_nulls(*type, texts_, o_.nulls);
    record.unshare_headers();
    for (std::size_t i = 0; i < plan.fields.size(); ++i)
      record.add_header(o_.headers[i], typed(type->fields[plan.fields[i]].schema, texts_[plan.fields[i]]));
    if (!o_.moves) return true;
    kept_.clear();
    for (const std::size_t i : plan.kept) kept_.push_back(texts_[i]);
    record.set_operand(side_, typed(plan.type, record.build(*plan.type, kept_, record.nulls(side_))));
    return true;
  }

 private:
  struct Plan {
    SchemaPtr type;
    std::vector<std::size_t> fields, kept;
    std::string missing;
  };
  Plan make_plan(const Schema& schema) const {
    Plan plan;
    for (const std::string& name : o_.fields) {
      const int i = field_index(schema, name);
      if (i < 0) plan.missing = name;
      plan.fields.push_back(static_cast<std::size_t>(std::max(i, 0)));
    }
    Schema result = basics_of(schema);
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
      if (std::find(o_.fields.begin(), o_.fields.end(), schema.fields[i].name) != o_.fields.end()) continue;
      result.fields.push_back(schema.fields[i]);
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

}  // namespace

StepFactory make_insert_header(Options& options, const StepContext&) {
  return [name = options.text("header"), literal = infer_literal(options.text("value.literal"))] {
    return std::make_unique<InsertHeader>(name, literal);
  };
}

StepFactory make_drop_headers(Options& options, const StepContext&) {
  return [names = options.list("headers")] { return std::make_unique<DropHeaders>(names); };
}

StepFactory make_header_from(Options& options, const StepContext& context) {
  HeaderFrom::Chosen o{options.list("fields"), options.list("headers"), options.choice("operation") == 0,
                       copy_nulls(options)};
  if (o.fields.size() != o.headers.size())
    options.invalid("headers",
                    fmt::format("there must be one for each of the {} in fields", o.fields.size()));
  return [o, side = context.side] { return std::make_unique<HeaderFrom>(o, side); };
}

}  // namespace cdc::transform
