// The hot path allocates nothing per row (after the buffers have grown): counted, not assumed.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "../event/support.h"
#include "event/snapshot_events.h"
#include "event/stream_events.h"
#include "format/formats.h"

using namespace cdc;
using namespace cdc::test;

namespace {
std::atomic<std::uint64_t> allocations{0};
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // both sides are ours
#endif
void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
// A sanitizer has its own, which would not fit to the operators below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

TEST_CASE("hot path: no allocation per streamed row") {
  Room room;
  room.room->make_format = [&] { return make_format(room.config); };
  auto events = StreamEvents::make(*room.room, "").value();
  PlainBlock block;
  FixedPosition position;
  position.offset.clear();
  events->set_source_block(&block);
  events->set_position_writer(&position);
  const auto table = events->table(people()).value();
  const std::vector<Cell> before{value("1"), value("somebody"), value("41")},
      after{value("1"), value("somebody"), value("42")};
  const auto push = [&](int rows) {
    for (int i = 0; i < rows; ++i) REQUIRE(events->row({table.get(), Op::update, before, after, true}));
    REQUIRE(events->flush(false));
    while (auto batch = room.queue.pop(std::chrono::milliseconds(0))) room.queue.recycle(std::move(batch));
  };
  push(20000);
  const auto start = allocations.load();
  push(10000);
  const auto used = allocations.load() - start;
  MESSAGE("allocations for 10,000 rows: " << used);
  CHECK(used < 100);  // batches and the queue, not rows
}

TEST_CASE("hot path: no allocation per snapshot row") {
  Room room;
  room.room->make_format = [&] { return make_format(room.config); };
  SnapshotPlan plan;
  plan.tables.push_back({{"", "public", "people"}, 0, {}, true});
  SnapshotUnit unit;
  plan.units.push_back(unit);
  SnapshotMarkers markers(plan, false);
  SnapshotEvents events(*room.room, markers, false, false);
  PlainBlock block;
  FixedPosition position;
  position.offset.clear();
  REQUIRE(events.begin_unit(0, unit));
  events.set_source_block(&block);
  events.set_position_writer(&position);
  const auto table = events.table(people()).value();
  const std::vector<Cell> row{value("1"), value("somebody"), value("41")};
  const auto push = [&](int rows) {
    for (int i = 0; i < rows; ++i) {
      REQUIRE(events.row({table.get(), Op::read, {}, row, false}));
      while (auto batch = room.queue.pop(std::chrono::milliseconds(0))) room.queue.recycle(std::move(batch));
    }
  };
  push(20000);
  const auto start = allocations.load();
  push(10000);
  const auto used = allocations.load() - start;
  MESSAGE("allocations for 10,000 rows: " << used);
  CHECK(used < 100);
}
