// PostgresSource: from a connection to a running stream: position, publication, slot, replica identities.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "source/postgres/control/privileges.h"
#include "source/postgres/control/quote.h"
#include "source/postgres/control/replica_identity.h"
#include "source/postgres/source.h"
#include "text/regex.h"

namespace cdc::pg {
namespace {

constexpr std::string_view kUndefinedFunction = "42883", kInsufficientPrivilege = "42501",
                           kWrongState = "55000";
constexpr int kTruncatesSince = 110000;

}  // namespace

Result<StartAnswer> PostgresSource::ask_slot(const std::optional<Offset>& offset) {
  const ControlSettings& control = settings_->control;
  StartQuestion question;
  if (offset) question.offset = offset->point();
  CDC_TRY(question.slot, await_slot(*general_, control.slot, facts_, runtime_));
  CDC_TRY(facts_.current_lsn, current_lsn(*general_, facts_));  // the server went on since connect()
  CDC_TRY(question.shared_until, shared_until(question.offset));
  question.strategy = control.mismatch;
  question.check_position = control.check_position;
  question.manual_flush = control.manual_flush;
  return decide_start(question, control.slot, facts_);
}

// Another timeline than when the position was stored: the server's own record tells what both have in common.
Result<std::optional<Lsn>> PostgresSource::shared_until(const std::optional<OffsetPoint>& offset) {
  const std::uint32_t then = offset ? offset->timeline : 0;
  // A standby may be on a newer one than its control file tells until its next restart point.
  if (facts_.in_recovery || then == 0 || facts_.timeline == 0 || then == facts_.timeline) return std::nullopt;
  CDC_TRY(Connection replication,
          Connection::connect(settings_->control.connect, ConnectionKind::replication, runtime_));
  return shared_history(replication, then, facts_.timeline);
}

Result<PositionState> PostgresSource::check_position(const std::string& text) {
  CDC_TRY(const Offset offset, parse_offset(text));
  CDC_TRY(StartAnswer answer, ask_slot(offset));
  switch (answer.verdict) {
    case StartAnswer::Verdict::start:
      break;
    case StartAnswer::Verdict::lost:
      return PositionState{false, answer.error.message, answer.error.hint};
    case StartAnswer::Verdict::refused:
      return tl::unexpected(std::move(answer.error));
  }
  answer_.emplace(text, std::move(answer));
  return PositionState{};
}

Result<void> PostgresSource::prepare(const StartOptions& options) {
  start_ = options;
  CDC_TRY(captured_, read_captured());
  if (options.will_snapshot) CDC_CHECK(check_snapshot_privileges());
  if (!options.will_stream) return {};  // PG-SLOT-06
  // The publication first: the log is decoded with the catalog of its own time (PG-PUB-01).
  if (settings_->control.publishes()) CDC_CHECK(prepare_publication());
  tell_plugin_limits();
  for (const std::string& warning : table_warnings(captured_, facts_))
    runtime_.log.warn_once(warning, warning);
  return prepare_slot();
}

Result<void> PostgresSource::check_snapshot_privileges() {
  std::vector<TableRow> read;
  for (const TableRow& row : captured_)
    if (rules_->collections().in_snapshot(row.id) && rules_->select_override(row.id) == nullptr)
      read.push_back(row);
  return check_readable(*general_, facts_, read);
}

Result<void> PostgresSource::prepare_publication() {
  CDC_TRY(const PublicationOutcome outcome,
          ensure_publication(*general_, facts_, settings_->control.publication, captured_, false));
  publication_ = outcome.name;
  for (const std::string& statement : outcome.statements) runtime_.log.info(statement);
  for (const std::string& warning : outcome.warnings) runtime_.log.warn_once(warning, warning);
  return {};
}

// What would come with pgoutput (PG-DBUF-04), or from a newer server.
void PostgresSource::tell_plugin_limits() {
  const auto tell = [this](const std::string& warning) { runtime_.log.warn_once(warning, warning); };
  const std::string& plugin = settings_->control.slot.plugin;
  const auto skipped = config_.list("skipped.operations");
  const bool truncates = std::find(skipped.begin(), skipped.end(), "t") == skipped.end();
  if (!settings_->control.publishes()) {
    tell(fmt::format("plugin {} does not send logical messages", plugin));
    if (truncates) tell(fmt::format("plugin {} does not send truncates", plugin));
  } else if (truncates && facts_.version < kTruncatesSince) {
    tell(fmt::format("the server does not publish TRUNCATE: that needs PostgreSQL 11, this is {}",
                     facts_.version_text));
  }
}

Result<void> PostgresSource::prepare_slot() {
  const SlotSettings& slot = settings_->control.slot;
  CDC_TRY(const auto state, await_slot(*general_, slot, facts_, runtime_));
  if (state) {
    auto problem = slot_problem(*state, slot, facts_);
    if (!problem) {
      slot_confirmed_ = state->confirmed_flush_lsn.value_or(0);
      return {};
    }
    if (problem->kind != ErrorKind::position_lost || !start_.may_start_over)
      return tl::unexpected(std::move(*problem));
    // An invalidated slot serves nobody any more (PG-FAIL-04).
    runtime_.log.warn(fmt::format("{}; it is dropped and made anew", problem->message));
    CDC_CHECK(drop_slot(*general_, slot.name, runtime_));
  }
  if (!start_.from.empty()) {
    CDC_TRY(const auto lsn, parse_from(start_.from));
    if (lsn && *lsn != kFromBeginning)
      return fail(ErrorKind::position_lost,
                  fmt::format("--from {}: slot '{}' does not exist, and a new one has nothing of the past",
                              format_lsn(*lsn), slot.name),
                  "--from now makes it and starts there");
  }
  CDC_TRY(replication_,
          Connection::connect(settings_->control.connect, ConnectionKind::replication, runtime_));
  CDC_TRY(created_,
          create_slot(*replication_, *general_, facts_, slot, slot.name, SlotLife::permanent, runtime_));
  runtime_.log.info(
      fmt::format("created slot '{}' at {}", slot.name, format_lsn(created_->consistent_point)));
  return {};
}

// The server would go forward by itself to what the slot still has, and wait at a position that is not yet.
Result<Lsn> PostgresSource::start_from(const std::string& from, Lsn now) const {
  const std::string& slot = settings_->control.slot.name;
  const Lsn beginning = created_ ? created_->consistent_point : slot_confirmed_;
  CDC_TRY(const auto lsn, parse_from(from));
  if (!lsn) return now;
  if (*lsn == kFromBeginning) return beginning;
  if (*lsn < beginning)
    return fail(
        ErrorKind::position_lost,
        fmt::format("--from {}: slot '{}' is confirmed up to {}, what lies before it is no longer available",
                    format_lsn(*lsn), slot, format_lsn(beginning)),
        "--from beginning starts at what the slot still has");
  if (*lsn > now)
    return fail(ErrorKind::usage,
                fmt::format("--from {}: the server stands at {} only", format_lsn(*lsn), format_lsn(now)),
                "--from now starts there");
  return *lsn;
}

Result<StreamStart> PostgresSource::decide(const std::optional<std::string>& text,
                                           const StreamBounds& bounds) {
  StreamStart start;
  start.publication = publication_;
  CDC_TRY(const Lsn now, current_lsn(*general_, facts_));
  start.now = now;
  CDC_TRY(start.until, UntilBound::parse(bounds.until, now));
  if (!start_.from.empty()) {
    CDC_TRY(start.lsn, start_from(start_.from, now));
    return start;
  }
  if (!text && created_) {
    start.lsn = created_->consistent_point;
    return start;
  }
  if (text) {
    CDC_TRY(start.offset, parse_offset(*text));
  }
  if (!text || !answer_ || answer_->first != *text) {
    CDC_TRY(StartAnswer answer, ask_slot(text ? std::optional(start.offset) : std::nullopt));
    answer_.emplace(text.value_or(""), std::move(answer));
  }
  const StartAnswer& answer = answer_->second;
  if (answer.verdict != StartAnswer::Verdict::start) return tl::unexpected(answer.error);
  if (answer.forget_offset) start.offset = {};
  for (const std::string& warning : answer.warnings) runtime_.log.warn(warning);
  if (answer.advance_to) CDC_CHECK(advance(*answer.advance_to));
  start.lsn = answer.start;
  if (answer.confirmed_limit) start.offset.confirmed = answer.confirmed_limit;
  prepare_history_check(answer, start);
  if (!text)
    runtime_.log.info(fmt::format("no position is stored: going on where slot '{}' stands, at {}",
                                  settings_->control.slot.name, format_lsn(start.lsn)));
  return start;
}

void PostgresSource::prepare_history_check(const StartAnswer& answer, StreamStart& start) {
  Offset& offset = start.offset;
  const bool in_commit_order = settings_->control.publishes();
  if (answer.check_from) {
    start.history = HistoryCheck(
        offset, *answer.check_from, start.now,
        in_commit_order ? HistoryCheck::Names::commit_record : HistoryCheck::Names::first_record);
  }
  if (start.history.active()) {
    start.lsn = *answer.check_from;
    // Which transactions lie before what a keepalive confirmed shows only when they are over: until then it
    // is not certain, and the slot does not know it anyway.
    if (!in_commit_order && offset.confirmed > start.lsn) offset.confirmed = start.lsn;
  } else if (!answer.forget_offset && offset.point().resume_point() && !offset.own() && !told_unchecked_) {
    told_unchecked_ = true;
    std::string_view why = HistoryCheck::impossible(offset);
    if (why.empty()) why = answer.check_from ? "the slot stands right there" : "the slot is not behind it";
    runtime_.log.info(fmt::format(
        "whether the log of this server is the one that the imported position was taken from cannot be "
        "checked: {}; it will be from the first change on",
        why));
  }
}

// PG-OFF-06: what hinders is only told, unless the slot itself refuses.
Result<void> PostgresSource::advance(Lsn to) {
  const auto advanced = advance_slot(*general_, settings_->control.slot.name, to);
  if (advanced) return {};
  const Error& error = advanced.error();
  if (error.sqlstate == kUndefinedFunction) return runtime_.log.info(error.message), Result<void>();
  const bool tolerated = error.sqlstate == kInsufficientPrivilege ||
                         (error.sqlstate == kWrongState && settings_->on_fault != OnFault::fail);
  if (!tolerated) return tl::unexpected(error);
  if (settings_->on_fault != OnFault::skip) runtime_.log.warn(error.message);
  return {};
}

Result<void> PostgresSource::set_identities() {
  const auto entries = config_.list("replica.identity.autoset.values");
  if (entries.empty()) return {};
  CDC_TRY(const auto rules, parse_identity_rules(entries));
  std::map<std::string, text::Regex> compiled;
  for (const IdentityRule& rule : rules) {
    CDC_TRY(auto regex, text::Regex::compile(rule.tables));
    compiled.emplace(rule.tables, std::move(regex));
  }
  const NameMatch matches = [&](const std::string& regex, const std::string& name) {
    return compiled.at(regex).matches(name).value_or(false);
  };
  CDC_TRY(const IdentityPlan plan, plan_identities(*general_, rules, captured_, matches));
  for (const std::string& error : plan.errors) runtime_.log.write(Level::error, "warning", error);
  CDC_TRY(const bool changed, apply_identities(*general_, plan, runtime_.log));
  if (changed) {
    CDC_TRY(captured_, read_captured());
  }
  return {};
}

void PostgresSource::tell_identities() const {
  if (!runtime_.log.enabled(Level::debug)) return;
  for (const TableRow& row : captured_)
    runtime_.log.debug(fmt::format("{}: {}", dotted(row.id), identity_note(row)));
}

Result<Connection> PostgresSource::replication_connection() {
  if (replication_) {
    Connection connection = std::move(*replication_);
    replication_.reset();
    if (!connection.broken()) return connection;
  }
  return Connection::connect(settings_->control.connect, ConnectionKind::replication, runtime_);
}

Result<void> PostgresSource::stream(const std::optional<std::string>& offset, const StreamBounds& bounds,
                                    ChangeSink& sink) {
  CDC_TRY(const StreamStart start, decide(offset, bounds));
  CDC_CHECK(set_identities());
  tell_identities();
  CDC_TRY(Connection replication, replication_connection());
  if (facts_.system_identifier == 0) {
    CDC_TRY(const SystemIdentity identity, identify_system(replication));
    facts_.system_identifier = identity.system_identifier;
    facts_.timeline = identity.timeline;
  }
  stream_ = std::make_unique<Stream>(*settings_, facts_, rules_->key_columns(), *general_, types_,
                                     confirmations_, sink, runtime_);
  return stream_->run(std::move(replication), start);
}

}  // namespace cdc::pg
