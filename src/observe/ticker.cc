// The loop of the ticker thread. All signals are blocked in it, so that they interrupt the threads
// that wait for them.
#include "observe/ticker.h"

#include <csignal>

#include <algorithm>

namespace cdc::observe {

using std::chrono::steady_clock;

void Ticker::every(std::chrono::milliseconds period, std::function<void()> job) {
  jobs_.push_back({std::max(period, std::chrono::milliseconds(1)), std::move(job), {}});
}

void Ticker::start() {
  if (jobs_.empty() || thread_.joinable()) return;
  const auto now = steady_clock::now();
  for (Job& job : jobs_) job.due = now + job.period;
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { loop(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void Ticker::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Ticker::loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto next = std::min_element(jobs_.begin(), jobs_.end(), [](const Job& a, const Job& b) {
                        return a.due < b.due;
                      })->due;
    if (wake_.wait_until(lock, next, [this] { return stopping_; })) return;
    lock.unlock();
    const auto now = steady_clock::now();
    for (Job& job : jobs_) {
      if (job.due > now) continue;
      job.run();
      // A machine that slept must not be paid back with a burst of calls.
      job.due = std::max(job.due + job.period, steady_clock::now());
    }
    lock.lock();
  }
}

}  // namespace cdc::observe
