// EnforceRecordSize: shortens the largest texts and bytes of records above a limit (CORE-SMT-14). The size
// is the estimate of a record in Debezium's memory, so that the same records are shortened by the same
// amount.
#include "transform/debezium.h"

#include <algorithm>
#include <cmath>

#include "json/json_read.h"
#include "json/json_text.h"
#include "transform/hashes.h"
#include "transform/row_rewriter.h"
#include "transform/schema_build.h"

namespace cdc::transform {
namespace {

// Bytes of things in the estimate.
constexpr std::size_t kRecord = 56, kEntry = 100, kStruct = 56, kReference = 8, kString = 56, kBytes = 24,
                      kPrimitive = 24, kArray = 64;

// Log positions count with ten digits each, so that a row is shortened alike wherever the log stands.
std::size_t position_size(std::string_view literal) {
  constexpr std::size_t digits = 10;
  std::size_t size = 0;
  bool in_number = false;
  for (const char c : json::unquote(literal).value_or(std::string())) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit) ++size;
    if (digit && !in_number) size += digits;
    in_number = digit;
  }
  return size;
}

std::size_t utf8_size(std::string_view literal) {
  return json::unquote(literal).value_or(std::string()).size();
}

std::size_t size_of(const Schema& schema, std::string_view json) {
  if (is_null(json)) return 0;
  switch (schema.type) {
    case Type::string:
      return kString + utf8_size(json);
    case Type::bytes:
      return kBytes + decode_base64(json).value_or(std::string()).size();
    case Type::array: {
      Texts items;
      split_array(json, items);
      std::size_t size = kArray;
      for (const std::string_view item : items) size += kReference + size_of(*schema.items, item);
      return size;
    }
    case Type::structure: {
      Texts texts;
      if (!split_struct(schema, json, texts)) return kStruct;
      std::size_t size = kStruct + kReference * texts.size();
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const Field& field = schema.fields[i];
        if (field.name == "snapshot" && field.schema->default_json && texts[i] == *field.schema->default_json)
          continue;  // null in the event itself
        if (field.name == "sequence" && field.schema->type == Type::string && !is_null(texts[i]))
          size += kString + position_size(texts[i]);
        else
          size += size_of(*field.schema, texts[i]);
      }
      return size;
    }
    case Type::map:
      return kArray + json.size();
    default:
      return kPrimitive;
  }
}

// Members of the stored offset, without those that are cdc's own.
std::size_t offset_entries(const Event& event) {
  constexpr std::size_t usual = 6;
  if (event.position == nullptr) return usual;
  const Checkpoint at = event.position->checkpoint_of_current();
  std::size_t n = 0;
  for_each_member(at.offset, [&](std::string_view key, std::string_view value) {
    if (!key.starts_with("\"cdc_") && !is_null(value)) ++n;
    return true;
  });
  return n == 0 ? usual : n;
}

struct Long {
  std::size_t row = 0, column = 0;
  std::size_t size = 0;
  std::size_t cut = 0;
};

// Without the last `cut` UTF-16 units.
std::string shortened_text(std::string_view literal, std::size_t cut) {
  std::string text = json::unquote(literal).value_or(std::string());
  while (cut > 0 && !text.empty()) {
    std::size_t at = text.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) --at;
    const std::size_t units = static_cast<unsigned char>(text[at]) >= 0xF0 ? 2 : 1;
    text.resize(at);
    cut -= std::min(cut, units);
  }
  return json::quote(text);
}

std::string shortened_bytes(std::string_view literal, std::size_t cut) {
  std::string bytes = decode_base64(literal).value_or(std::string());
  bytes.resize(bytes.size() - std::min(cut, bytes.size()));
  Buffer out;
  json::append_base64(out, bytes);
  return std::string(out.view());
}

bool can_be_cut(const Schema& s) {
  return (s.type == Type::string && (s.name.empty() || s.name == "io.debezium.data.Json")) ||
         (s.type == Type::bytes && s.name.empty());
}

