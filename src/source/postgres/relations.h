// RelationCache: the tables of the stream by the log's own number (PG-SCH-02, PG-STR-05). A Relation message
// of a captured table is joined with the catalog of that moment; one of another table is only remembered.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cdc/change_sink.h"
#include "filter/column_filter.h"
#include "source/postgres/case_pairs.h"
#include "source/postgres/control/catalog.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/pgoutput/messages.h"
#include "source/postgres/shapes.h"

namespace cdc::pg {

class StreamedTable {
 public:
  bool captured = false;
  TableId id;
  const CompiledTable* compiled = nullptr;  // of captured tables
  std::size_t columns = 0;                  // cells of a row as it comes

  // Makes the cells of a decoded tuple what the event room expects: columns without mapping are taken
  // out, and of a key tuple what is outside the identity becomes absent. Changes `cells`.
  std::span<const Cell> row(std::span<Cell> cells) const;
  std::span<const Cell> key_row(std::span<Cell> cells) const;
  // Whether two rows, as they come, certainly have one and the same key.
  bool same_key(std::span<const Cell> before, std::span<const Cell> after) const;

 private:
  friend class RelationCache;
  TableDescription description_;
  std::vector<bool> identity_;  // by cell
  bool other_key_ = false;      // message.key.columns may have chosen one
  BuiltShape built_;
  TableHandle handle_;
};

class RelationCache {
 public:
  // `general`: for catalog queries, used on the caller's thread. `types` is extended as types are seen.
  // `ignore_builtin`: table.ignore.builtin. `keys`: message.key.columns, for warnings only.
  RelationCache(Connection& general, TypeCatalog& types, ShapeOptions options, bool ignore_builtin,
                const KeyColumns& keys, ChangeSink& sink);

  // Once, before the first row: what the catalog has at the start.
  Result<void> begin() { return pairs_.read(general_); }
  // Whether the rows that come now were committed before the stream began.
  void set_before_start(bool before_start) { before_start_ = before_start; }

  // Whether changes of this table are wanted.
  bool captured(const TableId& id) const { return !left_out(id) && sink_.captured(id); }
  Result<void> learn(const pgoutput::Relation& relation);
  // A captured table that was joined with the catalog already. `number` is the caller's own; null cells of
  // its key rows must be absent where the row has no value. `detail`: for warnings; null: the table is gone.
  Result<StreamedTable*> learn(Oid number, TableDescription description, const TableDetail* detail);
  void clear();  // lets go of all compiled tables
  // nullptr: the server never described it.
  StreamedTable* find(Oid oid);
  // To be called before a row is pushed: reads types again whose labels the row does not know, and makes
  // the tables that use them anew. Free of cost for tables without enums.
  Result<void> check_labels(StreamedTable& table, std::span<const Cell> cells) {
    return table.built_.enums.empty() ? Result<void>() : find_new_labels(table, cells);
  }

 private:
  bool left_out(const TableId& id) const;
  Result<TableDescription> describe(const pgoutput::Relation& relation, const TableDescription& before);
  Result<void> warn_about_key(const TableDetail& detail, const TableDescription& before,
                              TableDescription& table) const;
  Result<void> complete(const std::vector<Oid>& columns);
  Result<void> compile(StreamedTable& table);
  Result<void> find_new_labels(StreamedTable& table, std::span<const Cell> cells);
  Result<void> refresh(const EnumCell& cell);

  Connection& general_;
  TypeCatalog& types_;
  ShapeOptions options_;
  bool ignore_builtin_;
  const KeyColumns& keys_;
  ChangeSink& sink_;
  CasePairs pairs_;
  bool before_start_ = false;
  std::unordered_map<Oid, std::unique_ptr<StreamedTable>> tables_;
  Oid last_oid_ = 0;
  StreamedTable* last_ = nullptr;
  Buffer scratch_;
  std::unordered_set<std::string>
      unknown_to_all_;  // values that the server's catalog does not explain either
};

}  // namespace cdc::pg
