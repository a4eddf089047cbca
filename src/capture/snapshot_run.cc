// The snapshot phase.
#include "capture/snapshot_run.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <future>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "capture/snapshot_notices.h"
#include "capture/snapshot_plan_text.h"
#include "event/snapshot_events.h"
#include "filter/collection_filter.h"
#include "json/json_read.h"

namespace cdc {
namespace {

constexpr std::uint64_t kFewRows = 10'000;

// "1 table", "2 tables".
std::string count_of(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

class CompletedPosition : public PositionWriter {
 public:
  explicit CompletedPosition(const Source& source) : source_(source) {}
  Checkpoint checkpoint() const override { return source_.snapshot_checkpoint(true); }

 private:
  const Source& source_;
};

// Hands out the units one by one and keeps the first error.
class UnitPool {
 public:
  UnitPool(const SnapshotPlan& plan, const SnapshotProgress& progress) : plan_(plan), progress_(progress) {}

  std::optional<std::size_t> next() {
    while (!failed_.load()) {
      const std::size_t i = at_.fetch_add(1);
      if (i >= plan_.units.size()) return std::nullopt;
      if (!progress_.done.contains(i)) return i;
    }
    return std::nullopt;
  }
  void fail_with(const Error& error) {
    std::lock_guard lock(mutex_);
    if (!failed_.exchange(true)) error_ = error;
  }
  Result<void> result() const {
    if (failed_.load()) return tl::unexpected<Error>(error_);
    return {};
  }

 private:
  const SnapshotPlan& plan_;
  const SnapshotProgress& progress_;
  std::atomic<std::size_t> at_{0};
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  Error error_;
};

// The statistics say that a snapshot runs as long as this is there.
class Running {
 public:
  explicit Running(Stats& stats) : stats_(stats) { stats_.snapshot_running = true; }
  ~Running() { stats_.snapshot_running = false; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  Stats& stats_;
};

// Signal tables are captured, but not read.
std::vector<std::string> unread_tables(Session& session) {
  std::vector<std::string> names;
  const CollectionFilter& filter = session.room.tables->collections();
  const bool notifies = !session.config.list("notification.enabled.channels").empty();
  if (!notifies || filter.signal_collections().empty() ||
      session.config.is_set("snapshot.include.collection.list"))
    return names;
  const auto tables = session.source->captured_tables();
  if (!tables) return names;
  for (const TableId& table : *tables)
    if (filter.is_signal(table)) names.push_back(collection_id(table));
  return names;
}

class SnapshotRun {
 public:
  SnapshotRun(Session& session, SnapshotPlan plan, SnapshotProgress progress, bool resumable,
              bool blocking = false)
      : session_(session),
        shared_plan_(std::make_shared<SnapshotPlan>(std::move(plan))),
        plan_(*shared_plan_),
        progress_(std::move(progress)),
        resumable_(resumable),
        blocking_(blocking),
        parallel_(session.config.integer("snapshot.max.threads") > 1),
        pool_(plan_, progress_),
        markers_(plan_, parallel_, progress_.done),
        notices_(plan_, parallel_ && !session.config.boolean("legacy.snapshot.max.threads"),
                 blocking ? std::vector<std::string>{} : unread_tables(session)),
        units_left_(plan_.tables.size()) {
    for (std::size_t i = 0; i < plan_.units.size(); ++i)
      if (!progress_.done.contains(i)) ++units_left_[plan_.units[i].table];
  }

  Result<void> run() {
    Stats& stats = session_.runtime.stats;
    std::uint64_t rows = 0;
    for (const PlannedTable& table : plan_.tables) rows += table.estimated_rows;
    stats.tables_total = plan_.tables.size();
    stats.tables_done = 0;
    stats.rows_estimated = rows;
    stats.rows_scanned = 0;
    const Running running(stats);
    tell_parts();
    if (resumable_) {
      session_.writer.start_from(progress_);
      session_.writer.on_progress(
          [plan = shared_plan_](const SnapshotProgress& p) { return progress_text(*plan, p); });
    }
    const auto threads = static_cast<unsigned>(session_.config.integer("snapshot.max.threads"));
    std::vector<std::unique_ptr<SnapshotEvents>> writers;
    // Few rows are read sooner by one worker than others are started, and then come in key order.
    const unsigned workers = rows < kFewRows ? 1 : std::max(1u, threads);
    for (unsigned i = 0; i < workers; ++i)
      writers.push_back(std::make_unique<SnapshotEvents>(session_.room, markers_, resumable_, parallel_));
    CDC_CHECK(notices_.started(*writers[0]));
    std::vector<std::thread> others;
    for (unsigned i = 1; i < writers.size(); ++i)
      others.emplace_back([this, i, &writers] { work(i, *writers[i]); });
    work(0, *writers[0]);
    for (std::thread& thread : others) thread.join();
    if (auto done = pool_.result(); !done) {
      // What was read completely still reaches the consumer; the position stays "unfinished".
      std::ignore = notices_.aborted(failed_unit_, failed_unit_ != nullptr && !blocking_, *writers[0]);
      for (auto& writer : writers) std::ignore = writer->flush(false);
      stats.details.change([](RunDetails::Facts& facts) { facts.aborted = true; });
      return done;
    }
    const CompletedPosition completed(*session_.source);
    // The other workers may have taken all units before one was there to take its first.
    const auto reader =
        std::find_if(writers.begin(), writers.end(), [](const auto& writer) { return writer->has_read(); });
    SnapshotEvents& last = reader == writers.end() ? *writers.front() : **reader;
    // A file of an earlier snapshot must not stay where the table is empty now.
    if (session_.options.snapshot_only && session_.options.chunks.empty())
      for (const PlannedTable& table : plan_.tables) last.mention(table.id);
    CDC_CHECK(notices_.all_read(last));
    CDC_CHECK(last.finish(completed));
    return session_.source->end_snapshot();
  }

 private:
  void tell_parts() {
    RunDetails& details = session_.runtime.stats.details;
    details.begin_snapshot();
    details.change([&](RunDetails::Facts& facts) {
      for (std::size_t i = 0; i < plan_.units.size(); ++i) {
        const std::string table = collection_id(plan_.tables[plan_.units[i].table].id);
        ++facts.chunks[table];
        facts.chunks_done[table] += progress_.done.contains(i) ? 1 : 0;
      }
    });
  }

  void work(unsigned number, SnapshotEvents& writer) {
    try {
      while (const auto index = pool_.next()) {
        if (auto done = read(number, writer, *index); !done) {
          if (done.error().kind != ErrorKind::cancelled) failed_unit_ = &plan_.units[*index];
          return pool_.fail_with(done.error());
        }
      }
    } catch (const std::exception& e) {
      pool_.fail_with(
          Error{ErrorKind::internal, fmt::format("reading a table failed: {}", e.what()), {}, {}, false});
    }
  }

  Result<void> read(unsigned number, SnapshotEvents& writer, std::size_t index) {
    if (session_.runtime.stop.requested()) return fail(ErrorKind::cancelled, "the snapshot was interrupted");
    const SnapshotUnit& unit = plan_.units[index];
    CDC_CHECK(notices_.unit_begins(unit, writer));
    CDC_CHECK(writer.begin_unit(index, unit));
    const auto resume = progress_.keys.find(index);
    static const std::vector<std::string> kFromStart;
    CDC_CHECK(session_.source->read_unit(
        number, unit, resume == progress_.keys.end() ? kFromStart : resume->second, writer));
    CDC_CHECK(writer.end_unit());
    const auto [done, rows] = count(unit, writer.unit_rows());
    return notices_.unit_ended(unit, rows, done, writer);
  }

  // Whether the table is done, and its rows so far.
  std::pair<bool, std::uint64_t> count(const SnapshotUnit& unit, std::uint64_t rows) {
    std::lock_guard lock(mutex_);
    rows_[unit.table] += rows;
    session_.runtime.stats.details.change([&](RunDetails::Facts& facts) {
      const std::string table = collection_id(plan_.tables[unit.table].id);
      facts.rows[table] += 0;  // also a table without rows is shown
      ++facts.chunks_done[table];
    });
    if (--units_left_[unit.table] > 0) return {false, rows_[unit.table]};
    session_.runtime.stats.tables_done.fetch_add(1);
    const std::string table = collection_id(plan_.tables[unit.table].id);
    session_.runtime.log.write(
        Level::info, "snapshot_table",
        fmt::format("{}: {} row{} read", table, rows_[unit.table], rows_[unit.table] == 1 ? "" : "s"),
        {{"table", table}, {"rows", std::to_string(rows_[unit.table])}});
    return {true, rows_[unit.table]};
  }

  Session& session_;
  const std::shared_ptr<const SnapshotPlan>
      shared_plan_;  // the writer's thread may need it longer than this object lives
  const SnapshotPlan& plan_;
  const SnapshotProgress progress_;
  const bool resumable_, blocking_, parallel_;
  UnitPool pool_;
  SnapshotMarkers markers_;
  SnapshotNotices notices_;
  std::atomic<const SnapshotUnit*> failed_unit_{nullptr};
  std::mutex mutex_;
  std::vector<std::size_t> units_left_;
  std::map<std::size_t, std::uint64_t> rows_;
};

Result<void> choose_chunks(SnapshotPlan& plan, const std::vector<std::string>& ids) {
  std::vector<SnapshotUnit> units;
  for (const std::string& id : ids) {
    auto unit = parse_unit(plan, id);
    if (!unit)
      return fail(ErrorKind::usage, fmt::format("--chunk {}: no such unit, or its table is not captured", id),
                  "take the `id` of a line that `cdc snapshot --plan` printed with the same configuration");
    units.push_back(std::move(*unit));
  }
  plan.units = std::move(units);
  return {};
}

// The units as they were cut then, and those of tables that had none: new ones, or ones that were empty.
SnapshotProgress go_on_with(SnapshotPlan& plan, StoredSnapshot earlier) {
  std::set<std::size_t> known;
  for (const SnapshotUnit& unit : earlier.units) known.insert(unit.table);
  for (SnapshotUnit& unit : plan.units)
    if (!known.contains(unit.table)) earlier.units.push_back(std::move(unit));
  plan.units = std::move(earlier.units);
  return std::move(earlier.progress);
}

// With --chunk the units are those asked for, whatever the interrupted run was about.
SnapshotProgress go_on_with_chunks(const SnapshotPlan& plan, const StoredSnapshot& earlier) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < earlier.units.size(); ++i) places[unit_id(plan, earlier.units[i])] = i;
  SnapshotProgress progress;
  for (std::size_t i = 0; i < plan.units.size(); ++i) {
    const auto place = places.find(unit_id(plan, plan.units[i]));
    if (place == places.end()) continue;
    if (earlier.progress.done.contains(place->second)) progress.done.insert(i);
    if (const auto key = earlier.progress.keys.find(place->second); key != earlier.progress.keys.end())
      progress.keys[i] = key->second;
  }
  return progress;
}

}  // namespace

Result<void> print_plan(const SnapshotPlan& plan) {
  for (const SnapshotUnit& unit : plan.units) {
    const std::string line = fmt::format(
        "{{\"id\":{},\"table\":{},\"chunk\":{},\"chunks\":{},\"estimated_rows\":{}}}\n",
        json::quote(unit_id(plan, unit)), json::quote(collection_id(plan.tables[unit.table].id)), unit.number,
        unit.total, plan.tables[unit.table].estimated_rows / std::max(1u, unit.total));
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size())
      return fail(ErrorKind::sink, "the plan could not be written to stdout");
  }
  if (std::fflush(stdout) != 0) return fail(ErrorKind::sink, "the plan could not be written to stdout");
  return {};
}

