// Any text as offsets: lines given to `cdc offsets import`, PostgreSQL's own offset, partitions, and the ids
// and the progress of a snapshot's units. What is read must be written and read back to the same.
#include "capture/snapshot_plan_text.h"
#include "cli/offsets_file.h"
#include "input.h"
#include "source/postgres/offset.h"
#include "state/partition.h"

using namespace cdc;
using fuzz::require;

namespace {

void check_lines(std::string_view text) {
  const auto offsets = cli::read_offsets(text);
  if (!offsets) return require(!offsets.error().message.empty());
  require(!offsets->empty());
  for (const DebeziumOffset& offset : *offsets)
    if (offset.value) require(fuzz::is_json(cli::portable_offset(*offset.value)));
}

void check_offset(std::string_view text) {
  const auto offset = pg::parse_offset(text);
  if (!offset) return require(!offset.error().message.empty());
  Buffer once, twice;
  append_offset(once, *offset);
  require(fuzz::is_json(once.view()));
  const auto again = pg::parse_offset(once.view());
  require(again.has_value());
  append_offset(twice, *again);
  require(once.view() == twice.view());
  (void)offset->point().resume_point();
}

void check_partition(std::string_view text) {
  const std::string canonical = canonical_json(canonical_json(text));  // bytes that are no UTF-8 settle first
  require(canonical_json(canonical) == canonical);
}

SnapshotPlan plan() {
  SnapshotPlan plan;
  for (const char* name : {"orders", "lines"}) {
    PlannedTable table;
    table.id = {"", "public", name};
    plan.tables.push_back(std::move(table));
  }
  return plan;
}

void check_unit(std::string_view text) {
  static const SnapshotPlan known = plan();
  const auto unit = parse_unit(known, text);
  if (!unit) return;
  const std::string id = unit_id(known, *unit);
  const auto again = parse_unit(known, id);
  require(again && unit_id(known, *again) == id);
}

void check_progress(std::string_view text) {
  static const SnapshotPlan known = plan();
  const auto stored = parse_progress(known, text);
  if (!stored) return;
  SnapshotPlan mine = known;
  mine.units = stored->units;
  const auto again = parse_progress(known, progress_text(mine, stored->progress));
  require(again && again->units.size() == stored->units.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  return fuzz::choose(choice, input.rest(), check_lines, check_offset, check_partition, check_unit,
                      check_progress);
}
