// What a reader's events add to the statistics of the run.
#include "event/tally.h"

#include <doctest/doctest.h>

using namespace cdc;

TEST_CASE("the statistics hear of events when they are told, each once") {
  Stats stats;
  {
    Tally tally(stats);
    tally.count(Op::create, 1'000'000, 7'000);
    tally.count(Op::create, 2'000'000, 8'000);
    tally.count(Op::update, 3'000'000, 9'000);
    tally.row_scanned();
    CHECK(stats.events == 0);
    tally.publish();
    tally.publish();
    CHECK(stats.events == 3);
    CHECK(stats.creates == 2);
    CHECK(stats.updates == 1);
    CHECK(stats.rows_scanned == 1);
    CHECK(stats.last_event_ms == 3);
    CHECK(stats.last_source_ms == 9);
    for (const Op op : {Op::remove, Op::read, Op::truncate, Op::message}) tally.count(op, 4'000'000, 0);
  }
  CHECK(stats.events == 7);  // the rest at its end
  CHECK(stats.deletes == 1);
  CHECK(stats.reads == 1);
  CHECK(stats.truncates == 1);
  CHECK(stats.messages == 1);
  CHECK(stats.last_event_ms == 4);
  CHECK(stats.last_source_ms == 9);
}

TEST_CASE("readers that count side by side lose nothing") {
  Stats stats;
  Tally one(stats), other(stats);
  for (int i = 0; i < 10; ++i) one.count(Op::read, 1, 0), other.count(Op::read, 1, 0);
  one.publish();
  other.publish();
  CHECK(stats.reads == 20);
  CHECK(stats.events == 20);
}
