// The decision whether and where to go on; the table of PG-OFF-06 as data.
#include "source/postgres/control/offset_check.h"

#include <fmt/format.h>

#include <algorithm>

namespace cdc::pg {
namespace {

using Verdict = StartAnswer::Verdict;

enum class Do : std::uint8_t {
  start_at_stored,
  start_and_warn,  // the server forwards to the slot's position: somebody else moved it
  start_at_slot,
  refuse,
  advance_slot,
};

struct Strategy {
  MismatchStrategy name;
  std::string_view text;
  bool validates;  // PG-OFF-05 applies: restart_lsn must not be beyond the stored position
  Do stored_behind;
  Do stored_ahead;
};
constexpr Strategy kStrategies[] = {
    {MismatchStrategy::no_validation, "no_validation", true, Do::start_and_warn, Do::start_at_stored},
    {MismatchStrategy::trust_offset, "trust_offset", true, Do::refuse, Do::advance_slot},
    {MismatchStrategy::trust_slot, "trust_slot", false, Do::start_at_slot, Do::start_at_stored},
    {MismatchStrategy::trust_greater_lsn, "trust_greater_lsn", false, Do::start_at_slot, Do::advance_slot},
};

const Strategy& strategy_row(MismatchStrategy name) {
  for (const auto& row : kStrategies)
    if (row.name == name) return row;
  return kStrategies[0];
}

constexpr std::string_view kNewSnapshot =
    "set snapshot.mode=when_needed to take a new snapshot, or remove the stored offset";

StartAnswer negative(Verdict verdict, std::string message, std::string hint) {
  StartAnswer answer;
  answer.verdict = verdict;
  answer.error = Error{ErrorKind::position_lost, std::move(message), std::move(hint), {}, false};
  return answer;
}

// How far into the log events were delivered.
Lsn delivered(const OffsetPoint& offset) {
  return std::max({offset.lsn.value_or(0), offset.lsn_proc.value_or(0), offset.lsn_commit.value_or(0),
                   offset.tx_final_lsn.value_or(0)});
}

StartAnswer without_offset(const StartQuestion& q, const ServerFacts& facts) {
  StartAnswer answer;
  if (!q.slot) return answer;  // to be made: the stream begins at its creation point
  const Lsn confirmed = q.slot->confirmed_flush_lsn.value_or(q.slot->restart_lsn.value_or(0));
  answer.start = facts.current_lsn == 0 ? confirmed : std::min(confirmed, facts.current_lsn);
  return answer;
}

// What follows when this server as such is not the offset's; nullopt: it is.
std::optional<StartAnswer> foreign_server(const StartQuestion& q, const ServerFacts& facts, Lsn stored,
                                          std::vector<std::string>& warnings) {
  const OffsetPoint& offset = *q.offset;
  std::string problem;
  const std::string cluster = facts.system_id_text();
  if (!offset.system_identifier.empty() && !cluster.empty() && offset.system_identifier != cluster) {
    problem = fmt::format(
        "the stored position {} belongs to a different cluster: system identifier {}, this server has {}",
        format_lsn(stored), offset.system_identifier, cluster);
  } else if (q.shared_until && delivered(offset) > *q.shared_until) {
    problem = fmt::format(
        "the stored position {} was reached on timeline {}, {} (timeline {} now): this is a restored copy, "
        "or "
        "a promoted standby that lacks the last changes",
        format_lsn(stored), offset.timeline,
        *q.shared_until == 0 ? "which is not in this server's history"
                             : fmt::format("which this server left at {}", format_lsn(*q.shared_until)),
        facts.timeline);
  } else if (facts.current_lsn != 0 && stored > facts.current_lsn) {
    problem = fmt::format(
        "the stored position {} is ahead of the server, which is at {}: this is a restored copy, or a "
        "promoted standby that lacks the last changes",
        format_lsn(stored), format_lsn(facts.current_lsn));
    if (offset.timeline != 0 && facts.timeline != 0 && offset.timeline != facts.timeline)
      problem += fmt::format(" (timeline {} then, {} now)", offset.timeline, facts.timeline);
  } else if (offset.timeline != 0 && facts.timeline != 0 && offset.timeline != facts.timeline) {
    warnings.push_back(fmt::format("the server was promoted since the last run (timeline {} then, {} now)",
                                   offset.timeline, facts.timeline));
  }
  if (problem.empty()) return std::nullopt;
  const bool slot_counts = q.strategy == MismatchStrategy::trust_slot || !q.check_position;
  if (slot_counts && q.slot) {
    StartAnswer answer = without_offset(q, facts);
    answer.forget_offset = true;
    answer.warnings.push_back(fmt::format(
        "{}; going on where slot '{}' stands ({}), changes between the two may be missing or come again",
        problem, q.slot->name,
        slot_counts && q.check_position ? "offset.mismatch.strategy=trust_slot"
                                        : "internal.log.position.check.enable=false"));
    return answer;
  }
  return negative(Verdict::refused, std::move(problem),
                  fmt::format("{}; or go on where the slot of this server stands, once, with "
                              "offset.mismatch.strategy=trust_slot or --from",
                              kOtherHistoryHint));
}

}  // namespace

std::optional<Lsn> OffsetPoint::resume_point() const {
  std::optional<Lsn> point = lsn_proc ? lsn_proc : lsn;
  if (lsn_commit) point = std::max(point.value_or(0), *lsn_commit);
  return point;
}

StartAnswer decide_start(const StartQuestion& q, const SlotSettings& settings, const ServerFacts& facts) {
  if (q.slot) {
    if (auto problem = slot_problem(*q.slot, settings, facts)) {
      StartAnswer answer;
      answer.verdict = problem->kind == ErrorKind::position_lost ? Verdict::lost : Verdict::refused;
      answer.error = std::move(*problem);
      return answer;
    }
  }
  if (!q.offset || !q.offset->resume_point()) return without_offset(q, facts);

  StartAnswer answer;
  OffsetPoint offset = *q.offset;
  if (q.shared_until && offset.confirmed > q.shared_until && delivered(offset) <= *q.shared_until) {
    // A keepalive confirmed what a standby had not received, but nothing of that was ours.
    answer.confirmed_limit = offset.confirmed = q.shared_until;
  }
  const Lsn resume = *offset.resume_point();
  const Lsn reached = std::max(resume, offset.confirmed.value_or(0));
  const Strategy& strategy = strategy_row(q.strategy);

  if (auto foreign = foreign_server(q, facts, reached, answer.warnings)) return std::move(*foreign);
  // A fail-over is on the way: the slot is on the primary, or a copy of it waits for the promotion. Nothing
  // is lost.
  if (facts.in_recovery && (!q.slot || q.slot->synced)) {
    StartAnswer wait = negative(
        Verdict::refused,
        fmt::format(
            "the server is a standby (in recovery) and {} slot '{}': nothing is known about the stored "
            "position {}",
            q.slot ? "only copies" : "has no", settings.name, format_lsn(resume)),
        "connect to the primary, or wait for the promotion; to capture from this standby from now on: `cdc "
        "offsets reset`");
    wait.error.kind = ErrorKind::unreachable;
    wait.error.retriable = true;
    return wait;
  }
  if (!q.slot) {
    return negative(
        Verdict::lost,
        fmt::format("the stored position {} is no longer available on the server: slot '{}' does not exist",
                    format_lsn(resume), settings.name),
        std::string(kNewSnapshot));
  }
  const Lsn restart = q.slot->restart_lsn.value_or(0);
  const Lsn confirmed = q.slot->confirmed_flush_lsn.value_or(restart);
  // What a keepalive let us confirm lies beyond the last message, and is as good (user report PG-10).
  const Lsn held = std::max(offset.lsn_proc.value_or(0), offset.confirmed.value_or(0));
  if (q.check_position && strategy.validates && held != 0 && restart > held) {
    return negative(Verdict::lost,
                    fmt::format("the stored position {} is no longer available on the server: slot '{}' "
                                "begins at {} (dropped and made anew, or advanced)",
                                format_lsn(held), settings.name, format_lsn(restart)),
                    fmt::format("{}; to accept the gap: offset.mismatch.strategy=trust_slot", kNewSnapshot));
  }

  answer.start = resume;
  const bool behind = reached < confirmed;
  if (!behind && strategy.stored_ahead == Do::start_at_stored) answer.check_from = confirmed;
  if (reached == confirmed) return answer;
  const std::string gap = fmt::format(
      "the slot is ahead of the stored position: slot '{}' is confirmed up to {}, the stored position is {}",
      settings.name, format_lsn(confirmed), format_lsn(reached));
  switch (behind ? strategy.stored_behind : strategy.stored_ahead) {
    case Do::start_at_stored:
      break;
    case Do::start_and_warn:
      answer.warnings.push_back(gap +
                                "; somebody else moved the slot, and changes between the two are lost "
                                "(offset.mismatch.strategy=trust_offset stops here)");
      break;
    case Do::start_at_slot:
      answer.start = confirmed;
      answer.warnings.push_back(
          fmt::format("{}; offset.mismatch.strategy={} goes on at the slot's position, and changes between "
                      "the two are skipped",
                      gap, strategy.text));
      break;
    case Do::refuse:
      return negative(Verdict::refused, fmt::format("{} (offset.mismatch.strategy={})", gap, strategy.text),
                      "take a new snapshot, or accept the gap with offset.mismatch.strategy=trust_slot");
    case Do::advance_slot: {
      const Lsn to = offset.lsn_commit.value_or(resume);
      if (!q.manual_flush && to > confirmed) answer.advance_to = to;
      break;
    }
  }
  return answer;
}

}  // namespace cdc::pg