Result<void> run_snapshot(Session& session, bool resumable) {
  SnapshotRequest request;
  request.threads =
      static_cast<unsigned>(std::max<std::int64_t>(1, session.config.integer("snapshot.max.threads")));
  request.resumable = resumable;
  CDC_TRY(SnapshotPlan plan, session.source->plan_snapshot(request));
  for (const std::string& note : plan.notes) session.runtime.log.warn_once(note, note);
  if (!session.options.chunks.empty()) CDC_CHECK(choose_chunks(plan, session.options.chunks));
  SnapshotProgress progress;
  const auto& stored = session.stored.snapshot;
  if (resumable && session.options.resume && stored && !stored->empty()) {
    auto earlier = parse_progress(plan, *stored);
    if (!earlier)
      return fail(ErrorKind::corrupt,
                  fmt::format("the progress of an interrupted snapshot in the state {} makes no sense",
                              session.state->path()),
                  "--no-resume starts the snapshot over");
    for (const std::string& table : earlier->gone)
      session.runtime.log.warn(
          fmt::format("{}: was part of the interrupted snapshot and is not there any more", table));
    progress = session.options.chunks.empty() ? go_on_with(plan, std::move(*earlier))
                                              : go_on_with_chunks(plan, *earlier);
    session.runtime.log.write(Level::warn, "warning",
                              fmt::format("going on with an interrupted snapshot: {} of {} parts are done; "
                                          "its parts are of two moments (--no-resume "
                                          "starts over)",
                                          progress.done.size(), plan.units.size()));
  }
  session.runtime.log.write(
      Level::info, "snapshot_started",
      fmt::format("reading {} in {}", count_of(plan.tables.size(), "table"),
                  count_of(plan.units.size(), "part")),
      {{"tables", std::to_string(plan.tables.size())}, {"parts", std::to_string(plan.units.size())}});
  SnapshotRun run(session, std::move(plan), std::move(progress), resumable);
  session.writer.start();
  CDC_CHECK(run.run());
  const auto rows = session.runtime.stats.rows_scanned.load();
  session.runtime.log.write(Level::info, "snapshot_completed",
                            fmt::format("snapshot completed, {} rows", rows),
                            {{"rows", std::to_string(rows)}});
  return {};
}

