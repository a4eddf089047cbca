// A resumable snapshot that dies again and again, on one worker and on four: what the committed part of the
// output holds in the end is every row once. Source, sink and state are made here; the rest is the real
// thing.
#include <doctest/doctest.h>

#include <charconv>
#include <random>

#include "../event/support.h"
#include "capture/session.h"
#include "capture/snapshot_run.h"

using namespace cdc;
using namespace cdc::test;

namespace {

// Tables t0, t1, ... with keys 1..rows, cut into units at the same distance.
class CountingSource final : public Source {
 public:
  CountingSource(std::vector<int> rows, int units, bool ordered)
      : rows_(std::move(rows)), units_(units), ordered_(ordered) {}

  Result<SourceDescription> connect(bool) override { return SourceDescription{}; }
  Result<PositionState> check_position(const std::string&) override { return PositionState{}; }
  Result<void> prepare(const StartOptions&) override { return {}; }
  Result<std::vector<TableId>> captured_tables() override { return std::vector<TableId>{}; }
  Result<SnapshotPlan> plan_snapshot(const SnapshotRequest&) override {
    SnapshotPlan plan;
    for (std::size_t t = 0; t < rows_.size(); ++t) {
      plan.tables.push_back({{"", "public", "t" + std::to_string(t)}, 20'000, {}, true});
      for (int n = 0; n < units_; ++n) {
        SnapshotUnit unit{t,       static_cast<std::uint32_t>(n), static_cast<std::uint32_t>(units_), {}, {},
                          ordered_};
        if (n > 0) unit.lower = {std::to_string(rows_[t] * n / units_)};
        if (n + 1 < units_) unit.upper = {std::to_string(rows_[t] * (n + 1) / units_)};
        plan.units.push_back(unit);
      }
    }
    return plan;
  }
  Result<void> read_unit(unsigned, const SnapshotUnit& unit, const std::vector<std::string>& after,
                         ChangeSink& sink) override {
    sink.set_source_block(&block_);
    sink.set_position_writer(&position_);
    TableShape shape = people();
    shape.id = {"", "public", "t" + std::to_string(unit.table)};
    CDC_TRY(const TableHandle table, sink.table(std::move(shape)));
    const int from = number(after.empty() ? unit.lower : after, 0) + 1,
              to = number(unit.upper, rows_[unit.table]);
    for (int id = from; id <= to; ++id) {
      const std::string text = std::to_string(id);
      const std::vector<Cell> row{value(text), value("x"), null()};
      CDC_CHECK(sink.row({table.get(), Op::read, {}, row, false}));
    }
    return {};
  }
  Checkpoint snapshot_checkpoint(bool completed) const override {
    return {completed ? "{\"done\":1}" : "{\"done\":0}", 0};
  }
  Result<void> end_snapshot() override { return {}; }
  Result<void> stream(const std::optional<std::string>&, const StreamBounds&, ChangeSink&) override {
    return {};
  }
  void acknowledge(const Checkpoint&) override {}
  Result<void> close(bool) override { return {}; }
  SchemaPtr source_schema() const override { return struct_of("Source", 1, false, {}); }
  std::string connector_name() const override { return "counting"; }

 private:
  static int number(const std::vector<std::string>& key, int otherwise) {
    int out = otherwise;
    if (!key.empty()) std::from_chars(key[0].data(), key[0].data() + key[0].size(), out);
    return out;
  }
  std::vector<int> rows_;
  int units_;
  bool ordered_;
  PlainBlock block_;
  FixedPosition position_;
};

// A file that "dies": from a moment on nothing is taken any more, as after kill -9.
class MortalSink final : public Sink {
 public:
  MortalSink(std::string& bytes, int writes) : bytes_(bytes), writes_(writes) {}
  Result<void> open(const std::vector<FilePosition>&) override { return {}; }
  Result<void> write(const Destination&, std::string_view lines, std::uint64_t) override {
    if (!lines.empty() && writes_-- <= 0) return fail(ErrorKind::sink, "killed");
    bytes_ += lines;
    return {};
  }
  Result<std::vector<FilePosition>> flush() override {
    return std::vector<FilePosition>{{"f", "f", bytes_.size(), 0, 0, 0, false}};
  }
  Result<void> committed() override { return {}; }
  Result<std::vector<FilePosition>> close() override { return flush(); }
  bool is_files() const override { return true; }

 private:
  std::string& bytes_;
  int writes_;
};

class MemoryState final : public StateStore {
 public:
  Result<StoredState> load(const StateKey&) override { return stored; }
  Result<void> commit(const StateKey&, const StateChange& change) override {
    if (change.offset) stored.offset = change.offset;
    if (change.snapshot) stored.snapshot = change.snapshot->empty() ? std::nullopt : change.snapshot;
    if (change.files) stored.files = *change.files;
    return {};
  }
  Result<std::vector<StateKey>> keys() override { return std::vector<StateKey>{}; }
  Result<void> remove(const StateKey&) override { return {}; }
  std::string path() const override { return "memory"; }
  StoredState stored;
};

// One run; false when it died.
bool run_once(const std::vector<int>& rows, unsigned threads, int units, bool ordered, int writes,
              MemoryState& state, std::string& bytes) {
  Room room({{"snapshot.max.threads", std::to_string(threads)}});
  room.room->batch_events = 7;
  CaptureOptions options;
  options.snapshot_only = true;
  const SourceType type{};
  SourceHolder source(std::make_unique<CountingSource>(rows, units, ordered));
  if (!state.stored.files.empty())
    bytes.resize(state.stored.files[0].length);  // what open() does to a real file
  else
    bytes.clear();
  MortalSink sink(bytes, writes);
  Writer::Options writing;
  writing.every_batch = true;
  Writer writer(writing, room.queue, sink, &state, room.destinations, room.runtime);
  Session session{room.config, options, room.runtime, type, source,
                  *room.room,  writer,  &state,       {},   state.stored};
  const auto done = run_snapshot(session, true);
  const auto written = writer.finish();
  return done.has_value() && written.has_value();
}

// "t0 17" -> how often it was written.
std::map<std::string, int> count_rows(const std::string& bytes) {
  std::map<std::string, int> seen;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    const std::string line = bytes.substr(at, end - at);
    at = end + 1;
    const std::size_t table = line.find(".t") + 1, id = line.rfind("{\"id\":") + 6;
    ++seen[line.substr(table, line.find(' ') - table) + " " + line.substr(id, line.find(',', id) - id)];
  }
  return seen;
}

void die_and_resume(const std::vector<int>& rows, unsigned threads, int units, unsigned seed,
                    bool ordered = true) {
  std::minstd_rand random(seed);
  MemoryState state;
  std::string bytes;
  int runs = 1;
  while (!run_once(rows, threads, units, ordered, static_cast<int>(random() % 16), state, bytes))
    REQUIRE(++runs < 2000);
  const auto seen = count_rows(bytes);
  std::size_t wanted = 0;
  std::string wrong;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    wanted += static_cast<std::size_t>(rows[t]);
    for (int id = 1; id <= rows[t]; ++id) {
      const std::string name = "t" + std::to_string(t) + " " + std::to_string(id);
      const auto found = seen.find(name);
      if (found == seen.end() || found->second != 1)
        wrong += name + ": " + std::to_string(found == seen.end() ? 0 : found->second) + " times; ";
    }
  }
  INFO("seed ", seed, ", ", threads, " workers, ", units, " units a table, ", runs, " runs");
  CHECK(wrong == "");
  CHECK(seen.size() == wanted);
  CHECK(!state.stored.snapshot);
}

}  // namespace

TEST_CASE("a snapshot that dies at any moment and resumes gives every row once (one worker)") {
  for (unsigned seed = 1; seed <= 40; ++seed) die_and_resume({40, 3, 0, 25}, 1, 1, seed);
  for (unsigned seed = 1; seed <= 40; ++seed) die_and_resume({40, 0, 30}, 1, 3, seed);
}

TEST_CASE("a snapshot that dies at any moment and resumes gives every row once (four workers)") {
  for (unsigned seed = 1; seed <= 60; ++seed) die_and_resume({60, 4, 0, 35}, 4, 4, seed);
  for (unsigned seed = 1; seed <= 60; ++seed) die_and_resume({1, 80, 1}, 4, 8, seed);
}

TEST_CASE("tables without a key are read from their start again, and nothing of them is there twice") {
  for (unsigned seed = 1; seed <= 30; ++seed) die_and_resume({20, 5, 0, 15}, 1, 1, seed, false);
  for (unsigned seed = 1; seed <= 30; ++seed) die_and_resume({20, 1, 15}, 4, 1, seed, false);
}
