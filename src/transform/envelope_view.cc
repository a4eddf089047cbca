// Reading envelopes.
#include "transform/envelope_view.h"

#include <algorithm>

#include "json/json_read.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

struct OpText {
  Op op;
  std::string_view text;
};
constexpr OpText kOps[] = {{Op::create, "\"c\""}, {Op::update, "\"u\""},   {Op::remove, "\"d\""},
                           {Op::read, "\"r\""},   {Op::truncate, "\"t\""}, {Op::message, "\"m\""}};

}  // namespace

bool EnvelopeView::read(Record& record) {
  change_ = record.change();
  schema_ = record.value_schema();
  clock_size_ = 0;
  split_name_ = {};
  if (change_ != nullptr) {
    op_ = static_cast<char>(change_->op);
    return true;
  }
  if (schema_ == nullptr || schema_->type != Type::structure ||
      !split_struct(*schema_, record.value().text, texts_))
    return false;
  const std::string_view op = text("op");
  op_ = op.size() == 3 ? op[1] : '\0';
  return true;
}

std::string_view EnvelopeView::digits(std::size_t cut) const {
  if (clock_size_ == 0) {
    const auto end = std::to_chars(clock_.data(), clock_.data() + clock_.size(), change_->ts_ns).ptr;
    clock_size_ = static_cast<std::size_t>(end - clock_.data());
  }
  return clock_size_ > cut ? std::string_view(clock_.data(), clock_size_ - cut) : std::string_view("0");
}

std::string_view EnvelopeView::text(std::string_view name) const {
  if (change_ == nullptr) {
    const int i = field_index(*schema_, name);
    return i < 0 ? std::string_view("null") : texts_[static_cast<std::size_t>(i)];
  }
  if (name == "before") return change_->before->json();
  if (name == "after") return change_->after->json();
  if (name == "source") return change_->source;
  if (name == "transaction") return change_->transaction;
  if (name == "ts_ms") return digits(6);
  if (name == "ts_us") return digits(3);
  if (name == "ts_ns") return digits(0);
  if (name == "op")
    for (const OpText& row : kOps)
      if (row.op == change_->op) return row.text;
  return "null";
}

std::string_view EnvelopeView::nested(std::string_view structure, const Schema& type, int field) {
  if (split_name_ != structure) {
    if (!split_struct(type, text(structure), split_)) split_.assign(type.fields.size(), "null");
    split_name_ = structure;
  }
  return split_[static_cast<std::size_t>(field)];
}

std::vector<MetadataName> parse_metadata(const std::vector<std::string>& list, std::string_view prefix) {
  static constexpr std::string_view own[] = {"op", "ts_ms", "ts_us", "ts_ns"};
  static constexpr std::string_view of_transaction[] = {"id", "total_order", "data_collection_order"};
  const auto among = [](std::string_view name, const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  std::vector<MetadataName> out;
  for (const std::string& item : list) {
    const std::size_t colon = item.find(':');
    const std::string path = item.substr(0, colon);
    const std::size_t dot = path.find('.');
    MetadataName m;
    m.field = dot == std::string::npos ? path : path.substr(dot + 1);
    if (dot != std::string::npos)
      m.structure = path.substr(0, dot);
    else if (among(path, of_transaction))
      m.structure = "transaction";
    else if (!among(path, own))
      m.structure = "source";
    m.name = prefix;
    if (colon != std::string::npos)
      m.name += item.substr(colon + 1);
    else
      m.name += dot == std::string::npos ? path : m.structure + "_" + m.field;
    out.push_back(std::move(m));
  }
  return out;
}

std::vector<MetadataField> resolve_metadata(const std::vector<MetadataName>& names, const Schema& envelope) {
  std::vector<MetadataField> out;
  for (const MetadataName& name : names) {
    const Schema* holder = &envelope;
    if (!name.structure.empty()) {
      const Field* structure = find_field(envelope, name.structure);
      if (structure == nullptr || structure->schema->type != Type::structure) continue;
      holder = structure->schema.get();
    }
    const int i = field_index(*holder, name.field);
    if (i < 0) continue;
    MetadataField f;
    f.name = &name;
    f.structure = name.structure.empty() ? nullptr : holder;
    f.field = i;
    f.schema = optional_copy(*holder->fields[static_cast<std::size_t>(i)].schema);
    f.lead = "," + json::quote(name.name) + ":";
    out.push_back(std::move(f));
  }
  return out;
}

std::string_view metadata_text(EnvelopeView& view, const MetadataField& field) {
  if (field.structure == nullptr) return view.text(field.name->field);
  const Schema& original = *field.structure->fields[static_cast<std::size_t>(field.field)].schema;
  const std::string_view text = view.nested(field.name->structure, *field.structure, field.field);
  // `source.snapshot` is null outside of snapshots; the block prints its default in place of that.
  return field.name->structure == "source" && original.default_json && text == *original.default_json
             ? std::string_view("null")
             : text;
}

}  // namespace cdc::transform
