// The clock of envelopes: who reads it, and when.
#include "event/envelope.h"

#include <doctest/doctest.h>

#include "streaming.h"

using namespace cdc;
using namespace cdc::test;

namespace {

// Pushes one row and says which moment it carries, in milliseconds: the statistics know when they hear of it.
struct Clocked : Streaming {
  std::int64_t push(Op op = Op::create) {
    REQUIRE(Streaming::push(table, op, {}, {value("1"), value("Ann"), null()}));
    out();
    return room->runtime.stats.last_event_ms.load();
  }
  TableHandle table = events->table(people()).value();
};

void wait_until_after(std::int64_t ms) {
  while (now_ns() / 1'000'000 <= ms) {
  }
}

}  // namespace

TEST_CASE("CORE-DSP-09: what came together carries the moment it came, what comes later a later one") {
  Clocked c;
  c.events->received();
  const auto first = c.push();
  wait_until_after(first + 1);
  CHECK(c.push() == first);
  CHECK(c.push(Op::update) == first);
  c.events->received();
  CHECK(c.push() > first);
}

TEST_CASE("CORE-DSP-09: a source that does not say when bytes came has the clock read for each event") {
  Clocked c;
  const auto first = c.push();
  wait_until_after(first + 1);
  CHECK(c.push() > first);
}

TEST_CASE("the tick clock never runs ahead, and follows within a tick") {
  TickClock clock;
  const auto begin = clock.now_ns();
  CHECK(begin <= now_ns());
  const auto deadline = begin + 1'000'000'000;
  while (clock.now_ns() == begin && now_ns() < deadline) {
  }
  CHECK(clock.now_ns() > begin);
  CHECK(now_ns() - clock.now_ns() < 100'000'000);
}
