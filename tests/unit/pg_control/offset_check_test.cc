// PG-T-28, PG-T-29: every combination of stored position, slot and strategy.
#include <doctest/doctest.h>

#include "source/postgres/control/offset_check.h"

namespace cdc::pg {
namespace {

using Verdict = StartAnswer::Verdict;
using S = MismatchStrategy;

SlotSettings settings() {
  SlotSettings s;
  s.name = "shop";
  return s;
}

ServerFacts server() {
  ServerFacts f;
  f.version = 150020;
  f.database = "shop";
  f.system_identifier = 77;
  f.timeline = 1;
  f.current_lsn = 10'000;
  return f;
}

SlotState slot(Lsn restart, Lsn confirmed) {
  SlotState s;
  s.name = "shop";
  s.plugin = "pgoutput";
  s.database = "shop";
  s.restart_lsn = restart;
  s.confirmed_flush_lsn = confirmed;
  return s;
}

OffsetPoint at(Lsn proc, Lsn commit) {
  OffsetPoint o;
  o.lsn = o.lsn_proc = proc;
  o.lsn_commit = commit;
  o.system_identifier = "77";
  o.timeline = 1;
  return o;
}

StartAnswer decide(std::optional<OffsetPoint> offset, std::optional<SlotState> state,
                   S strategy = S::no_validation) {
  StartQuestion q;
  q.offset = std::move(offset);
  q.slot = std::move(state);
  q.strategy = strategy;
  return decide_start(q, settings(), server());
}

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("PG-OFF-06 PG-T-29 strategies: stored below, equal, above") {
  struct Row {
    S strategy;
    Lsn stored, confirmed;
    Verdict verdict;
    Lsn start;
    std::optional<Lsn> advance;
    std::size_t warnings;
  };
  const Row rows[] = {
      {S::no_validation, 500, 600, Verdict::start, 500, {}, 1},
      {S::no_validation, 600, 600, Verdict::start, 600, {}, 0},
      {S::no_validation, 700, 600, Verdict::start, 700, {}, 0},
      {S::trust_offset, 500, 600, Verdict::refused, 0, {}, 0},
      {S::trust_offset, 600, 600, Verdict::start, 600, {}, 0},
      {S::trust_offset, 700, 600, Verdict::start, 700, Lsn{700}, 0},
      {S::trust_slot, 500, 600, Verdict::start, 600, {}, 1},
      {S::trust_slot, 600, 600, Verdict::start, 600, {}, 0},
      {S::trust_slot, 700, 600, Verdict::start, 700, {}, 0},
      {S::trust_greater_lsn, 500, 600, Verdict::start, 600, {}, 1},
      {S::trust_greater_lsn, 600, 600, Verdict::start, 600, {}, 0},
      {S::trust_greater_lsn, 700, 600, Verdict::start, 700, Lsn{700}, 0},
  };
  for (const Row& row : rows) {
    CAPTURE(static_cast<int>(row.strategy));
    CAPTURE(row.stored);
    const auto answer = decide(at(row.stored, row.stored), slot(400, row.confirmed), row.strategy);
    CHECK(answer.verdict == row.verdict);
    if (row.verdict == Verdict::start) CHECK(answer.start == row.start);
    CHECK(answer.advance_to == row.advance);
    CHECK(answer.warnings.size() == row.warnings);
    if (row.verdict == Verdict::refused) {
      CHECK(answer.error.kind == ErrorKind::position_lost);
      CHECK(contains(answer.error.message, "0/1F4"));  // names both positions
      CHECK(contains(answer.error.message, "0/258"));
    }
    for (const auto& w : answer.warnings) CHECK(contains(w, "the slot is ahead of the stored position"));
  }
}

TEST_CASE("PG-OFF-06 the slot advances to the commit, never back, and not with lsn.flush.mode=manual") {
  CHECK(decide(at(700, 650), slot(400, 600), S::trust_offset).advance_to == 650U);
  CHECK_FALSE(decide(at(700, 590), slot(400, 600), S::trust_offset).advance_to);
  StartQuestion q;
  q.offset = at(700, 700);
  q.slot = slot(400, 600);
  q.strategy = S::trust_greater_lsn;
  q.manual_flush = true;
  CHECK_FALSE(decide_start(q, settings(), server()).advance_to);
}

TEST_CASE(
    "user report PG-10: what a keepalive let us confirm is held, so that a slot that followed it is no gap") {
  OffsetPoint idle = at(500, 500);
  idle.confirmed = 800;
  const auto answer = decide(idle, slot(700, 800));
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.warnings.empty());
  CHECK(decide(idle, slot(801, 900)).verdict == Verdict::lost);
}

TEST_CASE("user report PG-47: a standby without the slot is waited for; nothing is lost yet") {
  ServerFacts standby = server();
  standby.in_recovery = true;
  StartQuestion q;
  q.offset = at(500, 500);
  const auto answer = decide_start(q, settings(), standby);
  CHECK(answer.verdict == Verdict::refused);
  CHECK(answer.error.kind == ErrorKind::unreachable);
  CHECK(answer.error.retriable);
  CHECK(decide_start(q, settings(), server()).verdict == Verdict::lost);
}

TEST_CASE("PG-OFF-05 PG-T-28 slot dropped, made anew, of others, invalidated") {
  for (const S s : {S::no_validation, S::trust_offset, S::trust_slot, S::trust_greater_lsn}) {
    const auto gone = decide(at(500, 500), std::nullopt, s);
    CHECK(gone.verdict == Verdict::lost);
    CHECK(gone.error.kind == ErrorKind::position_lost);
    CHECK(contains(gone.error.message, "'shop'"));
  }
  CHECK(decide(at(500, 500), slot(550, 600)).verdict == Verdict::lost);
  CHECK(decide(at(500, 500), slot(550, 600), S::trust_offset).verdict == Verdict::lost);
  CHECK(decide(at(500, 500), slot(550, 600), S::trust_slot).verdict == Verdict::start);
  CHECK(decide(at(500, 500), slot(550, 600), S::trust_greater_lsn).verdict == Verdict::start);

  OffsetPoint after_snapshot;  // lsn_proc is absent until a message was streamed
  after_snapshot.lsn = 500;
  const auto passed = decide(after_snapshot, slot(550, 600));
  CHECK(passed.verdict == Verdict::start);
  CHECK(passed.warnings.size() == 1);

  StartQuestion unchecked;
  unchecked.offset = at(500, 500);
  unchecked.slot = slot(550, 600);
  unchecked.check_position = false;
  CHECK(decide_start(unchecked, settings(), server()).verdict == Verdict::start);

  auto other_database = slot(400, 500), other_plugin = slot(400, 500), lost = slot(400, 500),
       idle = slot(400, 500);
  other_database.database = "crm";
  CHECK(decide(at(500, 500), other_database).verdict == Verdict::refused);
  CHECK(decide(at(500, 500), other_database).error.kind == ErrorKind::refused);
  other_plugin.plugin = "decoderbufs";
  CHECK(contains(decide(at(500, 500), other_plugin).error.message, "decoderbufs"));
  lost.wal_status = "lost";
  CHECK(decide(at(500, 500), lost).verdict == Verdict::lost);
  CHECK(contains(decide(at(500, 500), lost).error.hint, "max_slot_wal_keep_size"));
  CHECK(decide(std::nullopt, lost).verdict == Verdict::lost);
  idle.invalidation_reason = "idle_timeout";
  CHECK(contains(decide(at(500, 500), idle).error.hint, "idle_replication_slot_timeout"));
}

TEST_CASE(
    "PG-TRAP-OFF-03 a row of a long transaction before the last commit does not look like a moved slot") {
  const auto answer = decide(at(450, 600), slot(400, 600), S::trust_offset);
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.start ==
        600);  // commits that were delivered before that row are not asked for again (PG-OFF-03)
  CHECK(answer.warnings.empty());
}