class RecordSize : public Transform {
 public:
  // `unprinted`: headers that Debezium's records have and cdc's do not.
  RecordSize(std::size_t most, double ratio, std::size_t least_field, std::size_t unprinted)
      : most_(most), ratio_(ratio), least_field_(least_field), unprinted_(unprinted) {}

  Result<bool> apply(Record& record) override {
    if (record.value_is_null() || !record.has_envelope())
      return true;  // flattened rows are left alone (seen)
    const SchemaPtr type = record.own_value_schema();
    const std::size_t size =
        kRecord + kEntry * (1 + offset_entries(*record.event) + record.headers.size() + unprinted_) +
        record.topic.size() +
        (record.key.schema == nullptr ? 0 : size_of(*record.key.schema, record.key.text)) +
        size_of(*type, record.value().text);
    // What goes over the wire is guessed, and what is too much of that is cut (seen).
    const auto sent = static_cast<std::size_t>(static_cast<double>(size) * ratio_);
    if (sent > most_) shorten(record, type, sent - most_);
    return true;
  }

 private:
  void shorten(Record& record, const SchemaPtr& type, std::size_t excess) {
    if (!split_struct(*type, record.value().text, members_)) return;
    rows_.assign(members_.size(), {});
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Field& field = type->fields[i];
      const bool image = (field.name == "before" || field.name == "after") &&
                         field.schema->type == Type::structure && !is_null(members_[i]);
      if (image) split_struct(*field.schema, members_[i], rows_[i]);
    }
    choose(*type, excess);
    for (const Long& one : long_) {
      std::string_view& text = rows_[one.row][one.column];
      const Schema& row = *type->fields[one.row].schema;
      const bool is_text = row.fields[one.column].schema->type == Type::string;
      text = record.work.store(is_text ? shortened_text(text, one.cut) : shortened_bytes(text, one.cut));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!rows_[i].empty()) members_[i] = record.build(*type->fields[i].schema, rows_[i], Nulls::keep);
    record.set_value(typed(type, record.build(*type, members_, Nulls::keep)));
  }

  // Each loses in proportion to its size, the largest first.
  void choose(const Schema& type, std::size_t excess) {
    long_.clear();
    std::size_t total = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t c = 0; c < rows_[r].size(); ++c) {
        const Schema& schema = *type.fields[r].schema->fields[c].schema;
        if (!can_be_cut(schema) || is_null(rows_[r][c])) continue;
        const std::size_t size =
            size_of(schema, rows_[r][c]) - (schema.type == Type::string ? kString : kBytes);
        if (size < least_field_) continue;
        long_.push_back({r, c, size, 0});
        total += size;
      }
    std::stable_sort(long_.begin(), long_.end(),
                     [](const Long& a, const Long& b) { return a.size > b.size; });
    std::size_t rest = excess;
    for (Long& one : long_) {
      const double share =
          static_cast<double>(excess) * static_cast<double>(one.size) / static_cast<double>(total);
      one.cut = std::min({static_cast<std::size_t>(std::ceil(share)), rest, one.size});
      rest -= one.cut;
    }
  }

  const std::size_t most_;
  const double ratio_;
  const std::size_t least_field_, unprinted_;
  Texts members_;
  std::vector<Texts> rows_;
  std::vector<Long> long_;
};

}  // namespace

StepFactory make_record_size(Options& options, const StepContext& context) {
  const std::int64_t bytes = options.integer("max.bytes"), field = options.integer("min.field.size");
  const double ratio = options.number("compression.ratio");
  if (bytes < 1) options.invalid("max.bytes", "it must be at least 1");
  if (field < 0) options.invalid("min.field.size", "it cannot be negative");
  if (!(ratio > 0) || ratio > 1000)
    options.invalid("compression.ratio", "it must be above 0 and at most 1000");
  if (!options.ok()) return {};
  const auto most = static_cast<std::size_t>(bytes);
  constexpr std::string_view extended = "extended.headers.enabled";
  const std::size_t unprinted = context.config.boolean(extended) && !context.config.is_set(extended) ? 4 : 0;
  return [most, ratio, field = static_cast<std::size_t>(field), unprinted] {
    return std::make_unique<RecordSize>(most, ratio, field, unprinted);
  };
}

}  // namespace cdc::transform
