// The messages of PostgreSQL's output plugin `pgoutput`, protocol version 1 (PG-STR-03), as plain
// structs over the receive buffer. No decoding here, no catalog knowledge.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cdc/codec.h"

namespace cdc::pg::pgoutput {

using Lsn = std::uint64_t;
using Oid = std::uint32_t;

enum class Kind : char {
  begin = 'B',
  commit = 'C',
  origin = 'O',
  relation = 'R',
  type = 'Y',
  insert = 'I',
  update = 'U',
  remove = 'D',
  truncate = 'T',
  message = 'M',
};

// Times are microseconds since 1970-01-01 UTC; the server counts from 2000-01-01.
inline constexpr std::int64_t kPostgresEpochUs = 946'684'800'000'000;

struct Begin {
  Lsn final_lsn = 0;  // of the commit record: names the transaction for ever
  std::int64_t commit_time_us = 0;
  std::uint32_t xid = 0;
};

struct Commit {
  Lsn commit_lsn = 0;
  Lsn end_lsn = 0;
  std::int64_t commit_time_us = 0;
};

struct Origin {
  Lsn lsn = 0;  // position on the origin; 0 when the session set none
  std::string_view name;
};

struct RelationColumn {
  bool identity = false;  // part of the replica identity, which is not the primary key
  std::string_view name;
  Oid type = 0;
  std::int32_t typmod = -1;
};

struct Relation {
  Oid oid = 0;
  std::string_view schema;
  std::string_view table;
  char identity = 'd';  // d default, n nothing, f full, i index
  std::vector<RelationColumn> columns;
};

// An insert, update or delete. The cells live in the RowBuffers given to decode_row and point into
// the message.
struct Row {
  Oid relation = 0;
  char old_form = 0;          // 0: no old tuple, 'K': identity columns only, 'O': the whole row
  std::span<Cell> old_cells;  // K: cells outside the identity are null as the server sent them
  std::span<Cell> new_cells;
};

struct RowBuffers {
  std::vector<Cell> old_cells, new_cells;
};

struct Truncate {
  bool cascade = false;
  bool restart_identity = false;
  std::vector<Oid> relations;
};

struct LogicalMessage {
  bool transactional = false;
  Lsn lsn = 0;
  std::string_view prefix;
  std::string_view content;
};

}  // namespace cdc::pg::pgoutput
