// Building of table shapes.
#include "source/postgres/shapes.h"

#include <algorithm>

#include <fmt/format.h>

#include "source/postgres/types/column_codec.h"

namespace cdc::pg {
namespace {

ColumnSpec spec_of(const TableDescription& table, const ColumnDescription& column) {
  ColumnSpec spec;
  spec.name = fmt::format("{}.{}.{}", table.id.schema, table.id.table, column.name);
  spec.type_oid = column.type;
  spec.typmod = column.typmod;
  spec.nullable = !column.not_null;
  spec.nullable_is_final = column.nullable_is_final;
  spec.default_expression = column.default_expression;
  return spec;
}

bool holds_enum(const TypeCatalog& catalog, Oid type) {
  const auto resolved = catalog.resolve(type, -1);
  if (!resolved) return false;
  if (resolved->type->kind == TypeKind::enumeration) return true;
  return resolved->type->kind == TypeKind::array && holds_enum(catalog, resolved->type->element);
}

ColumnShape column_shape(const TypeCatalog& catalog, const TableDescription& table,
                         const ColumnDescription& column, MappedColumn& mapped) {
  ColumnShape shape;
  shape.name = column.name;
  shape.nullable = mapped.nullable;
  shape.codec = *mapped.codec;
  const ColumnFacts facts =
      column_facts(catalog, column.type, column.typmod, column.default_expression.value_or(""), table.phase);
  shape.type_name = facts.type_name;
  shape.length = facts.length;
  shape.scale = facts.scale;
  shape.is_character = facts.is_character;
  shape.generated = column.generated;
  return shape;
}

}  // namespace

BuiltShape build_shape(const TypeCatalog& catalog, const TableDescription& table,
                       const ShapeOptions& options) {
  BuiltShape built;
  built.shape.id = table.id;
  built.shape.warnings = table.warnings;
  for (std::size_t cell = 0; cell < table.columns.size(); ++cell) {
    const ColumnDescription& column = table.columns[cell];
    const ColumnSpec spec = spec_of(table, column);
    MappedColumn mapped = make_codec(catalog, spec, options.modes);
    built.shape.warnings.insert(built.shape.warnings.end(), mapped.warnings.begin(), mapped.warnings.end());
    if (!mapped.codec) {
      built.all_cells = false;
      continue;
    }
    if (holds_enum(catalog, column.type)) built.enums.push_back({cell, column.type, *mapped.codec});
    built.cells.push_back(static_cast<std::uint32_t>(cell));
    built.shape.columns.push_back(column_shape(catalog, table, column, mapped));
    // Any column may be in the key (message.key.columns), and keys stand in headers as well.
    const auto in_form = [&](DecimalForm form) {
      TypeModes modes = options.modes;
      modes.decimal_form = form;
      return make_codec(catalog, spec, modes).codec;
    };
    ColumnShape& shape = built.shape.columns.back();
    if (options.key_decimal_form != options.modes.decimal_form)
      shape.key_codec = in_form(options.key_decimal_form);
    if (options.header_decimal_form != options.key_decimal_form)
      shape.header_codec = in_form(options.header_decimal_form);
  }
  bool without_mapping = false;
  for (const std::string& name : table.key) {
    const auto same_name = [&](const auto& column) { return column.name == name; };
    const auto& shapes = built.shape.columns;
    const auto mapped = std::find_if(shapes.begin(), shapes.end(), same_name);
    if (mapped != shapes.end()) {
      built.shape.key.push_back(static_cast<std::size_t>(mapped - shapes.begin()));
    } else if (std::any_of(table.columns.begin(), table.columns.end(), same_name)) {
      without_mapping = true;
      built.shape.warnings.push_back(
          fmt::format("key column {}.{}.{} is of a type that has no mapping: it is missing from the key "
                      "(include.unknown.datatypes=true brings it)",
                      table.id.schema, table.id.table, name));
    }
  }
  built.shape.empty_key = without_mapping && built.shape.key.empty();
  return built;
}

}  // namespace cdc::pg
