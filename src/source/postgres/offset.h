// Offset: the stored position of a PostgreSQL capture, read from and written as Debezium's JSON object
// (spec 3.6). What a position means is decided elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/buffer.h"
#include "cdc/error.h"
#include "source/postgres/control/offset_check.h"
#include "source/postgres/seen_transactions.h"

namespace cdc::pg {

// Members that are unset are not written. Members of other rooms (transaction counters, incremental
// snapshots) are passed over when reading.
struct Offset {
  std::optional<Lsn> lsn;         // last message
  std::optional<Lsn> lsn_proc;    // last message that is complete at its LSN (PG-OFF-02)
  std::optional<Lsn> lsn_commit;  // last commit
  std::string message_type;       // INSERT, ..., COMMIT
  std::optional<std::uint64_t> tx_id;
  std::int64_t ts_us = 0;
  std::optional<std::uint64_t> xmin;
  // Own keys (PG-OFF-04): the transaction that is open, and how much of it was delivered.
  std::optional<Lsn> tx_final_lsn;        // cdc_tx_final_lsn
  std::uint64_t tx_pos = 0;               // cdc_tx_pos: messages I/U/D/T/M, counted before filters
  std::uint64_t tx_part = 0;              // cdc_tx_part: tables done of a TRUNCATE that is under way
  std::string system_id;                  // cdc_systemid
  std::optional<std::uint64_t> timeline;  // cdc_timeline: of the server then; none from a standby
  std::optional<Lsn> confirmed;           // cdc_confirmed_lsn: told by a keepalive, nothing was in flight
  // Of a snapshot.
  std::string snapshot;  // INITIAL, BLOCKING; empty: none under way
  bool last_snapshot_record = false;
  bool snapshot_completed = false;
  // Of a snapshot beside an older slot, until the stream has passed it: cdc_snapshot, cdc_snapshot_end.
  std::shared_ptr<const SeenTransactions> seen;

  // Not stored. Where the record of the commit that was read last begins; 0: not known.
  Lsn commit_record = 0;

  bool own() const { return !system_id.empty() || tx_final_lsn || confirmed; }  // written by cdc
  OffsetPoint point() const;  // for the check against the slot
};

// Total: errors (kind corrupt) for text that is no such object; numbers may be 32- or 64-bit (CORE-OFF-02).
Result<Offset> parse_offset(std::string_view json);
void append_offset(Buffer& out, const Offset& offset);

}  // namespace cdc::pg
