// Server facts and the slot's life against a real server.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "fixture.h"
#include "source/postgres/control/offset_check.h"
#include "source/postgres/control/quote.h"
#include "source/postgres/control/slot.h"

namespace cdc::pg::live {
namespace {

SlotSettings settings(const char* name) {
  SlotSettings s;
  s.name = name;
  s.create_timeout = milliseconds(500);
  s.retry_delay = milliseconds(50);
  s.max_retries = 1;
  return s;
}

}  // namespace

TEST_CASE("PG-SLOT-11 what the server is") {
  Live live;
  CHECK(live.facts.version >= 100000);
  CHECK(live.facts.database == "cdc_control_live");
  CHECK(live.facts.encoding == "UTF8");
  CHECK(live.facts.wal_level == "logical");
  CHECK(live.facts.superuser);
  CHECK(live.facts.may_create);
  CHECK(live.facts.current_lsn > 0);
  CHECK(live.facts.max_replication_slots > 0);
  CHECK(live.facts.money.positive.find("1,234.5") != std::string::npos);
  CHECK(must(current_lsn(*live.connection, live.facts)) >= live.facts.current_lsn);
  Connection replication = live.open(ConnectionKind::replication);
  const SystemIdentity identity = must(identify_system(replication));
  CHECK(identity.system_identifier == live.facts.system_identifier);
  CHECK(identity.timeline == live.facts.timeline);
  ControlSettings control;
  CHECK(preflight_result(preflight(live.facts, control)));
}

TEST_CASE("PG-SLOT-02 PG-SLOT-03 PG-SLOT-05 a slot is made, seen, its snapshot imported, advanced, dropped") {
  Live live;
  live.run("CREATE TABLE t(id int); INSERT INTO t VALUES (1)");
  const auto s = settings("cdc_live_1");
  CHECK_FALSE(must(await_slot(*live.connection, s, live.facts, live.runtime)));
  Connection replication = live.open(ConnectionKind::replication);
  const auto made = must(
      create_slot(replication, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime));
  CHECK(made.consistent_point > 0);
  live.run("INSERT INTO t VALUES (2)");
  Connection reader = live.open(ConnectionKind::snapshot);
  must(reader.exec(
      "BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT " + quote_literal(made.snapshot_name),
      "importing"));
  CHECK(must(reader.exec("SELECT count(*) FROM t", "reading")).text(0, 0) == "1");

  const auto state = must(await_slot(*live.connection, s, live.facts, live.runtime));
  REQUIRE(state);
  CHECK(state->confirmed_flush_lsn == made.consistent_point);
  CHECK(state->plugin == "pgoutput");
  CHECK_FALSE(state->active);
  CHECK_FALSE(slot_problem(*state, s, live.facts));

  const auto again =
      create_slot(replication, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime);
  REQUIRE_FALSE(again);
  CHECK(again.error().sqlstate == "42710");

  live.run("SELECT pg_switch_wal()");
  const Lsn to = must(current_lsn(*live.connection, live.facts));
  CHECK(must(advance_slot(*live.connection, s.name, to)) <= to);
  const auto back = advance_slot(*live.connection, s.name, 1);
  CHECK_FALSE(back);
  must(drop_slot(*live.connection, s.name, live.runtime));
  must(drop_slot(*live.connection, s.name, live.runtime));  // gone is fine
}

TEST_CASE("PG-SNAP-04 a temporary slot ends with its connection") {
  Live live;
  const auto s = settings("cdc_live_2");
  {
    Connection replication = live.open(ConnectionKind::replication);
    must(
        create_slot(replication, *live.connection, live.facts, s, s.name, SlotLife::temporary, live.runtime));
    const auto state = must(read_slot(*live.connection, s.name));
    REQUIRE(state);
    CHECK(state->temporary);
    CHECK(slot_problem(*state, s, live.facts));
  }
  std::this_thread::sleep_for(milliseconds(300));
  CHECK_FALSE(must(read_slot(*live.connection, s.name)));
}

TEST_CASE("PG-SLOT-04 creation waits for running transactions, with a limit and retries") {
  Live live;
  live.run("CREATE TABLE t(id int)");
  Connection writer = live.open(ConnectionKind::general);
  must(writer.exec("BEGIN; INSERT INTO t VALUES (1)", "writing"));
  Connection replication = live.open(ConnectionKind::replication);
  auto s = settings("cdc_live_3");
  s.create_timeout = milliseconds(1'300);
  const auto blocked =
      create_slot(replication, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime);
  REQUIRE_FALSE(blocked);
  CHECK(blocked.error().message.find("query to create replication slot timed out") != std::string::npos);
  CHECK_FALSE(blocked.error().retriable);
  CHECK(std::any_of(live.log.lines.begin(), live.log.lines.end(), [&](const std::string& line) {
    return line.find(fmt::format("waits for the transaction of PID {}", writer.backend_pid())) !=
           std::string::npos;
  }));
  CHECK_FALSE(must(read_slot(*live.connection, s.name)));  // nothing half-made
  must(writer.exec("COMMIT", "writing"));
  CHECK(create_slot(replication, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime));
  must(drop_slot(*live.connection, s.name, live.runtime));
}

TEST_CASE("PG-FAIL-06 PG-SLOT-08 a busy slot names who holds it; COPY BOTH begins, ends, frees the slot") {
  Live live;
  live.run("CREATE PUBLICATION p FOR ALL TABLES; CREATE TABLE t(id int)");
  const auto s = settings("cdc_live_4");
  Connection holder = live.open(ConnectionKind::replication);
  must(create_slot(holder, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime));
  const std::string start =
      R"(START_REPLICATION SLOT "cdc_live_4" LOGICAL 0/0 ("proto_version" '1', "publication_names" '"p"'))";
  must(holder.begin_copy_both(start, "starting the stream"));
  Connection second = live.open(ConnectionKind::replication);
  const auto busy = second.begin_copy_both(start, "starting the stream");
  REQUIRE_FALSE(busy);
  CHECK(busy.error().sqlstate == "55006");
  const Error who = slot_active_error(*must(read_slot(*live.connection, s.name)));
  CHECK(who.message.find("(cdc streaming from ") != std::string::npos);
  CHECK(who.message.find("used by PID " + std::to_string(holder.backend_pid())) != std::string::npos);
  CHECK_FALSE(drop_slot(*live.connection, s.name, live.runtime));

  live.run("INSERT INTO t VALUES (1)");
  CopyRow row;
  std::string kinds;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (kinds.find('C') == std::string::npos && std::chrono::steady_clock::now() < until) {
    const auto step = must(holder.try_copy_row(row));
    if (step == CopyStep::wait) must(holder.wait_readable(milliseconds(100)));
    if (step == CopyStep::row && row.view()[0] == 'w') kinds += row.view()[25];
  }
  CHECK(kinds.find("BRIC") != std::string::npos);
  std::string status(34, '\0');
  status[0] = 'r';
  must(holder.put_copy(status, milliseconds(1000)));
  holder.end_copy_both(milliseconds(3000));
  CHECK_FALSE(holder.broken());
  CHECK_FALSE(must(read_slot(*live.connection, s.name))->active);
  must(drop_slot(*live.connection, s.name, live.runtime));
}

TEST_CASE("PG-TRAP-PUB-03 a publication that is missing comes as an error from the stream") {
  Live live;
  if (live.facts.version >= 180000) return;  // the server only warns there, and sends nothing
  const auto s = settings("cdc_live_5");
  Connection c = live.open(ConnectionKind::replication);
  must(create_slot(c, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime));
  live.run("CREATE TABLE t(id int); INSERT INTO t VALUES (1)");
  must(c.begin_copy_both(
      R"(START_REPLICATION SLOT "cdc_live_5" LOGICAL 0/0 ("proto_version" '1', "publication_names" '"nope"'))",
      "starting the stream"));
  CopyRow row;
  Result<bool> step = true;
  while ((step = c.next_copy_row(row)) && *step) {
  }
  REQUIRE_FALSE(step);
  CHECK(step.error().kind == ErrorKind::refused);
  CHECK(step.error().sqlstate == "42704");
  c = live.open(ConnectionKind::replication);
  must(drop_slot(*live.connection, s.name, live.runtime));
}

TEST_CASE("PG-OFF-06 PG-T-28 decisions over a real slot") {
  Live live;
  live.run("CREATE TABLE t(id int)");
  const auto s = settings("cdc_live_6");
  Connection c = live.open(ConnectionKind::replication);
  const auto made =
      must(create_slot(c, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime));
  StartQuestion q;
  q.offset = OffsetPoint{};
  q.offset->lsn = q.offset->lsn_proc = q.offset->lsn_commit = made.consistent_point;
  q.slot = must(read_slot(*live.connection, s.name));
  live.facts = must(read_server_facts(*live.connection));
  CHECK(decide_start(q, s, live.facts).verdict == StartAnswer::Verdict::start);
  CHECK(decide_start(q, s, live.facts).warnings.empty());
  live.run("INSERT INTO t VALUES (1)");
  must(advance_slot(*live.connection, s.name, must(current_lsn(*live.connection, live.facts))));
  q.slot = must(read_slot(*live.connection, s.name));
  CHECK(decide_start(q, s, live.facts).warnings.size() == 1);
  must(drop_slot(*live.connection, s.name, live.runtime));
}

TEST_CASE("PG-SLOT-03 PG-TRAP-SLOT-05 a failover slot where the server has them") {
  Live live;
  auto s = settings("cdc_live_7");
  s.failover = true;
  Connection c = live.open(ConnectionKind::replication);
  must(create_slot(c, *live.connection, live.facts, s, s.name, SlotLife::permanent, live.runtime));
  CHECK(must(read_slot(*live.connection, s.name))->failover == (live.facts.version >= 170000));
  must(drop_slot(*live.connection, s.name, live.runtime));
}

}  // namespace cdc::pg::live
