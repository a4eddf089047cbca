// Where a capture stands. A source's offset is a JSON object in Debezium's own form (CORE-OFF-01);
// only the source itself reads its members. Everyone else stores and passes the text.
#pragma once

#include <cstdint>
#include <string>

namespace cdc {

// What becomes true once everything before it is durable. `token` is the source's own short form
// (PostgreSQL: the LSN to confirm), so that acknowledging needs no parsing.
struct Checkpoint {
  std::string offset;  // JSON object; empty: no offset yet (nothing may be stored)
  std::uint64_t token = 0;
};

// The moment in a snapshot that a row belongs to (CORE-SNAP-13); `streaming` outside snapshots.
enum class SnapshotMarker : std::uint8_t {
  streaming,
  first,
  first_in_data_collection,
  middle,  // prints "true"
  last_in_data_collection,
  last,
  incremental,
};

}  // namespace cdc