TEST_CASE("PG-FLUSH-02 what this capture confirmed itself beyond its offset is no mismatch") {
  auto offset = at(500, 500);
  offset.confirmed = 600;
  const auto answer = decide(offset, slot(400, 600), S::trust_offset);
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.warnings.empty());
}

TEST_CASE("PG-SLOT-11 PG-HA-05 another cluster, or an offset ahead of the server, unless forced") {
  StartQuestion q;
  q.offset = at(500, 500);
  q.slot = slot(400, 500);
  q.offset->system_identifier = "78";
  auto answer = decide_start(q, settings(), server());
  CHECK(answer.verdict == Verdict::refused);
  CHECK(answer.error.kind == ErrorKind::position_lost);
  CHECK(contains(answer.error.message, "78"));
  q.strategy = S::trust_slot;
  answer = decide_start(q, settings(), server());
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.start == 500);
  CHECK(answer.forget_offset);
  CHECK(answer.warnings.size() == 1);

  const auto restored = decide(at(10'001, 10'001), slot(400, 500), S::trust_slot);
  CHECK(restored.verdict == Verdict::start);
  CHECK(restored.start == 500);
  CHECK(restored.forget_offset);

  for (const S s : {S::no_validation, S::trust_greater_lsn}) {
    const auto ahead = decide(at(10'001, 10'001), slot(400, 500), s);
    CHECK(ahead.verdict == Verdict::refused);
    CHECK(contains(ahead.error.message, "0/2711"));
    CHECK(contains(ahead.error.message, "0/2710"));
  }
  q = StartQuestion{};
  q.offset = at(500, 500);
  q.offset->timeline = 2;
  q.slot = slot(400, 500);
  answer = decide_start(q, settings(), server());
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.warnings.size() == 1);
  q.offset->system_identifier.clear();  // Debezium's offset has neither
  q.offset->timeline = 0;
  CHECK(decide_start(q, settings(), server()).warnings.empty());
}

