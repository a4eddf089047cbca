// T2 of core.md: markers over tables of all sizes, in one thread and in several.
#include "event/snapshot_events.h"

#include <doctest/doctest.h>

#include <regex>

#include "support.h"

using namespace cdc;
using namespace cdc::test;

namespace {

// Reads tables of the given sizes one after the other; returns the markers in output order.
std::vector<std::string> markers_of(const std::vector<int>& sizes) {
  Room room;
  SnapshotPlan plan;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    PlannedTable planned;
    planned.id = {"", "public", std::string(1, static_cast<char>('a' + i))};
    plan.tables.push_back(planned);
    SnapshotUnit unit;
    unit.table = i;
    plan.units.push_back(unit);
  }
  SnapshotMarkers markers(plan, false);
  SnapshotEvents events(*room.room, markers, false, false);
  PlainBlock block;
  FixedPosition position;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    REQUIRE(events.begin_unit(i, plan.units[i]));
    events.set_source_block(&block);
    events.set_position_writer(&position);
    TableShape shape = people();
    shape.id = plan.tables[i].id;
    const auto table = events.table(std::move(shape)).value();
    for (int n = 0; n < sizes[i]; ++n) {
      const std::string id = std::to_string(n);
      const std::vector<Cell> row{value(id), value("x"), null()};
      REQUIRE(events.row({table.get(), Op::read, {}, row, false}));
    }
    REQUIRE(events.end_unit());
  }
  REQUIRE(events.finish(position));
  const std::string lines = room.lines();
  std::vector<std::string> out;
  const std::regex marker("\"snapshot\":\"([a-z_]+)\"");
  for (std::sregex_iterator i(lines.begin(), lines.end(), marker), end; i != end; ++i) out.push_back((*i)[1]);
  return out;
}

using Markers = std::vector<std::string>;

}  // namespace

TEST_CASE("CORE-SNAP-13, -14: first and last over tables of every size") {
  CHECK(markers_of({0}) == Markers{});
  CHECK(markers_of({1}) == Markers{"last"});
  CHECK(markers_of({2}) == Markers{"first", "last"});
  CHECK(markers_of({2, 0}) == Markers{"first", "last"});
  CHECK(markers_of({0, 2}) == Markers{"first_in", "last"});
  CHECK(markers_of({1, 1}) == Markers{"first", "last"});
  CHECK(markers_of({2, 2}) == Markers{"first", "last_in", "first_in", "last"});
  CHECK(markers_of({3, 0, 1, 2, 0}) == Markers{"first", "true", "last_in", "last_in", "first_in", "last"});
}

TEST_CASE("resumable snapshots: every batch tells how far its unit goes") {
  Room room;
  room.room->batch_events = 2;
  SnapshotPlan plan;
  plan.tables.push_back({{"", "public", "people"}, 0, {}, true});
  SnapshotUnit unit;
  unit.ordered = true;
  plan.units.push_back(unit);
  SnapshotMarkers markers(plan, false);
  SnapshotEvents events(*room.room, markers, true, false);
  PlainBlock block;
  FixedPosition position;
  REQUIRE(events.begin_unit(0, unit));
  events.set_source_block(&block);
  events.set_position_writer(&position);
  const auto table = events.table(people()).value();
  for (const char* id : {"1", "2", "3", "4", "5"}) {
    const std::vector<Cell> row{value(id), value("x"), null()};
    REQUIRE(events.row({table.get(), Op::read, {}, row, false}));
  }
  REQUIRE(events.end_unit());
  REQUIRE(events.finish(position));
  std::string seen;
  std::string key;
  while (auto batch = room.queue.pop(std::chrono::milliseconds(0))) {
    for (const UnitMark& mark : batch->marks) {
      if (mark.kind == UnitMark::Kind::progress) key = mark.key.at(0);
      if (mark.kind == UnitMark::Kind::done) key = "done";
    }
    // The last id in the batch is the key that was marked.
    const std::string bytes(batch->bytes.view());
    const auto at = bytes.rfind("{\"id\":");
    if (at != std::string::npos) seen += bytes.substr(at + 6, 1) + "=" + key + " ";
  }
  CHECK(seen == "2=2 4=4 5=done ");
}
