// Meeting what was delivered last: the same history goes on, another one is seen.
#include <doctest/doctest.h>

#include "source/postgres/history_check.h"

using namespace cdc;
using namespace cdc::pg;
using Step = HistoryCheck::Step;

namespace {

Offset after_commit() {
  Offset offset;
  offset.system_id = "7";
  offset.message_type = "COMMIT";
  offset.lsn = offset.lsn_proc = offset.lsn_commit = 0x200;
  offset.tx_id = 9;
  offset.ts_us = 1'000;
  return offset;
}

}  // namespace

TEST_CASE("a slot behind the position: passed over until the last transaction, then delivered") {
  HistoryCheck check(after_commit(), 0x100);
  CHECK(check.active());
  CHECK(check.begin(0x150, 8) == Step::pass);
  CHECK(check.commit(0x160, 900) == Step::pass);
  CHECK(check.message(0x170) == Step::pass);
  CHECK(check.reached(0x180) == Step::pass);
  CHECK(check.begin(0x1F0, 9) == Step::pass);
  CHECK(check.commit(0x200, 1'000) == Step::pass);
  CHECK(check.begin(0x200, 10) == Step::deliver);
  CHECK_FALSE(check.active());
}

TEST_CASE("another history: position, transaction or time differ, or nothing comes") {
  const auto at_last = [](Lsn end, std::uint32_t xid, std::int64_t time) {
    HistoryCheck check(after_commit(), 0x100);
    CHECK(check.begin(0x1F0, xid) == Step::pass);
    return check.commit(end, time);
  };
  CHECK(at_last(0x200, 9, 1'000) == Step::pass);
  CHECK(at_last(0x208, 9, 1'000) == Step::foreign);
  CHECK(at_last(0x200, 11, 1'000) == Step::foreign);
  CHECK(at_last(0x200, 9, 1'001) == Step::foreign);
  HistoryCheck check(after_commit(), 0x100);
  CHECK(check.reached(0x201) == Step::foreign);
  CHECK(check.begin(0x210, 12) == Step::foreign);
  CHECK(check.message(0x200) == Step::foreign);
}

TEST_CASE("what a keepalive confirmed: nothing of ours may lie in it") {
  Offset offset = after_commit();
  offset.confirmed = 0x300;
  HistoryCheck same(offset, 0x240), other(offset, 0x240), quiet(offset, 0x240);
  CHECK(same.begin(0x300, 10) == Step::deliver);
  CHECK(other.begin(0x280, 10) == Step::foreign);
  CHECK(quiet.reached(0x300) == Step::pass);
  CHECK(quiet.reached(0x301) == Step::deliver);
}

TEST_CASE("stopped inside a transaction, or behind a message of its own") {
  Offset inside = after_commit();
  inside.message_type = "INSERT";
  inside.tx_final_lsn = 0x280;
  inside.tx_id = 10;
  HistoryCheck same(inside, 0x100), other(inside, 0x100), gone(inside, 0x100);
  CHECK(same.begin(0x1F0, 9) == Step::pass);
  CHECK(same.commit(0x200, 5) == Step::pass);
  CHECK(same.message(0x270) == Step::pass);
  CHECK(same.begin(0x280, 10) == Step::deliver);
  CHECK(other.begin(0x280, 11) == Step::foreign);
  CHECK(gone.begin(0x290, 10) == Step::foreign);

  Offset message = after_commit();
  message.message_type = "MESSAGE";
  message.tx_id.reset();
  HistoryCheck met(message, 0x100);
  CHECK(met.message(0x200) == Step::pass);
  CHECK(met.message(0x220) == Step::deliver);
}

TEST_CASE("offsets that name nothing that can be met again") {
  Offset foreign = after_commit();
  foreign.system_id.clear();  // Debezium's
  Offset inserted = after_commit();
  inserted.message_type = "INSERT";
  Offset snapshot = after_commit();
  snapshot.snapshot = "INITIAL";
  for (const Offset& offset : {Offset{}, foreign, inserted, snapshot})
    CHECK_FALSE(HistoryCheck(offset, 0x100).active());
}
