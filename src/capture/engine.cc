// run_capture: the order of one run (PG-SNAP-01, CORE-SNAP-06/07), from the state to the last commit.
#include <array>
#include <cstdio>
#include <random>

#include <fmt/format.h>

#include "capture/session.h"
#include "capture/snapshot_run.h"
#include "capture/start_decision.h"
#include "capture/stop_conditions.h"
#include "capture/stream_run.h"
#include "cdc/capture.h"
#include "cdc/wall_clock.h"
#include "filter/collection_filter.h"
#include "filter/unmatched_names.h"
#include "format/formats.h"
#include "json/json_read.h"
#include "transform/transforms.h"

namespace cdc {
namespace {

constexpr std::string_view kIdentityFact = "server_identity";
constexpr std::string_view kSnapshotOutputFact = "snapshot_output";

// UUID version 7 (CORE-HDR-03).
std::string run_id() {
  std::random_device random;
  const auto ms = static_cast<std::uint64_t>(wall_clock_ms());
  const std::uint64_t high = (ms << 16) | 0x7000u | (random() & 0x0FFFu);
  const std::uint64_t low = (std::uint64_t{random()} << 32 | random()) >> 2 | std::uint64_t{2} << 62;
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, high >> 16 & 0xFFFF, high & 0xFFFF,
                     low >> 48, low & 0xFFFFFFFFFFFF);
}

BatchQueue::Limits queue_limits(const Config& config) {
  BatchQueue::Limits limits;
  limits.max_events = static_cast<std::uint64_t>(config.integer("max.queue.size"));
  if (const auto bytes = config.integer("max.queue.size.in.bytes"); bytes > 0)
    limits.max_bytes = static_cast<std::uint64_t>(bytes);
  return limits;
}

CaptureOutcome stopped(const Runtime& runtime, CaptureOutcome out) {
  runtime.log.write(Level::info, "stopped", fmt::format("stopped ({}), {} events", out.reason, out.events),
                    {{"reason", out.reason},
                     {"position", out.position.empty() ? "null" : out.position},
                     {"events", std::to_string(out.events)}});
  return out;
}

class Engine {
 public:
  Engine(const Config& config, const CaptureOptions& options, Runtime& runtime)
      : config_(config), options_(options), runtime_(runtime), queue_(queue_limits(config), runtime) {}

  // How far run() came.
  enum class Reached : std::uint8_t {
    start,
    initial_snapshot,  // of a stream: nothing of it is stored before its end, so that it can be taken again
    stream,
  };
  Reached reached() const { return reached_; }

  Result<CaptureOutcome> run() {
    type_ = find_source_type(config_.source());
    if (type_ == nullptr)
      return fail(ErrorKind::unsupported,
                  fmt::format("source {} is not part of this build", config_.source()));
    if (type_->check_bounds != nullptr) CDC_CHECK(type_->check_bounds(options_.from, options_.until));
    CDC_CHECK(open_state());
    CDC_TRY(auto sink, make_sink(config_, runtime_, file_mode()));
    source_ = std::make_unique<SourceHolder>(type_->make(config_, runtime_));
    // What the configuration says about events is judged before anybody is asked for a connection.
    CDC_TRY(room_, make_room());
    CDC_TRY(const SourceDescription server, (*source_)->connect(!options_.snapshot_only));
    CDC_CHECK(check_identity(server));
    CDC_TRY(const StartDecision start, decide());
    if (!start.snapshot && !start.stream) return outcome("nothing to do");
    if (options_.plan_only) return plan();

    StartOptions prepare;
    prepare.will_snapshot = start.snapshot;
    prepare.will_stream = start.stream;
    prepare.from = options_.from;
    prepare.may_start_over = start.may_start_over;
    if (!start.forget_offset && offset_state(stored_.offset) == OffsetState::complete)
      prepare.offset = stored_.offset;
    if (options_.dry_run) return dry_run(start);
    CDC_CHECK(guardrail());
    CDC_CHECK(note_snapshot());
    // The output is opened before anything is made on the server: a wrong path must not leave a slot behind.
    CDC_CHECK(sink->open(stored_.files));
    CDC_CHECK((*source_)->prepare(prepare));
    return capture(start, prepare, server, *sink);
  }

