// EnvelopeView: the members of a data event's envelope as texts, taken from the encoded rows while they
// are at hand, else split out of the value. And names of metadata (`op`, `lsn`, `source.table:tab`).
#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"
#include "transform/record.h"

namespace cdc::transform {

class EnvelopeView {
 public:
  // Call before the record's value is changed. False: the value is no struct.
  bool read(Record& record);

  char op() const { return op_; }
  std::string_view before() const { return text("before"); }
  std::string_view after() const { return text("after"); }
  // Slices of the row, where they are at hand; null otherwise.
  const EncodedRow* before_row() const { return change_ == nullptr ? nullptr : change_->before; }
  const EncodedRow* after_row() const { return change_ == nullptr ? nullptr : change_->after; }
  // The raw text of a member; "null" when there is none.
  std::string_view text(std::string_view name) const;
  // The raw text of a member's member: `source.lsn`.
  std::string_view nested(std::string_view structure, const Schema& type, int field);

 private:
  std::string_view digits(std::size_t cut) const;

  const ChangeParts* change_ = nullptr;
  const Schema* schema_ = nullptr;
  Texts texts_;
  std::string_view split_name_;  // what `split_` holds
  Texts split_;
  char op_ = 0;
  mutable std::array<char, 24> clock_{};
  mutable std::size_t clock_size_ = 0;
};

// One entry of add.fields or add.headers (CORE-SMT-03).
struct MetadataName {
  std::string structure;  // empty: the envelope itself
  std::string field;
  std::string name;  // what it is called in the result
};
std::vector<MetadataName> parse_metadata(const std::vector<std::string>& list, std::string_view prefix);

// The same against one envelope schema.
struct MetadataField {
  const MetadataName* name = nullptr;
  const Schema* structure = nullptr;  // null: the envelope
  int field = 0;
  SchemaPtr schema;  // optional, no default
  std::string lead;  // `,"__op":`
};
// Those that the envelope has.
std::vector<MetadataField> resolve_metadata(const std::vector<MetadataName>& names, const Schema& envelope);
std::string_view metadata_text(EnvelopeView& view, const MetadataField& field);

}  // namespace cdc::transform
