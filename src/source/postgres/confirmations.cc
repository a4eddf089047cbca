// An atomic and an eventfd.
#include "source/postgres/confirmations.h"

#include <sys/eventfd.h>
#include <unistd.h>

namespace cdc::pg {

Confirmations::Confirmations() : fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

Confirmations::~Confirmations() {
  if (fd_ >= 0) close(fd_);
}

void Confirmations::raise(Lsn lsn) {
  Lsn before = durable_.load(std::memory_order_relaxed);
  while (before < lsn) {
    if (!durable_.compare_exchange_weak(before, lsn, std::memory_order_acq_rel)) continue;
    const std::uint64_t one = 1;
    // The counter cannot fill up, and a failed wake-up only delays the confirmation to the next status.
    [[maybe_unused]] const auto written = write(fd_, &one, sizeof one);
    return;
  }
}

void Confirmations::drain() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = read(fd_, &count, sizeof count);
}

}  // namespace cdc::pg
