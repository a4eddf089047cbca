// Compiling table versions.
#include "event/table_compiler.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "json/json_read.h"
#include "text/list.h"

namespace cdc {
namespace {

// What a partial old row prints for a NOT NULL column: hashed and cut as a value is (CORE-COL-07, -08).
std::string stand_in(const RuledColumn& ruled, const std::string& json) {
  if (!ruled.over_json) return json;
  Buffer out;
  (*ruled.over_json)(json, out);
  return std::string(out.view());
}

std::string lead(bool first, std::string_view name) { return (first ? "{" : ",") + json::quote(name) + ":"; }

}  // namespace

SchemaPtr transaction_block_type() {
  return struct_of("event.block", 1, true,
                   {{"id", cdc::make(Type::string, false)},
                    {"total_order", cdc::make(Type::int64, false)},
                    {"data_collection_order", cdc::make(Type::int64, false)}});
}

Result<std::unique_ptr<TableCompiler>> TableCompiler::make(const Config& config, const EventOptions& options,
                                                           SchemaPtr source_type, Destinations& destinations,
                                                           Log& log) {
  CDC_TRY(auto naming, TopicNaming::make(config));
  auto compiler = std::unique_ptr<TableCompiler>(
      new TableCompiler(options, std::move(source_type), destinations, log, std::move(naming)));
  CDC_TRY(compiler->collections_, CollectionFilter::make(config));
  CDC_TRY(compiler->column_filter_, ColumnFilter::make(config));
  CDC_TRY(compiler->key_columns_, KeyColumns::make(config));
  CDC_TRY(compiler->rules_, ColumnRules::make(config));
  return compiler;
}

const Destination& TableCompiler::destination(const TableId& id) const {
  return destinations_.intern(naming_.data_topic(id), id.catalog.empty() ? options_.database : id.catalog,
                              id.schema, id.table);
}

Result<TableHandle> TableCompiler::compile(TableShape shape) const {
  auto table = std::make_shared<CompiledTable>();
  table->shape = std::move(shape);
  table->collection_id = collection_id(table->shape.id);
  const Destination& destination = this->destination(table->shape.id);
  table->topic = destination.topic;
  table->destination = destination.number;
  compile_columns(*table);
  CDC_CHECK(check_names(*table));
  CDC_CHECK(compile_key(*table));
  compile_schemas(*table);
  warn_about_names(*table);
  for (const std::string& warning : table->shape.warnings) log_.warn_once(warning, warning);
  return TableHandle(std::move(table));
}

void TableCompiler::compile_columns(CompiledTable& table) const {
  const auto& shapes = table.shape.columns;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ColumnShape& shape = shapes[i];
    if (!column_filter_.printed(table.shape.id, shape.name)) continue;
    CompiledTable::Column column;
    column.cell = i;
    RuledColumn ruled = rules_.apply(table.shape.id, shape, log_);
    column.codec = std::move(ruled.codec);
    column.masks_null = ruled.masks_null;
    column.name = adjust_field_name(options_.field_names, shape.name);
    column.lead = FixedText(lead(table.columns.empty(), column.name));
    const Schema& schema = *column.codec.schema;
    column.required = !schema.optional;
    const bool use_default = schema.default_json && options_.value_null_to_default;
    column.null_json = column.masks_null                ? column.codec.fallback_json
                       : use_default && schema.optional ? *schema.default_json
                                                        : "null";
    // By the column, not by its schema: a NOT NULL geometry is optional in its schema (PG-TRAP-VAL-12).
    if (!shape.nullable)
      column.absent_json =
          stand_in(ruled, schema.default_json ? *schema.default_json : column.codec.fallback_json);
    else
      column.absent_json = column.null_json;
    if (column.masks_null) column.absent_json = column.codec.fallback_json;
    table.columns.push_back(std::move(column));
  }
}

// Two members of one name would be one to most readers.
Result<void> TableCompiler::check_names(const CompiledTable& table) const {
  if (options_.field_names == NameAdjustment::none) return {};
  std::map<std::string_view, std::size_t> cells;
  for (const CompiledTable::Column& column : table.columns) {
    const auto [other, is_new] = cells.emplace(column.name, column.cell);
    if (is_new) continue;
    const auto& shapes = table.shape.columns;
    return fail(
        ErrorKind::usage,
        fmt::format("{}: the columns {} and {} are both called {} under field.name.adjustment.mode",
                    table.collection_id, shapes[other->second].name, shapes[column.cell].name, column.name),
        "Set another mode, rename a column, or leave one out by column.exclude.list");
  }
  return {};
}

