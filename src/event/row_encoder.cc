// The loops over cells, and the schema of records that do not fit their table's.
#include "event/row_encoder.h"

#include <algorithm>

namespace cdc {
namespace {

inline void append_text(Buffer& out, const std::string& text) { out.append(text); }
const std::string kNull = "null";

// Outcome bits that change the schema of a record.
constexpr std::uint32_t kNullInRequired = 1u << 30;
constexpr std::uint32_t kSchemaBits = encoded::null_element | encoded::nested_mask | kNullInRequired;

}  // namespace

void encode_row(const CompiledTable& table, std::span<const Cell> cells, EncodedRow& row) {
  Buffer& out = row.text;
  out.clear();
  const std::size_t n = table.columns.size();
  row.values.resize(n);
  row.outcome.resize(n);
  EncodedRow::Slice* const values = row.values.data();
  std::uint32_t* const outcomes = row.outcome.data();
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const CompiledTable::Column& column = table.columns[i];
    column.lead.append_to(out);
    const std::size_t begin = out.size();
    std::uint32_t outcome = encoded::ok;
    const Cell& cell = cells[column.cell];
    switch (cell.kind) {
      case Cell::Kind::value:
        outcome = column.codec.encode(column.codec.state.get(), cell.data, out);
        if (outcome & encoded::failed) {
          // Null from here on, printed as any other NULL: replace.null.with.default has its say.
          append_text(out, column.required ? kNull : column.null_json);
          if (column.required) outcome |= kNullInRequired;
        }
        break;
      case Cell::Kind::null:
        if (column.required && !column.masks_null) {
          out.append("null");
          outcome = kNullInRequired;
        } else {
          append_text(out, column.null_json);
        }
        break;
      case Cell::Kind::unavailable:
        if (column.codec.unavailable_json) {
          append_text(out, *column.codec.unavailable_json);
        } else {
          out.append("null");
          outcome = encoded::failed | (column.required ? kNullInRequired : 0);
        }
        break;
      case Cell::Kind::absent:
        append_text(out, column.absent_json);
        break;
    }
    values[i] = {begin, out.size()};
    outcomes[i] = outcome;
    all |= outcome;
  }
  if (n == 0) out.push('{');
  out.push('}');
  row.varied = (all & kSchemaBits) != 0;
  row.troubled = (all & (encoded::failed | encoded::element_failed)) != 0;
}

bool encode_key(const CompiledTable& table, std::span<const Cell> cells, const EncodedRow* row, Buffer& out,
                KeyPlace place) {
  const auto& columns = place == KeyPlace::header && !table.header_key.empty() ? table.header_key : table.key;
  for (const auto& column : columns)
    if (cells[column.cell].kind == Cell::Kind::absent) return false;
  for (const auto& column : columns) {
    column.lead.append_to(out);
    const Cell& cell = cells[column.cell];
    if (cell.kind == Cell::Kind::null) {
      append_text(out, column.null_json);
    } else if (column.same_as >= 0 && row != nullptr) {
      out.append(row->value(static_cast<std::size_t>(column.same_as)));
    } else if (cell.kind == Cell::Kind::unavailable) {
      out.append(column.codec.unavailable_json ? std::string_view(*column.codec.unavailable_json) : "null");
    } else if (column.codec(cell.data, out) & encoded::failed) {
      out.append("null");
    }
  }
  if (table.key.empty()) out.push('{');
  out.append(table.key_tail);
  return true;
}

namespace {

SchemaPtr varied_array(const SchemaPtr& schema, std::uint32_t outcome) {
  auto varied = std::make_shared<Schema>(*schema);
  SchemaPtr items = schema->items;
  if (outcome & encoded::null_element) items = with_optional(items, true);
  const auto dimensions = (outcome & encoded::nested_mask) >> encoded::nested_shift;
  for (std::uint32_t d = 1; d < dimensions; ++d) items = array_of(items, true);
  varied->items = items;
  return varied;
}

}  // namespace

SchemaPtr varied_value_type(const CompiledTable& table, const EncodedRow& before, const EncodedRow& after) {
  auto row_type = std::make_shared<Schema>(*table.row_type);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::uint32_t outcome = 0;
    for (const EncodedRow* row : {&before, &after})
      if (row->present() && i < row->outcome.size()) {
        const std::uint32_t nested =
            std::max(outcome & encoded::nested_mask, row->outcome[i] & encoded::nested_mask);
        outcome = ((outcome | row->outcome[i]) & ~encoded::nested_mask) | nested;
      }
    SchemaPtr& schema = row_type->fields[i].schema;
    if (outcome & kNullInRequired) schema = with_optional(schema, true);
    if (schema->type == Type::array && (outcome & (encoded::null_element | encoded::nested_mask)))
      schema = varied_array(schema, outcome);
  }
  auto value_type = std::make_shared<Schema>(*table.value_type);
  for (Field& field : value_type->fields)
    if (field.name == "before" || field.name == "after") field.schema = row_type;
  return value_type;
}

}  // namespace cdc
