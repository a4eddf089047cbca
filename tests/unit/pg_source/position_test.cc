// Positions: the offset's JSON, what a restart skips, and what may be confirmed.
#include <doctest/doctest.h>

#include "source/postgres/offset.h"
#include "source/postgres/position.h"
#include "source/postgres/resume.h"

using namespace cdc;
using namespace cdc::pg;

namespace {

PositionMove begin(Lsn lsn, Lsn final_lsn, std::uint32_t xid) {
  PositionMove move;
  move.kind = PositionMove::Kind::begin;
  move.lsn = lsn;
  move.final_lsn = final_lsn;
  move.xid = xid;
  move.time_us = 5;
  return move;
}
PositionMove row(Lsn lsn, bool complete = true) {
  PositionMove move;
  move.kind = PositionMove::Kind::row;
  move.type = "INSERT";
  move.lsn = lsn;
  move.complete = complete;
  return move;
}
PositionMove commit(Lsn lsn) {
  PositionMove move;
  move.kind = PositionMove::Kind::commit;
  move.lsn = lsn;
  move.time_us = 6;
  return move;
}

Offset parsed(std::string_view json) {
  auto offset = parse_offset(json);
  REQUIRE(offset);
  return *offset;
}

}  // namespace

TEST_CASE("PG-OFF-01 an offset of Debezium is read, and what is written is read back") {
  const Offset offset = parsed(
      R"({"lsn_proc":26722000,"messageType":"INSERT","lsn_commit":26721584,"lsn":26722000,"txId":771,"ts_usec":1772360430123456,"transaction_id":"771"})");
  CHECK(offset.lsn_proc == 26722000);
  CHECK(offset.lsn_commit == 26721584);
  CHECK(offset.tx_id == 771);
  CHECK(offset.message_type == "INSERT");
  CHECK_FALSE(offset.own());
  Buffer text;
  append_offset(text, offset);
  const Offset again = parsed(text.view());
  CHECK(again.lsn_proc == offset.lsn_proc);
  CHECK(again.ts_us == 1772360430123456);
}

TEST_CASE("PG-TRAP-OFF-15 PG-FAIL-21 old and odd forms: snapshot as boolean, numbers beyond 2^63") {
  CHECK(parsed(R"({"snapshot":true,"lsn":1})").snapshot == "INITIAL");
  CHECK(parsed(R"({"snapshot":false,"lsn":1})").snapshot.empty());
  CHECK(parsed(R"({"lsn":-1})").lsn == ~Lsn{0});
  CHECK_FALSE(parse_offset("[]"));
  CHECK_FALSE(parse_offset(R"({"lsn":"x"})"));
  CHECK_FALSE(parse_offset(R"({"lsn":1.5})"));
}

TEST_CASE("PG-OFF-02 lsn_proc follows complete messages, a commit moves both") {
  StreamPosition position(Offset{}, 100, "7");
  CHECK(position.offset().lsn_proc == 100);  // PG-TRAP-OFF-06
  position.move(begin(110, 200, 9));
  CHECK(position.offset().lsn_proc == 100);
  CHECK(position.inside_transaction());
  position.move(row(120));
  position.move(row(130, false));
  CHECK(position.offset().lsn_proc == 120);
  CHECK(position.offset().lsn == 130);
  CHECK(position.offset().tx_pos == 2);
  CHECK(position.confirmable() == 0);  // PG-FLUSH-05: nothing is complete yet
  position.move(commit(210));
  CHECK(position.offset().lsn_proc == 210);
  CHECK(position.reached() == 210);
  CHECK(position.confirmable() == 200);  // the commit's own record stays behind until something follows it
  CHECK_FALSE(position.inside_transaction());
  position.keepalive(210);
  CHECK(position.confirmable() == 210);
}

TEST_CASE("a staged move shows only in the checkpoint of the running push") {
  StreamPosition position(Offset{}, 100, "7");
  position.stage(commit(210));
  CHECK(position.checkpoint().token == 0);
  CHECK(position.checkpoint_of_current().token == 210);
  position.settle();
  CHECK(position.checkpoint().token == 210);
}

