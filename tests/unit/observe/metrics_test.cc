// The --stats line and the Prometheus text under Debezium's names, and the metrics file.
#include "observe/metrics.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "json/json_read.h"

using namespace cdc;
using namespace cdc::observe;

namespace {

MetricsLabels farm() {
  MetricsLabels labels;
  labels.connector = "postgresql";
  labels.server = "farm";
  labels.version = "1.2.3";
  labels.queue_capacity_events = 8192;
  return labels;
}

std::string metric(const std::string& line, std::string_view name) {
  const auto outer = json::members(std::string_view(line).substr(0, line.size() - 1));
  REQUIRE(outer.has_value());
  for (const auto& [key, value] : *outer) {
    if (key != "metrics") continue;
    const auto inner = json::members(value);
    REQUIRE(inner.has_value());
    for (const auto& [attribute, text] : *inner)
      if (attribute == name) return std::string(text);
  }
  return "(absent)";
}

}  // namespace

TEST_CASE("stats line while streaming (CORE-MET-02, CORE-MET-04, CORE-MET-06)") {
  Stats stats;
  RunFacts facts;
  facts.phase = Phase::streaming;
  stats.events = 10, stats.reads = 4, stats.creates = 3, stats.updates = 2, stats.deletes = 1;
  stats.last_event_ms = 5000, stats.last_source_ms = 4800;
  stats.queue_events = 92, stats.unchanged = 5, stats.transactions = 2;
  const MetricsLabels labels = farm();
  const std::string line = stats_line({stats, facts, labels, 6000});
  CHECK(line.starts_with(
      R"({"ts_ms":6000,"context":"streaming","connector":"postgresql","server":"farm","metrics":{"MilliSecondsSinceLastEvent":1000,)"));
  CHECK(line.ends_with("}}\n"));
  CHECK(metric(line, "TotalNumberOfEventsSeen") == "6");
  CHECK(metric(line, "TotalNumberOfCreateEventsSeen") == "3");
  CHECK(metric(line, "QueueRemainingCapacity") == "8100");
  CHECK(metric(line, "MilliSecondsBehindSource") == "200");
  CHECK(metric(line, "NumberOfCommittedTransactions") == "2");
  CHECK(metric(line, "NumberOfUnchangedEventsSkipped") == "-1");
  CHECK(metric(line, "Connected") == "true");
  CHECK(metric(line, "RowsScanned") == "(absent)");
  CHECK(metric(line, "MilliSecondsSinceLastCommit") == "-1");
}

