// Observer: everything that watches a run from outside: progress, --stats, metrics file and endpoint,
// the service manager. It only reads counters and log events; the capture knows nothing of it.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cdc/runtime.h"
#include "observe/console.h"
#include "observe/log.h"
#include "observe/metrics.h"
#include "observe/metrics_server.h"
#include "observe/progress.h"
#include "observe/systemd.h"
#include "observe/ticker.h"

namespace cdc::observe {

struct ObserverOptions {
  bool progress = true;        // a status line, if stderr is a terminal
  bool snapshot_only = false;  // ready for the service manager as soon as rows are read
  std::optional<std::chrono::milliseconds> stats_every;  // --stats
  std::string metrics_file;                              // --metrics-file; empty: none
  std::string metrics_listen;                            // --metrics-listen; empty: none
  std::chrono::milliseconds metrics_file_every{5000};
  MetricsLabels labels;
};

class Observer {
 public:
  // Console, log and stats must outlive it. Listens to the log from here on.
  Observer(ObserverOptions options, Console& console, RunLog& log, const Stats& stats);
  ~Observer();  // finish()
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  // Opens the endpoint, writes the first metrics file, starts the threads.
  Result<void> start();
  // The last stats line and metrics file, the status line gone, threads ended. Safe to call twice.
  void finish();

  const RunFacts& facts() const { return facts_; }

 private:
  void note(std::string_view event);
  void show_progress();
  void print_stats();
  void write_file();
  void tell_service_manager();
  HttpPage page(std::string_view path) const;
  Sample sample() const;

  const ObserverOptions options_;
  Console& console_;
  RunLog& log_;
  const Stats& stats_;
  RunFacts facts_;
  Progress progress_;
  ServiceManager service_manager_;
  std::atomic<bool> ready_{false};
  bool finished_ = false;
  std::unique_ptr<MetricsServer> server_;
  Ticker ticker_;  // last: its jobs use everything above
};

}  // namespace cdc::observe
