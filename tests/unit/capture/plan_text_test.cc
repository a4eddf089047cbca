// Unit ids and the progress of a resumable snapshot survive a round trip, and nonsense is refused.
#include "capture/snapshot_plan_text.h"

#include <doctest/doctest.h>

using namespace cdc;

namespace {

SnapshotPlan plan_of(std::initializer_list<const char*> tables) {
  SnapshotPlan plan;
  for (const char* table : tables) {
    PlannedTable planned;
    planned.id = {"", "public", table};
    plan.tables.push_back(planned);
  }
  return plan;
}

}  // namespace

TEST_CASE("unit ids carry their bounds") {
  SnapshotPlan plan = plan_of({"a", "b \"x\""});
  SnapshotUnit unit;
  unit.table = 1;
  unit.number = 2;
  unit.total = 4;
  unit.lower = {"10", "it's"};
  unit.upper = {"20", "z"};
  unit.ordered = true;
  const auto back = parse_unit(plan, unit_id(plan, unit));
  REQUIRE(back);
  CHECK(back->table == 1);
  CHECK(back->lower == unit.lower);
  CHECK(back->upper == unit.upper);
  CHECK(back->ordered);
  for (const char* bad : {"", "[]", "{}", "nonsense", R"(["","public","zz",0,1,[],[],true])",
                          R"(["","public","a",0,"x",[],[],true])"})
    CHECK_FALSE(parse_unit(plan, bad));
}

TEST_CASE("progress is found again in a later plan, tables that are gone are named") {
  SnapshotPlan plan = plan_of({"a", "b"});
  for (std::size_t i = 0; i < 2; ++i) {
    SnapshotUnit unit;
    unit.table = i;
    plan.units.push_back(unit);
  }
  SnapshotProgress progress;
  progress.done.insert(0);
  progress.keys[1] = {"41"};
  const std::string text = progress_text(plan, progress);
  const SnapshotPlan later = plan_of({"b", "c"});
  const auto stored = parse_progress(later, text);
  REQUIRE(stored);
  CHECK(stored->gone == std::vector<std::string>{"public.a"});
  REQUIRE(stored->units.size() == 1);
  CHECK(stored->units[0].table == 0);
  CHECK(stored->progress.done.empty());
  CHECK(stored->progress.keys.at(0) == std::vector<std::string>{"41"});
  CHECK_FALSE(parse_progress(later, "{\"units\":3}"));
}
