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
  stats.events = 7, stats.reads = 7, stats.rows_scanned = 7, stats.tables_total = 3, stats.tables_done = 1;
  const MetricsLabels labels = farm();
  const std::string line = stats_line({stats, facts, labels, 64'000});
  CHECK(line.find(R"("context":"snapshot")") != std::string::npos);
  CHECK(metric(line, "TotalNumberOfEventsSeen") == "7");
  CHECK(metric(line, "RemainingTableCount") == "2");
  CHECK(metric(line, "SnapshotRunning") == "true");
  CHECK(metric(line, "SnapshotCompleted") == "false");
  CHECK(metric(line, "SnapshotDurationInSeconds") == "63");
  CHECK(metric(line, "RowsScanned") == "7");
  CHECK(metric(line, "MilliSecondsBehindSource") == "(absent)");
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
  const auto bad = write_metrics_file(folder + "/none/cdc.prom", "a 1\n");
  REQUIRE_FALSE(bad.has_value());
  CHECK(bad.error().kind == ErrorKind::usage);
  CHECK(bad.error().message.find("/none/cdc.prom") != std::string::npos);
  ::unlink(path.c_str());
  CHECK(::rmdir(folder.c_str()) == 0);  // no temporary file stayed behind
}
