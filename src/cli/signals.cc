// The signal handler. It may only do what is safe in one: an atomic load, a write to the stop token's
// descriptor, _exit.
#include "cli/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

namespace cdc::cli {
namespace {

// Service managers send SIGTERM and SIGHUP (or a whole group gets SIGINT twice) in one breath: that is
// one request. Only what comes later is impatience.
constexpr long kOneBreathMs = 200;

std::atomic<StopToken*> stop_token{nullptr};
std::atomic<long> first_ms{0};

long monotonic_ms() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000 + 1;
}

void on_signal(int number) {
  StopToken* stop = stop_token.load();
  const long now = monotonic_ms();
  long none = 0;
  if (first_ms.compare_exchange_strong(none, now)) {
    if (stop != nullptr) stop->request("signal");
  } else if (now - none > kOneBreathMs) {
    _exit(128 + number);
  }
}

}  // namespace

void stop_on_signals(StopToken& stop) {
  stop_token = &stop;
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

void stop_signals_end() { stop_token = nullptr; }

}  // namespace cdc::cli
