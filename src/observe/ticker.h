// Ticker: one thread that calls small jobs again and again, each at its own pace. For things that
// look at counters and print; a job must be quick and must not throw.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cdc::observe {

class Ticker {
 public:
  Ticker() = default;
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;
  ~Ticker() { stop(); }

  // Before start() only. The first call comes one period after the start.
  void every(std::chrono::milliseconds period, std::function<void()> job);
  // Starts the thread, unless there is nothing to do.
  void start();
  // Returns when no job runs any more. Safe to call twice.
  void stop();

 private:
  struct Job {
    std::chrono::milliseconds period;
    std::function<void()> run;
    std::chrono::steady_clock::time_point due;
  };
  void loop();
  std::vector<Job> jobs_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace cdc::observe
