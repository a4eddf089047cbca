// Metrics: the counters of a run under Debezium's attribute names (CORE-MET-02..04), as a `--stats`
// line or as Prometheus text. Pure functions of a sample; who prints them when is not decided here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cdc/runtime.h"
#include "observe/run_facts.h"

namespace cdc::observe {

// What stays the same over a run and stands in every line.
struct MetricsLabels {
  std::string connector;                                  // "postgresql"
  std::string server;                                     // topic.prefix
  std::string version;                                    // of cdc
  std::vector<std::pair<std::string, std::string>> tags;  // custom.metric.tags
  std::int64_t queue_capacity_events = 0;                 // max.queue.size
  bool skips_unchanged = false;                           // skip.messages.without.change
};

// The run as it is at one moment.
struct Sample {
  const Stats& stats;
  const RunFacts& facts;
  const MetricsLabels& labels;
  std::int64_t now_ms = 0;  // wall clock
};

// One JSON object with a final newline, in the form of CORE-MET-06.
std::string stats_line(const Sample& sample);

// The Prometheus text format, version 0.0.4: debezium_metrics_* for both contexts, cdc_* of our own.
std::string prometheus_text(const Sample& sample);

// Writes the text under a temporary name beside `path` and renames it, so that a collector never sees half.
Result<void> write_metrics_file(const std::string& path, const std::string& text);

}  // namespace cdc::observe