TEST_CASE("PG-HA-05 another timeline: what lies before the switch holds, what lies behind does not") {
  StartQuestion q;
  q.offset = at(500, 500);
  q.offset->timeline = 1;
  q.slot = slot(400, 500);
  auto facts = server();
  facts.timeline = 2;
  q.shared_until = 500;
  auto answer = decide_start(q, settings(), facts);
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.warnings.size() == 1);
  CHECK_FALSE(answer.confirmed_limit);

  q.shared_until = 499;
  answer = decide_start(q, settings(), facts);
  CHECK(answer.verdict == Verdict::refused);
  CHECK(answer.error.kind == ErrorKind::position_lost);
  CHECK(contains(answer.error.message, "timeline 1"));
  q.shared_until = 0;
  CHECK(contains(decide_start(q, settings(), facts).error.message, "not in this server's history"));

  q.shared_until = 550;  // delivered in part, and its end was never on this server
  q.offset->tx_final_lsn = 560;
  CHECK(decide_start(q, settings(), facts).verdict == Verdict::refused);
  q.offset->tx_final_lsn.reset();
  q.offset->confirmed = 600;  // nothing of ours: set back to what both have in common
  answer = decide_start(q, settings(), facts);
  CHECK(answer.verdict == Verdict::start);
  CHECK(answer.confirmed_limit == 550);
  CHECK(answer.check_from == 500);
}

TEST_CASE("a history file: where a timeline ended") {
  constexpr std::string_view history = "1\t0/3000158\tno recovery target specified\n\n2\t1/A0\tbefore 2026\n";
  CHECK(history_end(history, 1) == 0x3000158);
  CHECK(history_end(history, 2) == 0x1000000A0);
  CHECK(history_end(history, 3) == 0);
  CHECK(history_end("", 1) == 0);
}

TEST_CASE("PG-OFF-07 without offset: the slot's position, not beyond the server's") {
  CHECK(decide(std::nullopt, slot(400, 500)).start == 500);
  CHECK(decide(std::nullopt, slot(400, 20'000)).start == 10'000);
  CHECK(decide(std::nullopt, std::nullopt).verdict == Verdict::start);
  CHECK(decide(OffsetPoint{}, slot(400, 500)).start == 500);
}

}  // namespace cdc::pg