Result<void> run_blocking_snapshot(Session& session, const std::vector<OnDemandTable>& tables,
                                   StreamOutput& out) {
  CDC_CHECK(out.hand_over());
  SnapshotRequest request;
  request.threads =
      static_cast<unsigned>(std::max<std::int64_t>(1, session.config.integer("snapshot.max.threads")));
  request.on_demand = tables;
  session.runtime.log.write(Level::info, "snapshot_started",
                            fmt::format("blocking snapshot of {}", count_of(tables.size(), "table")),
                            {{"tables", std::to_string(tables.size())}});
  auto reading = std::async(std::launch::async, [&]() -> Result<void> {
    CDC_TRY(SnapshotPlan plan, session.source->plan_snapshot(request));
    SnapshotRun run(session, std::move(plan), SnapshotProgress{}, false, true);
    return run.run();
  });
  // This thread keeps the stream's link alive until the tables are read.
  while (reading.wait_for(std::chrono::seconds(1)) != std::future_status::ready)
    if (out.wait_hook()) out.wait_hook()();
  auto done = reading.get();
  if (!done) std::ignore = session.source->end_snapshot();
  if (done) session.runtime.log.write(Level::info, "snapshot_completed", "blocking snapshot completed");
  return done;
}

}  // namespace cdc
