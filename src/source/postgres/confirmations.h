// Confirmations: the way back from the writer's thread to the stream's: the highest WAL position whose
// events are durable. `fd()` becomes readable when it rises, so that the stream tells the server soon.
#pragma once

#include <atomic>
#include <cstdint>

#include "source/postgres/control/lsn.h"

namespace cdc::pg {

class Confirmations {
 public:
  Confirmations();
  ~Confirmations();
  Confirmations(const Confirmations&) = delete;
  Confirmations& operator=(const Confirmations&) = delete;

  void raise(Lsn lsn);  // any thread; never moves backwards, 0 does nothing
  Lsn durable() const { return durable_.load(std::memory_order_acquire); }
  int fd() const { return fd_; }
  void drain();  // makes fd() unreadable again

 private:
  std::atomic<Lsn> durable_{0};
  int fd_ = -1;
};

}  // namespace cdc::pg