TEST_CASE("stats line while a snapshot runs (CORE-MET-03)") {
  Stats stats;
  RunFacts facts;
  facts.phase = Phase::snapshot;
  facts.snapshot_started_ms = 1000;
  stats.snapshot_running = true;
  stats.events = 7, stats.reads = 7, stats.tables_total = 3, stats.tables_done = 1;
  stats.details.change([](RunDetails::Facts& shown) {
    shown.rows = {{"public.a", 5}, {"public.b", 2}};
    shown.chunks = {{"public.a", 4}};
  });
  const MetricsLabels labels = farm();
  const std::string line = stats_line({stats, facts, labels, 64'000});
  CHECK(line.find(R"("context":"snapshot")") != std::string::npos);
  CHECK(metric(line, "TotalNumberOfEventsSeen") == "7");
  CHECK(metric(line, "RemainingTableCount") == "2");
  CHECK(metric(line, "SnapshotRunning") == "true");
  CHECK(metric(line, "SnapshotCompleted") == "false");
  CHECK(metric(line, "SnapshotDurationInSeconds") == "63");
  CHECK(metric(line, "RowsScanned") == R"({"public.a":5,"public.b":2})");
  CHECK(metric(line, "TableChunkCounts") == R"({"public.a":4})");
  CHECK(metric(line, "SnapshotAborted") == "false");
  CHECK(metric(line, "MilliSecondsBehindSource") == "(absent)");
}

TEST_CASE("the lag over the run: CORE-MET-04, statistics.metrics.enabled") {
  Stats stats;
  RunFacts facts;
  const MetricsLabels labels = farm();
  const auto shown = [&](std::string_view name) {
    return metric(stats_line({stats, facts, labels, 6000}), "MilliSecondsBehindSource" + std::string(name));
  };
  stats.lag.add(5);  // not switched on
  CHECK(shown("P50") == "-1");
  stats.lag.enable(true);
  for (std::int64_t ms = 1; ms <= 10'000; ++ms) stats.lag.add(ms);
  CHECK(shown("MinValue") == "1");
  CHECK(shown("MaxValue") == "10000");
  CHECK(shown("AverageValue") == "5001");
  const auto near = [&](std::string_view name, double exact) {
    return std::stod(shown(name)) >= 0.99 * exact && std::stod(shown(name)) <= 1.01 * exact;
  };
  CHECK(near("P50", 5000));
  CHECK(near("P95", 9500));
  CHECK(near("P99", 9900));
}

TEST_CASE("a clock that is ahead, and one lag many times") {
  LagMeter meter;
  meter.enable(true);
  CHECK_FALSE(meter.summary());
  for (int i = 0; i < 98; ++i) meter.add(-1000);
  meter.add(0);
  meter.add(7);
  const auto lag = meter.summary();
  REQUIRE(lag);
  CHECK(lag->least == -1000);
  CHECK(lag->most == 7);
  CHECK(lag->average == -980);
  CHECK(lag->p50 == -1000);
  CHECK(lag->p99 == 0);
  meter.add(7);
  CHECK(meter.summary()->p99 == 7);
}

TEST_CASE("position, chunk and the source's own (CORE-MET-03, CORE-MET-04)") {
  Stats stats;
  RunFacts facts;
  const MetricsLabels labels = farm();
  stats.details.change([](RunDetails::Facts& shown) {
    shown.position = R"({"lsn":7,"txId":801})";
    shown.chunk_id = "ab";
    shown.chunk_to = "[1]";
    shown.paused = true;
    shown.paused_since_ms = 4000;
    shown.source = {{"SlotLagInBytes", 512}};
    shown.rows = {{"public.a", 5}};
  });
  const std::string line = stats_line({stats, facts, labels, 6000});
  CHECK(metric(line, "LastTransactionId") == R"("801")");
  CHECK(metric(line, "SourceEventPosition") == R"({"lsn":7,"txId":801})");
  CHECK(metric(line, "ChunkId") == R"("ab")");
  CHECK(metric(line, "ChunkFrom") == "(absent)");
  CHECK(metric(line, "SnapshotPaused") == "true");
  CHECK(metric(line, "SnapshotPausedDurationInSeconds") == "2");
  CHECK(metric(line, "SlotLagInBytes") == "512");
  const std::string text = prometheus_text({stats, facts, labels, 6000});
  CHECK(text.find(R"(cdc_slot_lag_in_bytes{plugin="postgresql",name="farm"} 512)") != std::string::npos);
  CHECK(text.find(R"(context="snapshot",table="public.a"} 5)") != std::string::npos);
  stats.details.begin_snapshot();
  CHECK(stats.details.now().rows.empty());
  CHECK(stats.details.now().source.size() == 1);
}

TEST_CASE("unknown times are -1 (CORE-MET-02, CORE-MET-04)") {
  const Stats stats;
  const RunFacts facts;
  const MetricsLabels labels = farm();
  const std::string line = stats_line({stats, facts, labels, 6000});
  CHECK(metric(line, "MilliSecondsSinceLastEvent") == "-1");
  CHECK(metric(line, "MilliSecondsBehindSource") == "-1");
}

TEST_CASE("Prometheus text: names, labels, escapes, own counters (CORE-MET-01, CORE-MET-06)") {
  Stats stats;
  RunFacts facts;
  stats.events = 9, stats.reads = 4, stats.bytes_written = 1234;
  MetricsLabels labels = farm();
  labels.server = "fa\"rm\\\n";
  labels.tags = {{"data centre", "north"}, {"9th", "x"}};
  const std::string text = prometheus_text({stats, facts, labels, 6000});
  const std::string common = R"(plugin="postgresql",name="fa\"rm\\\n")";
  const std::string tags = R"(,data_centre="north",_9th="x"})";
  CHECK(text.find("debezium_metrics_TotalNumberOfEventsSeen{" + common + R"(,context="snapshot")" + tags +
                  " 4\n") != std::string::npos);
  CHECK(text.find("debezium_metrics_TotalNumberOfEventsSeen{" + common + R"(,context="streaming")" + tags +
                  " 5\n") != std::string::npos);
  CHECK(text.find("# TYPE cdc_bytes_written_total counter\ncdc_bytes_written_total{" + common + tags +
                  " 1234\n") != std::string::npos);
  CHECK(text.find("cdc_build_info{version=\"1.2.3\"} 1\n") != std::string::npos);
  CHECK(text.ends_with('\n'));
  // Every line is a comment or a sample: a name, labels in braces, a number.
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    const std::string line = text.substr(at, end - at);
    if (line.starts_with('#')) continue;
    const std::size_t brace = line.rfind("} ");
    REQUIRE(brace != std::string::npos);
    CHECK(line.substr(brace + 2).find_first_not_of("-0123456789") == std::string::npos);
  }
}

TEST_CASE("metrics file is written whole and replaced; a bad path is explained") {
  std::string folder = (std::filesystem::temp_directory_path() / "cdc-metrics-XXXXXX").string();
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/cdc.prom";
  REQUIRE(write_metrics_file(path, "a 1\n").has_value());
  REQUIRE(write_metrics_file(path, "b 2\n").has_value());
  std::ifstream in(path);
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}) == "b 2\n");
  const std::string link = folder + "/link.prom";
  REQUIRE(::symlink("cdc.prom", link.c_str()) == 0);
  REQUIRE(write_metrics_file(link, "c 3\n").has_value());
  CHECK(std::filesystem::is_symlink(link));
  CHECK(std::string(std::istreambuf_iterator<char>(std::ifstream(path).rdbuf()), {}) == "c 3\n");
  ::unlink(link.c_str());
  const auto bad = write_metrics_file(folder + "/none/cdc.prom", "a 1\n");
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().kind == ErrorKind::usage);
  CHECK(bad.error().message.find("/none/cdc.prom") != std::string::npos);
  ::unlink(path.c_str());
  // What is no file stays what it is.
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const auto refused = write_metrics_file(path, "d 4\n");
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message == "cannot write metrics file " + path + ": it is no regular file");
  CHECK(std::filesystem::is_fifo(path));
  ::unlink(path.c_str());
  CHECK(::rmdir(folder.c_str()) == 0);  // no temporary file stayed behind
}
