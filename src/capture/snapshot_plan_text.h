// Units of a snapshot as text: the ids that `--plan` prints and `--chunk` takes, and the progress of
// a resumable snapshot in the state. An id carries its bounds, so that it means the same rows in
// another process at another time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/writer.h"
#include "cdc/snapshot.h"

namespace cdc {

// ["catalog","schema","table",number,total,[lower...],[upper...],ordered]
std::string unit_id(const SnapshotPlan& plan, const SnapshotUnit& unit);
// The unit of an id; its table must be in the plan. nullopt: not an id of ours, or no such table.
std::optional<SnapshotUnit> parse_unit(const SnapshotPlan& plan, std::string_view id);

// {"units":[id...],"done":[index...],"keys":[[index,[key...]]...]}
std::string progress_text(const SnapshotPlan& plan, const SnapshotProgress& progress);

struct StoredSnapshot {
  std::vector<SnapshotUnit> units;
  SnapshotProgress progress;
  std::vector<std::string> gone;  // tables of the stored plan that are not there any more
};
// nullopt: the text is not a progress of ours.
std::optional<StoredSnapshot> parse_progress(const SnapshotPlan& plan, std::string_view text);

}  // namespace cdc
