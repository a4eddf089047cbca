// Batch: finished lines on their way from a reader to the writer, with what becomes true once they
// are durable. BatchQueue: the bounded queue between the two. Nothing here knows JSON.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cdc/buffer.h"
#include "cdc/error.h"
#include "cdc/position.h"
#include "cdc/runtime.h"

namespace cdc {

// Lines that follow each other and go to the same destination.
struct Run {
  std::uint32_t destination = 0;
  std::uint32_t lines = 0;
  std::size_t begin = 0, end = 0;  // bytes of the batch
};

// How far a unit of a resumable snapshot is, valid once the batch is durable.
struct UnitMark {
  enum class Kind : std::uint8_t {
    opened,    // rows without order follow: nothing may be stored until the unit is done
    progress,  // every row up to `key` was written
    done,
  };
  std::size_t unit = 0;  // index into SnapshotPlan::units
  Kind kind = Kind::done;
  std::vector<std::string> key;
};

struct Batch {
  Buffer bytes;
  std::vector<Run> runs;
  std::vector<UnitMark> marks;
  Checkpoint checkpoint;  // offset empty: the batch moves no position
  std::uint64_t events = 0;
  bool must_store = false;     // store the position with this batch, do not wait for more
  bool ends_snapshot = false;  // everything held back so far may be stored
  std::uint64_t number = 0;    // given by the queue

  void clear();
};

// Limits: a push waits while `max_events` or `max_bytes` are waiting (one batch is always let in).
class BatchQueue {
 public:
  struct Limits {
    std::uint64_t max_events = 8192;
    std::uint64_t max_bytes = 8u << 20;
  };
  BatchQueue(Limits limits, Runtime& runtime) : limits_(limits), runtime_(runtime) {
    runtime.stats.queue_capacity_bytes.store(limits.max_bytes, std::memory_order_relaxed);
  }

  // An empty batch, recycled where there is one.
  std::unique_ptr<Batch> acquire();
  void recycle(std::unique_ptr<Batch> batch);

  // Waits for room; `wait_hook` is called about once a second meanwhile. Error: the writer failed
  // (its error), or `cancelled` after close().
  Result<void> push(std::unique_ptr<Batch> batch, const std::function<void()>& wait_hook);
  // Up to `time`; null when nothing came. After close() what is left is still handed out.
  std::unique_ptr<Batch> pop(std::chrono::milliseconds time);

  void close();                   // no more pushes
  bool drained() const;           // closed and empty
  void fail(const Error& error);  // the writer cannot go on: pushes fail with this

  // Numbers of batches pushed / made durable with their position stored; equal: nothing in flight.
  std::uint64_t pushed() const { return pushed_.load(std::memory_order_acquire); }
  std::uint64_t durable() const { return durable_.load(std::memory_order_acquire); }
  void set_durable(std::uint64_t number) { durable_.store(number, std::memory_order_release); }

 private:
  Limits limits_;
  Runtime& runtime_;
  mutable std::mutex mutex_;
  std::condition_variable room_, work_;
  std::deque<std::unique_ptr<Batch>> waiting_;
  std::vector<std::unique_ptr<Batch>> spare_;
  std::uint64_t events_ = 0, bytes_ = 0;
  bool closed_ = false;
  std::unique_ptr<Error> error_;
  std::atomic<std::uint64_t> pushed_{0}, durable_{0};
};

}  // namespace cdc