TEST_CASE("PG-SNAP-04 what a snapshot beside an older slot holds is known by its transactions") {
  const auto seen = SeenTransactions::parse("735:740:736,738", 900);
  REQUIRE(seen);
  CHECK(seen->holds(734));
  CHECK(seen->holds(735));
  CHECK_FALSE(seen->holds(736));
  CHECK(seen->holds(737));
  CHECK_FALSE(seen->holds(738));
  CHECK(seen->holds(739));
  CHECK_FALSE(seen->holds(740));
  CHECK_FALSE(seen->none_was_running());
  CHECK_FALSE(seen->over(899));
  CHECK(seen->over(900));
  // The stream has the lower half of an id (PG-FAIL-21).
  const auto late = SeenTransactions::parse("8589934590:8589934594:8589934591", 900);
  REQUIRE(late);
  CHECK(late->none_was_running() == false);
  CHECK(late->holds(0xFFFFFFFD));
  CHECK_FALSE(late->holds(0xFFFFFFFF));
  CHECK(late->holds(1));
  CHECK_FALSE(late->holds(2));
  const auto quiet = SeenTransactions::parse("740:740:", 900);
  REQUIRE(quiet);
  CHECK(quiet->none_was_running());
  CHECK(quiet->holds(739));
  for (const char* wrong : {"", "7", "7:8", "7:8:x", "7:8:9,", "7:8:9;10", "x:8:"})
    CHECK_FALSE(SeenTransactions::parse(wrong, 900));
}

TEST_CASE("PG-SNAP-04 it is stored with the position until the stream has passed the snapshot") {
  Offset start = parsed(R"({"lsn":100,"cdc_snapshot":"735:740:736","cdc_snapshot_end":900})");
  REQUIRE(start.seen);
  StreamPosition position(std::move(start), 100, "7");
  position.move(begin(110, 200, 736));
  position.move(commit(210));
  const Offset stored = parsed(position.checkpoint().offset);
  REQUIRE(stored.seen);
  CHECK(stored.seen->holds(739));
  CHECK(stored.seen->end() == 900);
  SUBCASE("a transaction that was committed later") { position.move(begin(880, 900, 741)); }
  SUBCASE("a keepalive") { position.keepalive(950); }
  CHECK_FALSE(position.offset().seen);
  CHECK_FALSE(parse_offset(R"({"lsn":100,"cdc_snapshot":"735:740:736"})"));
  CHECK_FALSE(parse_offset(R"({"lsn":100,"cdc_snapshot":"735","cdc_snapshot_end":900})"));
}

TEST_CASE("PG-HB a keepalive's position is stored as our own and never goes back") {
  StreamPosition position(Offset{}, 100, "7");
  position.keepalive(500);
  position.keepalive(400);
  CHECK(position.confirmable() == 500);
  CHECK(parsed(position.checkpoint().offset).point().confirmed == 500U);
}

TEST_CASE("PG-OFF-03 the resume point is the highest of what is known to be delivered") {
  CHECK(parsed(R"({"lsn":5})").point().resume_point() == 5);
  CHECK(parsed(R"({"lsn":5,"lsn_proc":4})").point().resume_point() == 4);
  CHECK(parsed(R"({"lsn":900,"lsn_proc":900,"lsn_commit":1000})").point().resume_point() == 1000);
  CHECK_FALSE(parsed("{}").point().resume_point());
}

TEST_CASE("PG-OFF-04 own offset: exactly the delivered messages of that transaction are skipped") {
  ResumeFilter filter(
      parsed(R"({"lsn_proc":120,"lsn":120,"cdc_tx_final_lsn":200,"cdc_tx_pos":2,"messageType":"INSERT"})"));
  filter.begin(200, 9);
  CHECK(filter.skip_row(120));
  CHECK(filter.skip_row(120));  // the same LSN: counted, not compared (PG-TRAP-DEC-10)
  CHECK_FALSE(filter.skip_row(120));
  filter.commit();
  filter.begin(300, 10);
  CHECK_FALSE(filter.skip_row(250));
}

