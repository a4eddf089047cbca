// The replication slot: its state, making, advancing and dropping it (PG-SLOT-*). What a stored position
// means against the slot is offset_check.h's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/runtime.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/lsn.h"
#include "source/postgres/control/server.h"
#include "source/postgres/control/settings.h"

namespace cdc::pg {

struct SlotState {
  std::string name;
  std::string plugin;  // empty: a physical slot
  std::string database;
  bool temporary = false;
  bool active = false;
  int active_pid = 0;
  std::string active_application, active_address;  // of that pid, where they may be seen
  std::optional<Lsn> restart_lsn;
  std::optional<Lsn> confirmed_flush_lsn;
  std::optional<std::uint32_t> catalog_xmin;
  std::string wal_status;                     // 13+: reserved, extended, unreserved, lost
  std::optional<std::int64_t> safe_wal_size;  // 13+: bytes until it may be lost
  std::string invalidation_reason;  // 17+: wal_removed, rows_removed, wal_level_insufficient, idle_timeout
  bool conflicting = false;         // 16+
  bool failover = false, synced = false;  // 17+
};

// By name alone, whatever its plugin and database; nullopt: there is none.
Result<std::optional<SlotState>> read_slot(Connection& connection, const std::string& name);

// Why this slot cannot serve us: of another database or plugin, physical, temporary (refused); invalidated
// (position_lost, the hint names the setting). nullopt: it can.
std::optional<Error> slot_problem(const SlotState& slot, const SlotSettings& settings,
                                  const ServerFacts& facts);
// The error of a slot that somebody else uses (55006), naming pid, application and address.
Error slot_active_error(const SlotState& slot);

// PG-SLOT-02: waits until the slot has a confirmed position (every 2 s, up to 900 times; falls back to
// restart_lsn when no session is idle in a transaction). nullopt: there is no slot.
Result<std::optional<SlotState>> await_slot(Connection& general, const SlotSettings& settings,
                                            const ServerFacts& facts, Runtime& runtime);

struct CreatedSlot {
  std::string name;
  Lsn consistent_point = 0;
  std::string snapshot_name;  // exported; lives until the next command on that connection (PG-SLOT-05)
};

enum class SlotLife : std::uint8_t { permanent, temporary };
// On `replication`; with the retries and time limits of PG-SLOT-04. A temporary slot (PG-SNAP-04) gets the
// name given and never FAILOVER. Transactions that hold it up are looked for on `general`, and named.
Result<CreatedSlot> create_slot(Connection& replication, Connection& general, const ServerFacts& facts,
                                const SlotSettings& settings, const std::string& name, SlotLife life,
                                Runtime& runtime);
// The command's text; pure.
std::string create_slot_sql(int server_version, bool in_recovery, const SlotSettings& settings,
                            const std::string& name, SlotLife life);

// Three tries, 1 s apart, while the slot is still active; a slot that is gone is fine.
Result<void> drop_slot(Connection& general, const std::string& name, Runtime& runtime);
// Where it stands afterwards. Errors: refused with SQLSTATE 42883 (server too old), 42501, 55000.
Result<Lsn> advance_slot(Connection& general, const std::string& name, Lsn to);

}  // namespace cdc::pg