 private:
  Result<void> open_state() {
    const std::string& path = config_.text("state");
    // A snapshot from cron and a service that streams have the same name: each keeps its own state.
    const std::string name =
        config_.capture_name() + (options_.snapshot_only && path.empty() ? ".snapshot" : "");
    key_ = {config_.capture_name(),
            fmt::format("{{\"server\":{}}}", json::quote(config_.text("topic.prefix")))};
    if (options_.plan_only) return {};
    CDC_TRY(state_,
            cdc::open_state(path, name, options_.dry_run ? StateAccess::preview : StateAccess::exclusive));
    CDC_TRY(stored_, state_->load(key_));
    return {};
  }

  bool resumable() const { return options_.snapshot_only && state_ != nullptr && state_->path() != "none"; }

  // Whether an interrupted snapshot is gone on with: only where its first part went.
  bool goes_on() const {
    if (!resumable() || !options_.resume || !stored_.snapshot) return false;
    const auto output = stored_.facts.find(std::string(kSnapshotOutputFact));
    return output != stored_.facts.end() && output->second == snapshot_output();
  }
  std::string snapshot_output() const {
    return config_.text("output") + (options_.chunks.empty() ? "" : " by chunks");
  }

  // A whole snapshot replaces last night's; parts of a plan may share a file.
  FileMode file_mode() const {
    if (!options_.snapshot_only || !options_.chunks.empty()) return FileMode::grow;
    return goes_on() ? FileMode::resume : FileMode::replace;
  }

  // Before anything of an interrupted snapshot that is not gone on with is taken away.
  Result<void> note_snapshot() {
    const bool forget = stored_.snapshot.has_value() && !goes_on();
    if (forget && resumable() && options_.resume)
      runtime_.log.warn("an interrupted snapshot was written to another output: this one starts over");
    if (!forget && !resumable()) return {};
    StateChange change;
    if (forget) change.snapshot = "";
    if (options_.snapshot_only) change.facts[std::string(kSnapshotOutputFact)] = snapshot_output();
    CDC_CHECK(state_->commit(key_, change));
    if (forget) stored_.snapshot.reset();
    return {};
  }

  Result<void> check_identity(const SourceDescription& server) {
    const auto known = stored_.facts.find(std::string(kIdentityFact));
    if (known == stored_.facts.end() || known->second == server.identity || !stored_.offset) return {};
    if (!config_.boolean("internal.log.position.check.enable")) return {};
    std::string problem = fmt::format(
        "the state {} was made with another server (system identifier {}, this one is {}): its position "
        "means "
        "nothing here",
        state_->path(), known->second, server.identity);
    // Who names a place to begin at, or says that the server's own counts, knows.
    if (!options_.from.empty() || config_.text("offset.mismatch.strategy") == "trust_slot") {
      runtime_.log.warn(problem);
      return {};
    }
    return fail(
        ErrorKind::position_lost, std::move(problem),
        "use another --state or --name for this server; if it is a copy you want to go on with: --from, "
        "offset.mismatch.strategy=trust_slot (both once), or `cdc offsets reset` and a new snapshot");
  }

  Result<StartDecision> decide() {
    CDC_TRY(SnapshotMode mode, snapshot_mode(config_));
    if (options_.snapshot_only) {
      // `cdc snapshot` reads the tables each time it is asked to, unless it is Debezium's initial_only.
      mode = {!(config_.is_set("snapshot.mode") && mode.name == "initial_only"),
              true,
              false,
              false,
              false,
              "initial_only"};
    }
    OffsetState state = offset_state(stored_.offset);
    if (!options_.from.empty()) return StartDecision{.stream = true, .forget_offset = true};
    CDC_TRY(StartDecision start, decide_start(mode, state));
    if (start.snapshot || !start.stream || state != OffsetState::complete) return start;
    CDC_TRY(const PositionState position, (*source_)->check_position(*stored_.offset));
    if (position.available) return start;
    CDC_TRY(start, decide_lost(mode, position.problem, position.hint));
    runtime_.log.write(Level::warn, "warning",
                       fmt::format("{}; {}", position.problem,
                                   start.snapshot ? "a new snapshot is taken (snapshot.mode=when_needed)"
                                                  : "going on from now, what came since then is skipped"));
    return start;
  }

  Result<CaptureOutcome> plan() {
    SnapshotRequest request;
    request.threads =
        static_cast<unsigned>(std::max<std::int64_t>(1, config_.integer("snapshot.max.threads")));
    request.resumable = true;
    StartOptions prepare;
    prepare.will_snapshot = true;
    prepare.will_stream = false;
    CDC_CHECK((*source_)->prepare(prepare));
    CDC_TRY(const SnapshotPlan plan, (*source_)->plan_snapshot(request));
    CDC_CHECK(print_plan(plan));
    std::ignore = (*source_)->close(true);
    return outcome("plan printed");
  }

