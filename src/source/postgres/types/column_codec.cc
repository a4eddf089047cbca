// Puts a column together: type -> rule -> mapping, then the column's nullability and default.
#include "source/postgres/types/column_codec.h"

#include <fmt/format.h>

#include "source/postgres/types/array_mapping.h"
#include "source/postgres/types/column_default.h"
#include "source/postgres/types/type_rules.h"

namespace cdc::pg {
namespace {

struct Found {
  std::optional<Mapping> mapping;  // unset: left out
  DefaultForm default_form = DefaultForm::none;
};

Found find_mapping(const TypeRequest& request) {
  if (request.type.kind == TypeKind::array) return {map_array(request), DefaultForm::none};
  const TypeRule& rule = rule_of(request.type);
  if (!rule.known && !request.modes.include_unknown) return {};
  return {rule.map(request), rule.default_form};
}

std::string left_out(const ColumnSpec& column, const TypeCatalog& catalog, const TypeInfo& type,
                     const TypeModes& modes) {
  bool helps = !modes.include_unknown;
  if (type.kind == TypeKind::array) {
    const TypeInfo* element = catalog.find(type.element);
    helps = helps && element != nullptr &&
            (element->kind == TypeKind::domain || rule_of(*element).in_arrays == InArrays::unknown);
  }
  return fmt::format("Column {} is left out of the events: its type {} has no form in them{}", column.name,
                     type.name,
                     helps ? ". Set include.unknown.datatypes=true to get the server's text of it" : "");
}

SchemaPtr finished_schema(const SchemaPtr& type_schema, bool optional,
                          const std::optional<std::string>& default_json) {
  auto schema = std::make_shared<Schema>(*type_schema);
  schema->optional = optional;
  schema->default_json = default_json;
  return schema;
}

}  // namespace

MappedColumn make_codec(const TypeCatalog& catalog, const ColumnSpec& column, const TypeModes& modes) {
  MappedColumn result;
  const auto resolved = catalog.resolve(column.type_oid, column.typmod);
  const bool unknown_element =
      resolved && resolved->type->kind == TypeKind::array && catalog.find(resolved->type->element) == nullptr;
  if (!resolved || unknown_element) {
    result.nullable = column.nullable;
    result.warnings.push_back(
        fmt::format("Column {} is left out of the events: the server does not know its type {}", column.name,
                    column.type_oid));
    return result;
  }
  result.nullable = column.nullable && (column.nullable_is_final || !resolved->not_null);

  const TypeRequest request{catalog, *resolved->type, resolved->typmod, modes};
  Found found = find_mapping(request);
  if (!found.mapping) {
    result.warnings.push_back(left_out(column, catalog, *resolved->type, modes));
    return result;
  }
  Mapping& mapping = *found.mapping;

  ColumnDefault standard;
  // Debezium ignores defaults of columns that have a domain for a type.
  if (column.default_expression && !resolved->through_domain) {
    standard = column_default(*column.default_expression, found.default_form, mapping, request);
    if (standard.unreadable) {
      result.warnings.push_back(
          fmt::format("The default of column {} is not in its schema: {} is not a plain value", column.name,
                      *column.default_expression));
    }
  }

  ColumnCodec codec;
  codec.encode = mapping.encode;
  codec.state = std::move(mapping.state);
  codec.schema = finished_schema(mapping.schema, result.nullable || mapping.always_optional, standard.json);
  if (result.nullable) {
    codec.fallback_json = "null";
  } else {
    codec.fallback_json = standard.json ? *standard.json : std::move(mapping.fallback_json);
  }
  codec.unavailable_json = std::move(mapping.unavailable_json);
  codec.no_form_hint = std::move(mapping.no_form_hint);
  result.codec = std::move(codec);
  return result;
}

}  // namespace cdc::pg
