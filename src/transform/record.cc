// Events into records.
#include "transform/record.h"

#include <algorithm>

#include "event/compiled_table.h"
#include "json/json_text.h"
#include "transform/schema_build.h"

namespace cdc::transform {

Typed typed(SchemaPtr schema, std::string_view text) {
  Typed t;
  t.text = text;
  t.schema = schema.get();
  t.owner = std::move(schema);
  return t;
}

std::string_view Workspace::quoted(std::string_view utf8) {
  Buffer out(utf8.size() + 16);
  json::append_string(out, utf8);
  return store(out.view());
}

void Record::start(const Event& e) {
  event = &e;
  kind = e.kind;
  topic = e.topic;
  partition = e.partition;
  timestamp_ms.reset();
  key = {};
  if (!e.key.empty()) key = {e.key, e.key_type, nullptr};
  value_ = {};
  pieces_.assign(e.value.begin(), e.value.end());
  if (!pieces_.empty()) value_.schema = e.value_type;
  change_ = e.kind == RecordKind::data ? e.change : nullptr;
  table_ = e.change != nullptr ? e.change->table : nullptr;
  shared_ = true;
  is_delete_ = change_ != nullptr && change_->op == Op::remove;
  headers.clear();
  for (const EventHeader& h : e.headers) headers.push_back({h.name, {h.value, h.type, nullptr}, h.schema});
  if (e.kind != RecordKind::tombstone) {
    work.carried.clear();
    return;
  }
  for (const CarriedHeader& h : work.carried) headers.push_back({h.name, typed(h.schema, h.text), {}});
}

bool Record::has_envelope() const { return is_envelope(value_.schema) && !value_is_null(); }

const Typed& Record::value() {
  if (pieces_.empty()) return value_;
  if (pieces_.size() == 1) {
    value_.text = pieces_[0];
  } else {
    Buffer& out = work.scratch;
    out.clear();
    for (const std::string_view piece : pieces_) out.append(piece);
    value_.text = work.store(out.view());
  }
  pieces_.clear();
  return value_;
}

void Record::set_value(Typed value) {
  pieces_.clear();
  change_ = nullptr;
  value_ = std::move(value);
}

void Record::set_value(SchemaPtr schema, const std::vector<std::string_view>& pieces) {
  pieces_ = pieces;
  change_ = nullptr;
  value_ = typed(std::move(schema), {});
}

void Record::set_value_schema(SchemaPtr schema) {
  value_.owner = std::move(schema);
  value_.schema = value_.owner.get();
}

void Record::clear_value() { set_value(Typed{}); }

void Record::set_operand(Side side, Typed value) {
  if (side == Side::key)
    key = std::move(value);
  else
    set_value(std::move(value));
}

const SchemaPtr& Record::own_value_schema() {
  if (table_ != nullptr && value_.schema == table_->value_type.get()) return table_->value_type;
  return own(value_);
}

const SchemaPtr& Record::own_key_schema() {
  if (table_ != nullptr && key.schema == table_->key_type.get()) return table_->key_type;
  return own(key);
}

const SchemaPtr& Record::own(Typed& any) {
  if (any.schema != nullptr && any.owner.get() != any.schema) any.owner = adopt(*any.schema);
  any.schema = any.owner.get();
  return any.owner;
}

const SchemaPtr& Record::adopt(const Schema& schema) {
  constexpr std::size_t most = 4096;
  if (work.adopted.size() >= most) work.adopted.clear();
  SchemaPtr& kept = work.adopted[schema_text(schema)];
  if (kept == nullptr) kept = std::make_shared<const Schema>(schema);
  return kept;
}

const Header* Record::last_header(std::string_view name) const {
  const auto found =
      std::find_if(headers.rbegin(), headers.rend(), [&](const Header& h) { return h.name == name; });
  return found == headers.rend() ? nullptr : &*found;
}

void Record::add_shared_header(std::string_view name, Typed value) {
  if (shared_ && is_delete_) {
    const SchemaPtr& schema = own(value);
    work.carried.push_back({std::string(name), std::string(value.text), schema});
  }
  headers.push_back({name, std::move(value), {}});
}

void Record::remove_headers(std::string_view name) {
  std::erase_if(headers, [&](const Header& h) { return h.name == name; });
  if (shared_) std::erase_if(work.carried, [&](const CarriedHeader& h) { return h.name == name; });
}

std::string_view Record::build(const Schema& schema, const Texts& texts, Nulls nulls) {
  Buffer& out = work.scratch;
  out.clear();
  append_struct(out, schema, texts, nulls);
  return work.store(out.view());
}

}  // namespace cdc::transform