  Result<CaptureOutcome> dry_run(const StartDecision& start) {
    CDC_TRY(const auto tables, (*source_)->captured_tables());
    for (const TableId& table : tables) fmt::print("{}\n", collection_id(table));
    std::fflush(stdout);
    runtime_.log.info(fmt::format("dry run: {} tables are captured, {}{}; nothing was changed on the server",
                                  tables.size(),
                                  start.snapshot ? "a snapshot would be taken" : "no snapshot would be taken",
                                  start.stream ? ", then streaming would begin" : ""));
    return outcome("dry run");
  }

  Result<void> guardrail() {
    const auto limit = config_.integer("guardrail.collections.max");
    if (limit <= 0) return {};
    CDC_TRY(const auto tables, (*source_)->captured_tables());
    if (tables.size() <= static_cast<std::size_t>(limit)) return {};
    const std::string message =
        fmt::format("{} collections are captured, guardrail.collections.max is {}", tables.size(), limit);
    if (config_.text("guardrail.collections.limit.action") == "fail")
      return fail(ErrorKind::usage, message, "narrow table.include.list, or raise guardrail.collections.max");
    runtime_.log.warn(message);
    return {};
  }

  // A filter that matches nothing is a mistake more often than a wish.
  Result<void> count_captured() {
    CDC_TRY(const auto tables, (*source_)->captured_tables());
    runtime_.stats.tables_captured = tables.size();
    if (tables.empty())
      runtime_.log.warn(
          "no table is captured: none matches the include and exclude lists (`cdc config` shows them; names "
          "are "
          "regular expressions over schema.table)");
    return tell_unmatched();
  }

  Result<void> tell_unmatched() {
    if (names_tables(config_)) {
      CDC_TRY(const auto all, (*source_)->tables());
      for (const std::string& name : unmatched_tables(config_, all)) runtime_.log.warn(name);
    }
    if (names_columns(config_)) {
      CDC_TRY(const auto columns, (*source_)->captured_columns());
      for (const std::string& name : unmatched_columns(config_, columns)) runtime_.log.warn(name);
    }
    return {};
  }

  Result<std::unique_ptr<EventRoom>> make_room() {
    auto room = std::make_unique<EventRoom>(config_, event_options(config_), destinations_, queue_, runtime_);
    room->options.wants_offset = config_.text("format") == "record";
    CDC_TRY(room->tables, TableCompiler::make(config_, room->options, (*source_)->source_schema(),
                                              destinations_, runtime_.log));
    CDC_TRY(auto probe, make_format(config_));
    for (const std::string& warning : format_warnings(config_)) runtime_.log.warn_once(warning, warning);
    room->make_format = [this] { return make_format(config_); };
    CDC_TRY(room->make_transform, make_transforms(config_, destinations_, runtime_, type_->hypertables));
    room->after_heartbeat = [this] { return (*source_)->heartbeat(); };
    room->batch_events = static_cast<std::uint64_t>(config_.integer("max.batch.size"));
    room->max_events = options_.max_events.value_or(0);
    room->run_id = run_id();
    return room;
  }

  Result<CaptureOutcome> capture(const StartDecision& start, const StartOptions& prepared,
                                 const SourceDescription& server, Sink& sink) {
    CDC_CHECK(count_captured());

    Writer::Options writing;
    writing.state_key = key_;
    writing.interval = config_.milliseconds("offset.flush.interval.ms");
    writing.bytes = static_cast<std::uint64_t>(config_.integer("offset.flush.bytes"));
    writing.slow = config_.milliseconds("offset.flush.timeout.ms");
    writing.every_batch = writing.interval.count() == 0 || config_.text("offset.commit.policy") == "always";
    writing.keep_unfinished = file_mode() != FileMode::grow;
    Writer writer(writing, queue_, sink, state_.get(), destinations_, runtime_);
    writer.on_committed([this](const Checkpoint& checkpoint) { source_->acknowledge(checkpoint); });
    Session session{config_, options_, runtime_,     *type_, *source_,
                    *room_,  writer,   state_.get(), key_,   stored_};
    Result<void> done = phases(session, start, prepared, server);
    if (!done && done.error().kind == ErrorKind::cancelled) done = {};
    const Result<void> written = writer.finish();
    const Result<void> closed = (*source_)->close(static_cast<bool>(done) && written.has_value());
    // What the output says counts most: everything else may be a consequence.
    if (!written && written.error().kind != ErrorKind::cancelled)
      return tl::unexpected<Error>(written.error());
    if (!done) return tl::unexpected<Error>(done.error());
    if (!closed) return tl::unexpected<Error>(closed.error());
    CaptureOutcome out;
    out.reason = std::string(runtime_.stop.reason());
    if (out.reason.empty())
      out.reason = room_->finished() ? "max-events" : !start.stream ? "snapshot completed" : "until";
    out.position = writer.stored_offset();
    out.events = runtime_.stats.events.load();
    return stopped(runtime_, std::move(out));
  }

