// The table of modes and the decisions it leads to.
#include "capture/start_decision.h"

#include <fmt/format.h>

#include "json/json_read.h"

namespace cdc {
namespace {

struct ModeRow {
  std::string_view name;
  bool always_data, data_without_offset, stream, data_on_lost, go_on_when_lost;
};
constexpr ModeRow kModes[] = {
    {"always", true, true, true, false, false},
    {"initial", false, true, true, false, false},
    {"initial_only", false, true, false, false, false},
    {"no_data", false, false, true, false, false},
    {"when_needed", false, true, true, true, false},
    {"when_needed_no_data", false, false, true, false, true},
};

const ModeRow* find_mode(std::string_view name) {
  for (const ModeRow& row : kModes)
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace

OffsetState offset_state(const std::optional<std::string>& offset) {
  if (!offset || offset->empty()) return OffsetState::none;
  const auto members = json::members(*offset);
  if (!members) return OffsetState::none;
  bool initial = false, completed = false;
  for (const auto& [name, value] : *members) {
    if (name == "snapshot") initial = value == "\"INITIAL\"" || value == "true" || value == "\"true\"";
    if (name == "snapshot_completed") completed = value == "true";
  }
  return initial && !completed ? OffsetState::unfinished_snapshot : OffsetState::complete;
}

Result<SnapshotMode> snapshot_mode(const Config& config) {
  const std::string& name = config.text("snapshot.mode");
  if (name == "configuration_based") {
    const auto flag = [&](const char* leaf) {
      return config.boolean(std::string("snapshot.mode.configuration.based.") + leaf);
    };
    SnapshotMode mode;
    mode.name = name;
    mode.always_data = flag("snapshot.data");
    mode.stream = flag("start.stream");
    mode.data_on_lost_position = flag("snapshot.on.data.error");
    return mode;
  }
  const std::string& wanted = name == "custom" ? config.text("snapshot.mode.custom.name") : name;
  const ModeRow* row = find_mode(wanted);
  if (row == nullptr)
    return fail(ErrorKind::usage,
                fmt::format("{}={}: there is no such mode",
                            name == "custom" ? "snapshot.mode.custom.name" : "snapshot.mode", wanted),
                "use always, initial, initial_only, no_data, when_needed, when_needed_no_data or "
                "configuration_based; Java classes "
                "cannot be loaded");
  return SnapshotMode{row->always_data,  row->data_without_offset, row->stream,
                      row->data_on_lost, row->go_on_when_lost,     wanted};
}

Result<StartDecision> decide_start(const SnapshotMode& mode, OffsetState offset) {
  StartDecision d;
  d.stream = mode.stream;
  if (mode.always_data) {
    d.snapshot = true;
    d.forget_offset = true;
    return d;
  }
  switch (offset) {
    case OffsetState::none:
      d.snapshot = mode.data_without_offset;
      d.may_start_over = d.snapshot && mode.data_on_lost_position;
      break;
    case OffsetState::unfinished_snapshot:
      if (!mode.data_without_offset)
        return fail(ErrorKind::usage,
                    fmt::format("the stored offset belongs to an unfinished initial snapshot, and "
                                "snapshot.mode={} reads no data",
                                mode.name),
                    "start once with snapshot.mode=initial, or remove the offset with `cdc offsets reset`");
      d.snapshot = true;
      d.forget_offset = true;
      break;
    case OffsetState::complete:
      break;
  }
  return d;
}

Result<StartDecision> decide_lost(const SnapshotMode& mode, const std::string& problem,
                                  const std::string& hint) {
  StartDecision d;
  d.forget_offset = true;
  d.stream = mode.stream;
  if (!mode.stream) return d;
  if (mode.data_on_lost_position) {
    d.snapshot = d.may_start_over = true;
    return d;
  }
  if (mode.go_on_when_lost) return d;
  return fail(ErrorKind::position_lost, problem,
              hint.empty() ? "take a new snapshot: start once with snapshot.mode=when_needed, or remove the "
                             "offset with `cdc offsets reset`"
                           : hint);
}

}  // namespace cdc