TEST_CASE("PG-OFF-04 own offset: another transaction first means that ours will not come") {
  ResumeFilter filter(parsed(R"({"lsn_proc":120,"cdc_tx_final_lsn":200,"cdc_tx_pos":2})"));
  filter.begin(300, 9);
  CHECK_FALSE(filter.skip_row(250));
  filter.commit();
  filter.begin(200, 9);
  CHECK_FALSE(filter.skip_row(120));
}

TEST_CASE("PG-OFF-04 an interrupted TRUNCATE goes on with the next table") {
  ResumeFilter filter(parsed(R"({"lsn_proc":120,"cdc_tx_final_lsn":200,"cdc_tx_pos":1,"cdc_tx_part":2})"));
  filter.begin(200, 9);
  CHECK(filter.skip_row(120));
  CHECK_FALSE(filter.skip_row(130));
  CHECK(filter.truncate_parts_done() == 2);
  CHECK_FALSE(filter.skip_row(140));
  CHECK(filter.truncate_parts_done() == 0);
}

TEST_CASE("PG-T-08 offset of Debezium: rows below lsn_proc are skipped, those at it come again (PG-01)") {
  ResumeFilter filter(parsed(R"({"lsn_proc":130,"lsn_commit":50,"txId":9,"messageType":"INSERT"})"));
  filter.begin(200, 9);
  CHECK(filter.skip_row(120));
  CHECK_FALSE(filter.skip_row(130));
  CHECK(filter.last_delivered(130));  // unless the next one is at 130 too: the stream looks
  CHECK_FALSE(filter.last_delivered(140));
  filter.end();
  CHECK_FALSE(filter.last_delivered(130));
  CHECK_FALSE(filter.skip_row(120));
  filter.commit();
  for (const char* nothing : {R"({"lsn_proc":130,"lsn_commit":130,"txId":9,"messageType":"BEGIN"})",
                              R"({"lsn_proc":130,"lsn_commit":50,"txId":9,"messageType":"COMMIT"})"}) {
    ResumeFilter none(parsed(nothing));
    none.begin(200, 9);
    CHECK_FALSE(none.skip_row(120));
    CHECK_FALSE(none.last_delivered(130));
  }
}

TEST_CASE("PG-T-09 offset of Debezium: a row directly behind a commit is that row, not the commit") {
  ResumeFilter filter(parsed(R"({"lsn_proc":130,"lsn_commit":130,"txId":9,"messageType":"INSERT"})"));
  SUBCASE("its transaction comes again") {
    filter.begin(200, 9);
    CHECK(filter.last_delivered(130));
  }
  SUBCASE("another one comes: the transaction was complete") {
    filter.begin(200, 10);
    CHECK_FALSE(filter.last_delivered(130));
  }
}

TEST_CASE("PG-08 a message outside transactions that was delivered is not delivered again") {
  ResumeFilter filter(parsed(R"({"lsn_proc":130,"lsn_commit":130,"lsn":130,"messageType":"MESSAGE"})"));
  CHECK(filter.skip_message(130));
  CHECK_FALSE(filter.skip_message(140));
  CHECK_FALSE(ResumeFilter(parsed(R"({"snapshot":"INITIAL","lsn":130})")).skip_message(130));
}

TEST_CASE("PG-OFF-04 Debezium's position stays what it is until it moves, and so is judged as Debezium's") {
  const std::string_view debezium =
      R"({"lsn_proc":100,"lsn_commit":90,"lsn":100,"txId":7,"ts_usec":5,"messageType":"INSERT"})";
  StreamPosition position(parsed(debezium), 90, "77", 1);
  CHECK(position.checkpoint().offset == debezium);
  CHECK_FALSE(parsed(position.checkpoint().offset).own());
  position.stage(begin(95, 120, 7));
  CHECK(parsed(position.checkpoint_of_current().offset).own());
  CHECK_FALSE(parsed(position.checkpoint().offset).own());
  position.settle();
  const Offset moved = parsed(position.checkpoint().offset);
  CHECK(moved.system_id == "77");
  CHECK(moved.timeline == 1);
}
