// Which columns print (CORE-COL-01 .. 04), and which columns make the key (CORE-KEY-02, -03). Names
// are matched as schema.table.column (the parts the source has). Immutable, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/table.h"
#include "text/regex.h"

namespace cdc {

class ColumnFilter {
 public:
  static Result<ColumnFilter> make(const Config& config);
  bool active() const { return include_set_ || !exclude_.empty(); }
  bool printed(const TableId& table, std::string_view column) const;

 private:
  bool include_set_ = false;  // set but empty excludes everything
  text::RegexList include_, exclude_;
};

class KeyColumns {
 public:
  static Result<KeyColumns> make(const Config& config);
  bool active() const { return !entries_.empty(); }
  // Positions of the key's columns among `columns`; nullopt: no entry matches, the table's own key
  // counts. Error: a column would stand in the key twice.
  Result<std::optional<std::vector<std::size_t>>> key_of(const TableId& table,
                                                         const std::vector<std::string>& columns) const;
  // What entries for this table name and it does not have.
  std::vector<std::string> missing_in(const TableId& table, const std::vector<std::string>& columns) const;

 private:
  struct Entry {
    text::Regex table, column;  // the latter over the whole name
    std::string written;        // the column's part
  };
  std::vector<Entry> entries_;  // one for each (table regex, column), in the order written
};

}  // namespace cdc
