// ExtractNewRecordState: the row alone instead of the envelope (CORE-SMT-03). Works on the slices of the
// encoded rows: where nothing has to be dropped or filled in, not a byte of a value is looked at.
#include "transform/debezium.h"

#include <fmt/format.h>

#include <algorithm>

#include "json/json_read.h"
#include "transform/envelope_view.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {
namespace {

constexpr std::string_view kDeleted = "__deleted";

enum class Deletes : std::uint8_t { drop, tombstone, rewrite, rewrite_with_tombstone, delete_to_tombstone };

struct UnwrapOptions {
  Deletes deletes = Deletes::tombstone;
  std::vector<MetadataName> fields, headers;
  std::string route_by;
  std::string drop_header;
  bool drop_from_key = false;
  bool keep_compatible = true;
  bool fill = true;  // nulls of columns with a default: only the rewrite modes copy rows

  bool rewrites() const { return deletes == Deletes::rewrite || deletes == Deletes::rewrite_with_tombstone; }
};

// What is known about one version of a table.
struct Plan {
  SchemaPtr row;     // of `before` and `after`
  SchemaPtr result;  // with everything added
  std::vector<MetadataField> fields, headers;
  bool has_defaults = false;
  std::string broken;  // why there is no result
};

// The names listed in a header as array of strings.
std::vector<std::string> listed(const Header* header) {
  std::vector<std::string> names;
  Texts items;
  if (header == nullptr || !split_array(header->value.text, items)) return names;
  for (const std::string_view item : items)
    if (auto name = json::unquote(item)) names.push_back(std::move(*name));
  return names;
}

class Unwrap : public Transform {
 public:
  explicit Unwrap(const UnwrapOptions& options) : o_(options) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null()) return tombstone(record);
    if (!record.has_envelope()) return true;
    const Plan& plan =
        plans_.get(record.own_value_schema(), [this](const SchemaPtr& s) { return make_plan(*s); });
    if (plan.row == nullptr) return true;
    if (!view_.read(record)) return record_error("the value is no envelope");
    if (view_.op() == 'd') return removed(record, plan);
    if (is_null(view_.after())) return false;  // TRUNCATE
    CDC_CHECK(route(record, plan, view_.after()));
    add_headers(record, plan);
    CDC_CHECK(write_row(record, plan, view_.after(), view_.after_row(), false));
    return true;
  }

 private:
  Result<bool> tombstone(Record& record) {
    if (o_.deletes != Deletes::rewrite_with_tombstone) return false;
    static const SchemaPtr text = make(Type::string, false);  // as on no other record (seen)
    for (const MetadataName& name : o_.headers)
      if (name.structure.empty() && name.field == "op")
        record.add_shared_header(name.name, typed(text, "\"d\""));
    return true;
  }

  Result<bool> removed(Record& record, const Plan& plan) {
    if (o_.deletes == Deletes::drop || (o_.rewrites() && is_null(view_.before()))) return false;
    CDC_CHECK(route(record, plan, view_.before()));
    add_headers(record, plan);
    switch (o_.deletes) {
      case Deletes::tombstone:
        record.set_value(typed(plan.row, "null"));
        break;
      case Deletes::delete_to_tombstone:
        record.clear_value();
        break;
      default:
        CDC_CHECK(write_row(record, plan, view_.before(), view_.before_row(), true));
    }
    return true;
  }

  Plan make_plan(const Schema& envelope) const {
    Plan plan;
    const Field* row = find_field(envelope, "after");
    if (row == nullptr || row->schema->type != Type::structure) return plan;
    plan.row = row->schema;
    plan.fields = resolve_metadata(o_.fields, envelope);
    plan.headers = resolve_metadata(o_.headers, envelope);
    Schema result = basics_of(*plan.row);
    result.fields = plan.row->fields;
    for (const Field& field : result.fields)
      plan.has_defaults = plan.has_defaults || field.schema->default_json.has_value();
    const auto add = [&](const std::string& name, const SchemaPtr& type) {
      if (auto added = add_field(result, name, type); !added) plan.broken = added.error().message;
    };
    if (o_.rewrites()) add(std::string(kDeleted), make(Type::string, true));
    for (const MetadataField& field : plan.fields) add(field.name->name, field.schema);
    plan.result = share(std::move(result));
    return plan;
  }

  Result<void> route(Record& record, const Plan& plan, std::string_view row) {
    if (o_.route_by.empty() || is_null(row)) return {};
    const Field* field = find_field(*plan.row, o_.route_by);
    if (field == nullptr || field->schema->type != Type::string)
      return record_error(fmt::format("route.by.field: there is no text column '{}'", o_.route_by));
    const auto topic = json::unquote(member(row, o_.route_by));
    if (!topic || topic->empty())
      return record_error(fmt::format("route.by.field: '{}' holds no topic", o_.route_by));
    record.topic = record.work.store(*topic);
    return {};
  }

  void add_headers(Record& record, const Plan& plan) {
    for (const MetadataField& field : plan.headers)
      record.add_shared_header(field.name->name,
                               typed(field.schema, record.work.store(metadata_text(view_, field))));
  }

  Result<void> write_row(Record& record, const Plan& plan, std::string_view row, const EncodedRow* slices,
                         bool deleted) {
    if (!plan.broken.empty())
      return record_error(plan.broken, "Give the added field another name, or leave the column out");
    if (!o_.drop_header.empty()) {
      if (const auto names = listed(record.last_header(o_.drop_header)); !names.empty())
        return write_without(record, plan, row, names, deleted);
    }
    pieces_.clear();
    const bool filled_in = o_.fill && plan.has_defaults && has_null_default(plan, row, slices);
    if (filled_in) {
      if (!split_struct(*plan.row, row, texts_)) return record_error("the row is no object");
      row = record.build(*plan.row, texts_, Nulls::fill);
    }
    const bool empty = row.size() <= 2;
    pieces_.push_back(row.substr(0, row.size() - 1));
    const auto piece = [&](std::string_view text) {
      pieces_.push_back(empty && pieces_.size() == 1 ? text.substr(1) : text);
    };
    if (o_.rewrites()) piece(deleted ? R"(,"__deleted":"true")" : R"(,"__deleted":"false")");
    for (const MetadataField& field : plan.fields) {
      const std::string_view text = metadata_text(view_, field);
      piece(field.lead);
      // Times are written in the view, which the next record reads into.
      pieces_.push_back(field.structure == nullptr ? record.work.store(text) : text);
    }
    if (pieces_.size() == 1)
      pieces_.front() = row;
    else
      pieces_.push_back("}");
    record.set_value(plan.result, pieces_);
    return {};
  }

  bool has_null_default(const Plan& plan, std::string_view row, const EncodedRow* slices) {
    const auto& fields = plan.row->fields;
    if (slices != nullptr && slices->values.size() == fields.size()) {
      for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].schema->default_json && slices->value(i) == "null") return true;
      return false;
    }
    return row.find(":null") != std::string_view::npos;
  }

  bool goes(const Field& field, const std::vector<std::string>& names) const {
    return std::find(names.begin(), names.end(), field.name) != names.end() &&
           (!o_.keep_compatible || field.schema->optional);
  }

  // The rare way: fields that a header names are left out. Rows of upserts lose added fields too.
  Result<void> write_without(Record& record, const Plan& plan, std::string_view row,
                             const std::vector<std::string>& names, bool deleted) {
    if (!split_struct(*plan.row, row, texts_)) return record_error("the row is no object");
    const std::size_t columns = plan.row->fields.size();
    if (o_.rewrites()) texts_.push_back(deleted ? "\"true\"" : "\"false\"");
    for (const MetadataField& field : plan.fields)
      texts_.push_back(record.work.store(metadata_text(view_, field)));
    Schema result = basics_of(*plan.result);
    Texts kept;
    for (std::size_t i = 0; i < plan.result->fields.size(); ++i) {
      const Field& field = plan.result->fields[i];
      if ((i < columns || !deleted) && goes(field, names)) continue;
      result.fields.push_back(field);
      kept.push_back(o_.fill ? filled(*field.schema, texts_[i], Nulls::fill) : texts_[i]);
    }
    SchemaPtr type = share(std::move(result));
    const std::string_view text = record.build(*type, kept, record.work.value_nulls);
    if (o_.drop_from_key) drop_from_key(record, names);
    record.set_value(typed(std::move(type), text));
    return {};
  }

  void drop_from_key(Record& record, const std::vector<std::string>& names) {
    if (!record.key.is_struct() || !split_struct(*record.key.schema, record.key.text, texts_)) return;
    Schema result = basics_of(*record.key.schema);
    Texts kept;
    for (std::size_t i = 0; i < record.key.schema->fields.size(); ++i) {
      const Field& field = record.key.schema->fields[i];
      if (goes(field, names)) continue;
      result.fields.push_back(field);
      kept.push_back(texts_[i]);
    }
    SchemaPtr type = share(std::move(result));
    const std::string_view text = record.build(*type, kept, record.work.key_nulls);
    record.key = typed(std::move(type), text);
  }

  const UnwrapOptions o_;
  SchemaMemo<Plan> plans_;
  EnvelopeView view_;
  Texts texts_;
  std::vector<std::string_view> pieces_;
};

}  // namespace

StepFactory make_unwrap(Options& options, const StepContext&) {
  UnwrapOptions o;
  o.deletes = static_cast<Deletes>(options.choice("delete.tombstone.handling.mode"));
  o.fields = parse_metadata(options.list("add.fields"), options.text("add.fields.prefix"));
  o.headers = parse_metadata(options.list("add.headers"), options.text("add.headers.prefix"));
  o.route_by = options.text("route.by.field");
  o.drop_header = options.text("drop.fields.header.name");
  o.drop_from_key = options.boolean("drop.fields.from.key");
  o.keep_compatible = options.boolean("drop.fields.keep.schema.compatible");
  o.fill = o.rewrites() && options.boolean("replace.null.with.default");
  return [o] { return std::make_unique<Unwrap>(o); };
}

}  // namespace cdc::transform
