// What a start does: read tables or not, stream or not, or refuse (CORE-SNAP-01, -06; PG-SNAP-02).
// Pure functions over the mode and what is stored.
#pragma once

#include <optional>
#include <string>

#include "cdc/config.h"
#include "cdc/error.h"

namespace cdc {

enum class OffsetState : std::uint8_t { none, unfinished_snapshot, complete };

// `offset`: the stored JSON object, if any.
OffsetState offset_state(const std::optional<std::string>& offset);

// snapshot.mode as five answers.
struct SnapshotMode {
  bool always_data = false;  // at every start
  bool data_without_offset = false;
  bool stream = true;
  bool data_on_lost_position = false;
  bool go_on_when_lost = false;  // when_needed_no_data: from now, without data
  std::string name;
};
Result<SnapshotMode> snapshot_mode(const Config& config);

struct StartDecision {
  bool snapshot = false;
  bool stream = true;
  bool forget_offset = false;   // the stored offset is not gone on from
  bool may_start_over = false;  // with a snapshot that makes good what was lost (when_needed)
};

// Before the position was checked on the server.
Result<StartDecision> decide_start(const SnapshotMode& mode, OffsetState offset);

// The server does not have the position any more: what then. `problem` and `hint` are the source's.
Result<StartDecision> decide_lost(const SnapshotMode& mode, const std::string& problem,
                                  const std::string& hint);

}  // namespace cdc
