// Identity and shape of a captured collection, in words common to all sources.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdc/codec.h"

namespace cdc {

// Parts a source does not have are empty. `collection_id` in filters, signals and notifications is
// the dotted form of the parts the source uses (PostgreSQL: schema.table; MySQL: database.table).
struct TableId {
  std::string catalog;  // database (MySQL, MongoDB), keyspace (Vitess)
  std::string schema;   // PostgreSQL, Oracle
  std::string table;

  friend bool operator==(const TableId&, const TableId&) = default;
  friend auto operator<=>(const TableId&, const TableId&) = default;
};

struct ColumnId {
  TableId table;
  std::string column;
};

struct ColumnShape {
  std::string name;
  bool nullable = true;
  ColumnCodec codec;
  std::optional<ColumnCodec> key_codec;     // where a key prints otherwise (key.converter.decimal.format)
  std::optional<ColumnCodec> header_codec;  // where a key in a header prints otherwise than the key itself
  // Facts that column rules look at (CORE-COL-05 ff.):
  std::string
      type_name;  // as `datatype.propagate.source.type` and its parameters spell it: INT4, VARCHAR, _INT4
  std::optional<int> length;  // absent when unknown
  std::optional<int> scale;
  std::string comment;
  bool is_character = false;  // masks apply (CORE-COL-06)
  bool generated = false;
};

struct TableShape {
  TableId id;
  std::vector<ColumnShape> columns;  // in the order in which rows come
  std::vector<std::size_t> key;      // indexes into columns, in key order; empty: no key
  bool empty_key = false;            // there is a key, but none of its columns has a mapping: it prints {}
  std::vector<std::string>
      warnings;  // what the reader of the catalog wants said once when the table is first used
};

}  // namespace cdc
