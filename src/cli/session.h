// Session: what a command that captures has around it: console, log, counters, stop request, and the
// observer, all set up from the configuration.
#pragma once

#include <memory>
#include <vector>

#include "cdc/config.h"
#include "cdc/runtime.h"
#include "cli/command.h"
#include "observe/console.h"
#include "observe/log.h"
#include "observe/observer.h"

namespace cdc::cli {

class Session {
 public:
  // Reads the configuration; warnings about it go to the log.
  static Result<std::unique_ptr<Session>> open(const Invocation& invocation, bool snapshot_only);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const Config& config() const { return config_; }
  Runtime& runtime() { return runtime_; }
  observe::Console& console() { return console_; }
  observe::RunLog& log() { return *log_; }
  // Notices about the configuration, signals, progress, metrics. The run's last lines come with finish().
  Result<void> start();
  void finish();

 private:
  Session(Config config, bool snapshot_only);
  Config config_;
  std::vector<ConfigProblem> notices_;
  observe::Console console_;
  std::unique_ptr<observe::RunLog> log_;
  StopToken stop_;
  Stats stats_;
  Runtime runtime_;
  observe::Observer observer_;
};

}  // namespace cdc::cli
