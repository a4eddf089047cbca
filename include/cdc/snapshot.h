// What a source offers for reading tables, and what capture asks for: units of work that any number
// of workers take one by one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cdc/table.h"

namespace cdc {

// A piece of one table. `lower`/`upper` are SQL texts of key tuples (exclusive, inclusive) in the
// source's own form; empty: open. One unit with both open is the whole table.
struct SnapshotUnit {
  std::size_t table = 0;     // index into SnapshotPlan::tables
  std::uint32_t number = 0;  // within its table, from 0
  std::uint32_t total = 1;   // units of that table
  std::vector<std::string> lower, upper;
  bool ordered = false;  // rows come in key order, so that the last key tells how far it got
};

struct PlannedTable {
  TableId id;
  std::uint64_t estimated_rows = 0;
  std::string select_override;  // replaces the whole SELECT
  bool has_key = false;
};

struct SnapshotPlan {
  std::vector<PlannedTable> tables;  // in reading order (CORE-SNAP-08)
  std::vector<SnapshotUnit> units;   // in the order in which workers take them
  std::vector<std::string> notes;    // said once: unlogged tables, row security, empty tables left out, ...
};

// A table of a snapshot on demand, while the stream is paused (CORE-BLK).
struct OnDemandTable {
  std::string collection;  // its collection id
  std::string select;      // replaces the whole SELECT; empty: as configured
};

struct SnapshotRequest {
  unsigned threads = 1;
  bool resumable = false;         // key order within units, so that a crash can go on at the last stored key
  std::uint64_t target_rows = 0;  // rows wanted per unit where it is cut; 0: by threads
  // Only these tables, in this order, read in a state of its own on the stream's position.
  std::optional<std::vector<OnDemandTable>> on_demand;
};

}  // namespace cdc
