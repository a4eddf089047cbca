// SnapshotSession: the connections that read one and the same state of the database (PG-SNAP-03..06,
// PG-PAR-06), and the position and time that this state belongs to.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdc/runtime.h"
#include "cdc/table.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/server.h"
#include "source/postgres/control/slot.h"
#include "source/postgres/seen_transactions.h"
#include "source/postgres/settings.h"

namespace cdc::pg {

// Which state to read.
struct SnapshotView {
  std::optional<CreatedSlot> created;  // a slot made in this run: its exported snapshot
  bool must_meet_stream = false;       // a stream goes on from here: no transaction may fall between
  Lsn slot_confirmed = 0;              // of the older slot that it will go on from
};

class SnapshotSession {
 public:
  // Opens `workers` connections, each in a transaction that sees the same state. The connection that made
  // `view.created` must have been silent since (PG-SLOT-05); afterwards it is free.
  static Result<std::unique_ptr<SnapshotSession>> open(const SourceSettings& settings,
                                                       const ServerFacts& facts, Connection& general,
                                                       const SnapshotView& view, unsigned workers,
                                                       Runtime& runtime);

  // Each belongs to the thread of its worker; worker 0's also to the planner, before the workers start.
  Connection& connection(unsigned worker) { return workers_[worker].connection; }
  std::int64_t time_us(unsigned worker) const { return workers_[worker].time_us; }  // CURRENT_TIMESTAMP
  unsigned size() const { return static_cast<unsigned>(workers_.size()); }

  Lsn lsn() const { return lsn_; }  // that the rows belong to
  // Where the stream starts, and what it may then bring once more (none: nothing).
  Lsn stream_from() const { return stream_from_; }
  const std::shared_ptr<const SeenTransactions>& seen() const { return seen_; }
  std::optional<std::uint64_t> transaction() const { return xid_; }  // unset on a standby

  // PG-SNAP-11: ACCESS SHARE on each table until the session ends.
  Result<void> lock(std::span<const TableId> tables, milliseconds timeout);
  // Ends the transactions; the connections are closed with the object.
  Result<void> finish();

 private:
  struct Worker {
    Connection connection;
    std::int64_t time_us = 0;
  };
  SnapshotSession(const SourceSettings& settings, const ServerFacts& facts, Runtime& runtime)
      : settings_(settings), facts_(facts), runtime_(runtime) {}

  Result<void> import(const std::string& snapshot);                   // worker 0
  Result<void> open_beside_slot(Connection& general, Lsn confirmed);  // worker 0
  Result<bool> open_with_temporary_slot(Connection& general);  // false: the server has no slot to spare
  Result<void> open_plain(Connection& general, bool wait);     // worker 0, without an exported snapshot
  Result<void> add_workers(unsigned count, const std::string& snapshot);
  Result<void> add_worker(const std::string& begin);
  Result<void> wait_for_running(Connection& general);
  Result<void> read_identity();

  const SourceSettings& settings_;
  const ServerFacts& facts_;
  Runtime& runtime_;
  std::vector<Worker> workers_;
  Lsn lsn_ = 0, stream_from_ = 0;
  std::shared_ptr<const SeenTransactions> seen_;
  std::optional<std::uint64_t> xid_;
};

}  // namespace cdc::pg