  Result<void> phases(Session& session, const StartDecision& start, const StartOptions& prepared,
                      const SourceDescription& server) {
    std::optional<std::string> offset = prepared.offset;
    if (state_ != nullptr && !server.identity.empty()) {
      StateChange change;
      change.facts[std::string(kIdentityFact)] = server.identity;
      if (start.snapshot) change.offset = (*source_)->snapshot_checkpoint(false).offset;
      CDC_CHECK(state_->commit(key_, change));
    }
    if (start.snapshot) {
      if (runtime_.stop.wait_for(config_.milliseconds("snapshot.delay.ms"))) return {};
      session.writer.hold(!resumable());
      if (start.stream) reached_ = Reached::initial_snapshot;
      if (auto read = run_snapshot(session, resumable()); !read)
        return tell_unfinished(std::move(read).error(), session.room.finished());
      offset = (*source_)->snapshot_checkpoint(true).offset;
      if (start.stream && runtime_.stop.wait_for(config_.milliseconds("streaming.delay.ms"))) return {};
    } else {
      session.writer.start();
    }
    if (!start.stream || session.room.finished() || runtime_.stop.requested()) return {};
    reached_ = Reached::stream;
    return run_stream(session, offset, start.snapshot);
  }

  // What the next run will do about a snapshot that came to no end.
  Result<void> tell_unfinished(Error error, bool enough) {
    const std::string_view next =
        resumable() ? "the next run goes on where it stopped" : "the next start takes it anew";
    if (error.kind != ErrorKind::cancelled)
      error.hint += fmt::format("{}the snapshot is not complete: {}", error.hint.empty() ? "" : "; ", next);
    else if (!enough)
      runtime_.log.info(fmt::format("the snapshot is not complete: {}", next));
    return tl::unexpected<Error>(std::move(error));
  }

  CaptureOutcome outcome(std::string reason) {
    CaptureOutcome out;
    out.reason = std::move(reason);
    out.position = stored_.offset.value_or("");
    return stopped(runtime_, std::move(out));
  }

  const Config& config_;
  const CaptureOptions& options_;
  Runtime& runtime_;
  const SourceType* type_ = nullptr;
  std::unique_ptr<StateStore> state_;
  StateKey key_;
  StoredState stored_;
  Destinations destinations_;
  BatchQueue queue_;
  std::unique_ptr<SourceHolder> source_;
  std::unique_ptr<EventRoom> room_;
  Reached reached_ = Reached::start;
};

}  // namespace

Result<CaptureOutcome> run_capture(const Config& config, const CaptureOptions& options, Runtime& runtime) {
  try {
    runtime.log.write(Level::info, "starting",
                      fmt::format("capture {} from {}", config.capture_name(), config.source()),
                      {{"name", config.capture_name()}, {"source", config.source()}});
    const StopConditions watch(options, runtime);
    CDC_TRY(Retry retry, Retry::make(config));
    for (bool again = false;;) {
      Result<CaptureOutcome> outcome = [&] {
        Engine engine(config, options, runtime);
        auto result = engine.run();
        // A second attempt may fail before it gets to the snapshot.
        if (engine.reached() != Engine::Reached::start)
          again = engine.reached() == Engine::Reached::initial_snapshot;
        return result;
      }();
      if (outcome || !again || !retry.worth(outcome.error())) return outcome;
      const auto stop = [&] {
        return stopped(runtime, {std::string(runtime.stop.reason()), {}, runtime.stats.events.load()});
      };
      if (runtime.stop.requested()) return stop();
      if (!retry.more()) {
        outcome.error().message +=
            fmt::format(" (given up after {} tries, errors.max.retries)", retry.tries());
        return outcome;
      }
      runtime.log.write(Level::warn, "reconnecting", outcome.error().message + "; the snapshot is taken anew",
                        {{"try", std::to_string(retry.tries() + 1)}});
      if (retry.wait(runtime.stop)) return stop();
    }
  } catch (const std::exception& e) {
    return fail(ErrorKind::internal, fmt::format("unexpected: {}", e.what()));
  }
}

}  // namespace cdc
