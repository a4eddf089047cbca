// Meeting what was delivered last: the same history goes on, another one is seen.
#include <doctest/doctest.h>

#include "source/postgres/history_check.h"

using namespace cdc;
using namespace cdc::pg;
using Step = HistoryCheck::Step;
using Names = HistoryCheck::Names;

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

// Where the log was when the run began.
constexpr Lsn kNow = 0x1000;

HistoryCheck by_commit(const Offset& offset, Lsn from = 0x100) {
  return {offset, from, kNow, Names::commit_record};
}
HistoryCheck by_first(const Offset& offset, Lsn from = 0x100) {
  return {offset, from, kNow, Names::first_record};
}

// Debezium's, after a row of transaction 9, which was committed after 0x180.
Offset after_row() {
  Offset offset;
  offset.message_type = "UPDATE";
  offset.lsn = offset.lsn_proc = 0x1A0;
  offset.lsn_commit = 0x180;
  offset.tx_id = 9;
  offset.ts_us = 1'000;
  return offset;
}

}  // namespace

TEST_CASE("a slot behind the position: passed over until the last transaction, then delivered") {
  HistoryCheck check = by_commit(after_commit());
  CHECK(check.active());
  CHECK(check.begin(0x150, 8, 900) == Step::pass);
  CHECK(check.commit(0x160, 900) == Step::pass);
  CHECK(check.message(0x170) == Step::pass);
  CHECK(check.reached(0x180) == Step::pass);
  CHECK(check.begin(0x1F0, 9, 1'000) == Step::pass);
  CHECK(check.commit(0x200, 1'000) == Step::pass);
  CHECK(check.begin(0x200, 10, 1'100) == Step::deliver);
  CHECK_FALSE(check.active());
}

TEST_CASE("another history: position, transaction or time differ, or nothing comes") {
  const auto at_last = [](Lsn end, std::uint32_t xid, std::int64_t time) {
    HistoryCheck check = by_commit(after_commit());
    CHECK(check.begin(0x1F0, xid, time) == Step::pass);
    return check.commit(end, time);
  };
  CHECK(at_last(0x200, 9, 1'000) == Step::pass);
  CHECK(at_last(0x208, 9, 1'000) == Step::foreign);
  CHECK(at_last(0x200, 11, 1'000) == Step::foreign);
  CHECK(at_last(0x200, 9, 1'001) == Step::foreign);
  HistoryCheck check = by_commit(after_commit());
  CHECK(check.reached(0x201) == Step::foreign);
  CHECK(check.begin(0x210, 12, 1'100) == Step::foreign);
  CHECK(check.message(0x200) == Step::foreign);
}

TEST_CASE("what a keepalive confirmed: nothing of ours may lie in it") {
  Offset offset = after_commit();
  offset.confirmed = 0x300;
  HistoryCheck same = by_commit(offset, 0x240), other = same, quiet = same;
  CHECK(same.begin(0x300, 10, 1'100) == Step::deliver);
  CHECK(other.begin(0x280, 10, 1'100) == Step::foreign);
  CHECK(quiet.reached(0x2FF) == Step::pass);
  CHECK(quiet.reached(0x300) == Step::deliver);
}

TEST_CASE("CORE-INC-13: a server at rest right behind the last transaction ends the check") {
  HistoryCheck check = by_commit(after_commit());
  CHECK(check.reached(0x200) == Step::pass);  // the transaction itself has not come yet
  CHECK(check.begin(0x1F0, 9, 1'000) == Step::pass);
  CHECK(check.commit(0x200, 1'000) == Step::pass);
  CHECK(check.reached(0x200) == Step::deliver);
  CHECK_FALSE(check.active());
}

TEST_CASE("stopped inside a transaction, or behind a message of its own") {
  Offset inside = after_commit();
  inside.message_type = "INSERT";
  inside.tx_final_lsn = 0x280;
  inside.tx_id = 10;
  inside.ts_us = 1'100;
  HistoryCheck same = by_commit(inside), other = same, gone = same, late = same;
  CHECK(same.begin(0x1F0, 9, 1'000) == Step::pass);
  CHECK(same.commit(0x200, 5) == Step::pass);
  CHECK(same.message(0x270) == Step::pass);
  CHECK(same.begin(0x280, 10, 1'100) == Step::deliver);
  CHECK(other.begin(0x280, 11, 1'100) == Step::foreign);
  CHECK(gone.begin(0x290, 10, 1'100) == Step::foreign);
  CHECK(late.begin(0x280, 10, 1'101) == Step::foreign);
  CHECK(late.reached(kNow - 1) == Step::pass);
  CHECK(late.reached(kNow) == Step::foreign);

  Offset message = after_commit();
  message.message_type = "MESSAGE";
  message.tx_id.reset();
  HistoryCheck met = by_commit(message);
  CHECK(met.message(0x200) == Step::pass);
  CHECK(met.message(0x220) == Step::deliver);
}

TEST_CASE("decoderbufs names transactions by their first records, which come in no order") {
  HistoryCheck same = by_first(after_commit()), gone = same;
  CHECK(same.begin(0x150, 8, 900) == Step::pass);
  CHECK(same.commit(0x1C0, 900) == Step::pass);
  CHECK(same.begin(0x140, 9, 1'000) == Step::pass);
  CHECK(same.commit(0x200, 1'000) == Step::pass);
  CHECK(same.begin(0x130, 7, 1'100) == Step::deliver);  // it began long before
  CHECK(gone.begin(0x130, 7, 1'100) == Step::pass);
  CHECK(gone.commit(0x210, 1'100) == Step::foreign);

  Offset inside = after_commit();
  inside.message_type = "INSERT";
  inside.lsn = inside.lsn_proc = 0x1F0;
  inside.lsn_commit = 0x1C0;
  inside.tx_final_lsn = 0x150;
  HistoryCheck met = by_first(inside), late = met, other = met, renumbered = met;
  CHECK(met.begin(0x140, 8, 900) == Step::pass);
  CHECK(met.commit(0x1C0, 900) == Step::pass);
  CHECK(met.begin(0x150, 9, 1'000) == Step::deliver);
  CHECK(late.begin(0x158, 9, 1'000) == Step::foreign);
  CHECK(other.begin(0x120, 8, 900) == Step::pass);
  CHECK(other.commit(0x200, 900) == Step::foreign);
  CHECK(renumbered.begin(0x150, 9, 1'001) == Step::foreign);
}

TEST_CASE("Debezium's offset of a row: its transaction, by number and time of commit") {
  for (const bool first : {false, true}) {
    HistoryCheck same = first ? by_first(after_row()) : by_commit(after_row());
    HistoryCheck time = same, other = same, quiet = same;
    CHECK(same.begin(0x170, 8, 900) == Step::pass);
    CHECK(same.commit(0x180, 900) == Step::pass);
    CHECK(same.begin(first ? 0x130 : 0x1F0, 9, 1'000) == Step::deliver);
    CHECK(time.begin(0x1F0, 9, 1'001) == Step::foreign);
    CHECK(other.begin(0x1B0, 8, 900) == (first ? Step::pass : Step::foreign));
    if (first) CHECK(other.commit(0x1B8, 900) == Step::foreign);
    CHECK(quiet.reached(kNow - 1) == Step::pass);
    CHECK(quiet.reached(kNow) == Step::foreign);
  }
  HistoryCheck before_its_row = by_commit(after_row());
  CHECK(before_its_row.begin(0x190, 9, 1'000) == Step::foreign);
  CHECK(by_commit(after_row(), 0x1A0).active());  // the slot's own position tells nothing of what follows it
}

TEST_CASE("Debezium's offset of a commit, which may be that of an empty transaction after the one it names") {
  Offset offset = after_commit();
  offset.system_id.clear();
  const auto at_last = [&](Lsn end, std::uint32_t xid, std::int64_t time) {
    HistoryCheck check = by_commit(offset);
    CHECK(check.begin(0x1F0, xid, time) == Step::pass);
    return check.commit(end, time);
  };
  CHECK(at_last(0x200, 9, 1'000) == Step::pass);
  CHECK(at_last(0x200, 11, 1'001) == Step::pass);
  CHECK(at_last(0x200, 11, 999) == Step::foreign);
  CHECK(at_last(0x200, 9, 1'001) == Step::foreign);
  CHECK(at_last(0x208, 9, 1'000) == Step::foreign);
  CHECK_FALSE(by_commit(offset, 0x200).active());  // the slot confirms it
}

TEST_CASE("offsets that name nothing that can be met again") {
  Offset inserted = after_commit();
  inserted.message_type = "INSERT";
  Offset snapshot = after_commit();
  snapshot.snapshot = "INITIAL";
  Offset begun = after_row(), truncated = after_row(), told = after_row();
  begun.message_type = "BEGIN";
  truncated.message_type = "TRUNCATE";
  told.message_type = "MESSAGE";
  for (const Offset& offset : {Offset{}, inserted, snapshot, begun, truncated, told}) {
    CHECK_FALSE(by_commit(offset).active());
    CHECK_FALSE(HistoryCheck::impossible(offset).empty());
  }
  CHECK(HistoryCheck::impossible(after_row()).empty());
}
