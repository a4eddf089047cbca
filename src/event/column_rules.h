// Column mappers (CORE-COL-05 .. 10): masks, hashes, truncation and propagated source types, applied
// to the value's columns once per table version. Nothing is looked up per row.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/runtime.h"
#include "cdc/table.h"
#include "text/regex.h"

namespace cdc {

struct RuledColumn {
  ColumnCodec codec;
  bool masks_null = false;
  std::string mask;  // the property that makes the value unreadable; empty: none
  // The rule for a text that is JSON already; none: such a text stays as it is.
  std::optional<ColumnCodec> over_json;
};

class ColumnRules {
 public:
  static Result<ColumnRules> make(const Config& config);
  bool active() const { return !rules_.empty(); }

  // The codec of the column as the value prints it. Warnings: several rules match, a mask that cannot
  // act on the type (CORE-COL-06).
  RuledColumn apply(const TableId& table, const ColumnShape& column, Log& log) const;

 private:
  enum class Kind : std::uint8_t { mask, hash, hash_v2, truncate, propagate, propagate_type };
  struct Rule {
    Kind kind;
    int place;               // where Debezium has it: decides for columns that no mask can hide
    std::string property;    // as the user wrote it
    std::size_t length = 0;  // of mask and truncate
    std::string algorithm, salt;
    text::RegexList names;
  };
  std::vector<Rule> rules_;  // in the order in which they are tried
};

}  // namespace cdc
