// Which collections are captured (CORE-FLT): the include and exclude lists of databases, schemas and
// tables, and the signal collections that are captured always. Used by sources and by the event room.
// Immutable, any thread.
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

// The dotted name that table filters, signals and notifications use: the parts the source has.
std::string collection_id(const TableId& id);

class CollectionFilter {
 public:
  static Result<CollectionFilter> make(const Config& config);

  bool captured(const TableId& id) const;
  bool schema_captured(std::string_view schema) const;
  bool is_signal(const TableId& id) const;  // one of signal.data.collection
  // Data is read by snapshots: captured, no signal collection, and in snapshot.include.collection.list.
  bool in_snapshot(const TableId& id) const;
  // Order of reading (CORE-SNAP-08): by the piece of table.include.list that matches first, then by
  // id in UTF-16 order. Signal collections come last.
  void sort_for_snapshot(std::vector<TableId>& ids) const;
  const std::vector<std::string>& signal_collections() const { return signals_; }

 private:
  text::RegexList database_include_, database_exclude_, schema_include_, schema_exclude_, table_include_,
      table_exclude_, snapshot_include_;
  std::vector<std::string> signals_;
  bool ignore_builtin_ = true;  // table.ignore.builtin
};

// Compares as Java's String.compareTo does: by UTF-16 units.
bool utf16_less(std::string_view a, std::string_view b);

}  // namespace cdc
