// Can streaming go on from the stored position, and where exactly? One pure decision over the stored
// offset, the slot, the server and the configuration (PG-OFF-03/05/06/07, PG-SLOT-11, PG-HA-05). Reading
// and writing the offset's JSON is the stream's business.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"
#include "source/postgres/control/lsn.h"
#include "source/postgres/control/server.h"
#include "source/postgres/control/slot.h"

namespace cdc::pg {

// The members of a stored offset that matter here.
struct OffsetPoint {
  std::optional<Lsn> lsn, lsn_proc, lsn_commit;
  std::optional<Lsn> tx_final_lsn;  // cdc_tx_final_lsn: delivered in part
  std::string system_identifier;    // cdc_systemid; empty: not stored (Debezium's offset)
  std::uint32_t timeline = 0;       // 0: not stored
  std::optional<Lsn>
      confirmed;  // the highest position this capture itself confirmed beyond its offset (keepalives)
  // What was committed before this was delivered: where to ask the server to start (PG-OFF-03). The highest
  // of all, as a row of a long transaction may lie before commits that were delivered before it.
  std::optional<Lsn> resume_point() const;
};

struct StartQuestion {
  std::optional<OffsetPoint> offset;  // none: nothing stored
  std::optional<SlotState> slot;      // as await_slot gave it
  MismatchStrategy strategy = MismatchStrategy::no_validation;
  // Where the stored timeline ended for this server (shared_history()); unset: the same one, or not known.
  std::optional<Lsn> shared_until;
  bool check_position = true;  // internal.log.position.check.enable
  bool manual_flush = false;   // lsn.flush.mode=manual: the slot is never advanced
};

struct StartAnswer {
  enum class Verdict : std::uint8_t {
    start,    // stream from `start`
    lost,     // the position is gone; snapshot.mode decides what happens
    refused,  // `error`, whatever the mode
  };
  Verdict verdict = Verdict::start;
  Lsn start = 0;  // for START_REPLICATION
  // Nothing that was confirmed beyond it holds for this server: `confirmed` is to be set back to it.
  std::optional<Lsn> confirmed_limit;
  // The slot stands here: at `start`, or before it as after a crash, or in a copy restored to an older state.
  // To go on there and look whether the log is the same (history_check.h).
  std::optional<Lsn> check_from;
  bool forget_offset = false;     // it is of another server: only the slot counts
  std::optional<Lsn> advance_to;  // call advance_slot with it before starting
  Error error;                    // of lost (position_lost) and refused
  std::vector<std::string> warnings;
};

// The way out when the server's log is not the one the position was taken from.
inline constexpr std::string_view kOtherHistoryHint =
    "connect to the server of the last run, or remove the stored offset (`cdc offsets reset`) and take a new "
    "snapshot";

StartAnswer decide_start(const StartQuestion& question, const SlotSettings& slot, const ServerFacts& facts);

}  // namespace cdc::pg
