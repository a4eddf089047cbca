// Walking over rows.
#include "transform/row_rewriter.h"

#include "transform/schema_build.h"

namespace cdc::transform {

Result<bool> RowRewriter::apply(Record& record) {
  if (record.value_is_null() || record.value_schema() == nullptr ||
      record.value_schema()->type != Type::structure)
    return true;
  const SchemaPtr from = record.own_value_schema();
  const Plan& plan = plans_.get(from, [this](const SchemaPtr& s) { return make_plan(s); });
  if (plan.type == nullptr) return true;
  if (plan.is_row) {
    record.set_value(typed(plan.type, rewrite(record, *from, *plan.type, record.value().text)));
    return true;
  }
  if (!split_struct(*from, record.value().text, members_)) return true;
  for (std::size_t i = 0; i < members_.size(); ++i)
    if (plan.rows[i] != nullptr && !is_null(members_[i]))
      members_[i] = rewrite(record, *from->fields[i].schema, *plan.rows[i], members_[i]);
  record.set_value(typed(plan.type, record.build(*plan.type, members_, Nulls::keep)));
  return true;
}

RowRewriter::Plan RowRewriter::make_plan(const SchemaPtr& value) const {
  Plan plan;
  if (!is_envelope(value.get())) {
    plan.type = changed_row(*value);
    plan.is_row = true;
    return plan;
  }
  Schema type = *value;
  bool any = false;
  for (Field& field : type.fields) {
    const bool image =
        (field.name == "before" || field.name == "after") && field.schema->type == Type::structure;
    plan.rows.push_back(image ? changed_row(*field.schema) : nullptr);
    if (plan.rows.back() == nullptr) continue;
    field.schema = plan.rows.back();
    any = true;
  }
  if (any) plan.type = share(std::move(type));
  return plan;
}

SchemaPtr RowRewriter::changed_row(const Schema& row) const {
  Schema type = row;
  bool any = false;
  for (Field& field : type.fields)
    if (SchemaPtr schema = changed_schema(field.schema)) {
      field.schema = std::move(schema);
      any = true;
    }
  return any ? share(std::move(type)) : nullptr;
}

std::string_view RowRewriter::rewrite(Record& record, const Schema& from, const Schema& to,
                                      std::string_view row) {
  if (!split_struct(from, row, columns_)) return row;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_null(columns_[i]) || changed_schema(from.fields[i].schema) == nullptr) continue;
    if (const auto text = changed_value(*from.fields[i].schema, columns_[i]))
      columns_[i] = record.work.store(*text);
  }
  return record.build(to, columns_, Nulls::keep);
}

}  // namespace cdc::transform