Result<void> TableCompiler::compile_key(CompiledTable& table) const {
  const auto& shapes = table.shape.columns;
  std::vector<std::size_t> cells = table.shape.key;
  table.keyed = !cells.empty() || table.shape.empty_key;
  if (key_columns_.active()) {
    std::vector<std::string> names;
    for (const ColumnShape& shape : shapes) names.push_back(shape.name);
    CDC_TRY(auto chosen, key_columns_.key_of(table.shape.id, names));
    if (chosen) {
      cells = std::move(*chosen);
      table.keyed = true;
    }
    for (const std::string& name : key_columns_.missing_in(table.shape.id, names))
      log_.warn_once(
          fmt::format("key {}.{}", table.collection_id, name),
          fmt::format("{}: message.key.columns names {}, and no column with a mapping is called so "
                      "(include.unknown.datatypes=true brings columns of other types): {}",
                      table.collection_id, name,
                      chosen ? "the key lacks it" : "the table's own key is used"));
  }
  std::vector<Field> fields;
  bool other_header = false;
  for (const std::size_t cell : cells) {
    const ColumnShape& shape = shapes[cell];
    CompiledTable::KeyColumn column;
    column.cell = cell;
    column.codec = shape.key_codec ? *shape.key_codec : shape.codec;
    const std::string name = adjust_field_name(options_.field_names, shape.name);
    column.lead = FixedText(lead(fields.empty(), name));
    const Schema& schema = *column.codec.schema;
    const bool use_default = schema.default_json && options_.key_null_to_default;
    column.null_json = use_default ? *schema.default_json : "null";
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const CompiledTable::Column& value = table.columns[i];
      if (value.cell == cell && value.codec.encode == column.codec.encode &&
          value.codec.state == column.codec.state)
        column.same_as = static_cast<int>(i);
    }
    fields.push_back({name, column.codec.schema});
    CompiledTable::KeyColumn in_header = column;
    if (shape.header_codec) {
      in_header.codec = *shape.header_codec;
      in_header.same_as = -1;
      other_header = true;
    }
    if (const Schema& own = *in_header.codec.schema; own.default_json) {
      in_header.null_json = options_.header_null_to_default ? *own.default_json : "null";
      other_header = other_header || in_header.null_json != column.null_json;
    }
    if (const std::string mask = rules_.apply(table.shape.id, shape, log_).mask; !mask.empty())
      log_.warn_once(
          fmt::format("key mask {}.{}", table.collection_id, shape.name),
          fmt::format("{}.{}: {} acts on the value only: the column is part of the key, which has it "
                      "in clear (message.key.columns chooses another key)",
                      table.collection_id, shape.name, mask));
    table.header_key.push_back(std::move(in_header));
    table.key.push_back(std::move(column));
  }
  if (!other_header) table.header_key.clear();
  table.key_tail = "}";
  if (const auto extra = naming_.key_discriminator(table.shape.id)) {
    table.keyed = true;
    table.key_tail =
        (fields.empty() ? "" : ",") + json::quote(extra->field) + ":" + json::quote(extra->value) + "}";
    fields.push_back({extra->field, cdc::make(Type::string, false)});
  }
  if (table.keyed) {
    table.key_type = struct_of(adjust_schema_name(options_.schema_names, table.topic + ".Key"), std::nullopt,
                               false, std::move(fields));
    table.key_schema = schema_text(*table.key_type);
  }
  return {};
}

void TableCompiler::compile_schemas(CompiledTable& table) const {
  std::vector<Field> fields;
  for (const auto& column : table.columns) fields.push_back({column.name, column.codec.schema});
  table.row_type = struct_of(adjust_schema_name(options_.schema_names, table.topic + ".Value"), std::nullopt,
                             true, std::move(fields));
  table.value_type = struct_of(adjust_schema_name(options_.schema_names, table.topic + ".Envelope"), 2, false,
                               {{"before", table.row_type},
                                {"after", table.row_type},
                                {"source", source_type_},
                                {"transaction", transaction_block_type()},
                                {"op", cdc::make(Type::string, false)},
                                {"ts_ms", cdc::make(Type::int64, true)},
                                {"ts_us", cdc::make(Type::int64, true)},
                                {"ts_ns", cdc::make(Type::int64, true)}});
  if (options_.value_schemas) table.value_schema = schema_text(*table.value_type);
}

void TableCompiler::warn_about_names(const CompiledTable& table) const {
  {
    std::lock_guard lock(mutex_);
    const auto [owner, is_new] = topic_owner_.emplace(table.topic, table.collection_id);
    if (!is_new && owner->second != table.collection_id && !naming_.key_discriminator(table.shape.id))
      log_.warn_once("topic " + table.topic + table.collection_id,
                     fmt::format("{} and {} are written to the same topic {}", owner->second,
                                 table.collection_id, table.topic));
  }
  const auto& columns = table.shape.columns;
  if (columns.size() > 400) return;  // quadratic below
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t k = i + 1; k < columns.size(); ++k)
      if (text::equals_ignore_case(columns[i].name, columns[k].name))
        log_.warn_once(
            fmt::format("case {}.{}", table.collection_id, columns[i].name),
            fmt::format(
                "{}: the columns {} and {} differ only by case: column rules (filters, masks, keys) that "
                "name one match both",
                table.collection_id, columns[i].name, columns[k].name));
}

}  // namespace cdc
