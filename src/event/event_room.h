// What all readers of a run share: options, compiled tables, destinations, the queue.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>

#include "cdc/runtime.h"
#include "event/batch.h"
#include "event/destinations.h"
#include "event/event.h"
#include "event/event_options.h"
#include "event/table_compiler.h"

namespace cdc {

struct EventRoom {
  EventRoom(const Config& c, EventOptions o, Destinations& d, BatchQueue& q, Runtime& r)
      : config(c), options(std::move(o)), destinations(d), queue(q), runtime(r) {}

  const Config& config;
  EventOptions options;
  Destinations& destinations;
  BatchQueue& queue;
  Runtime& runtime;
  std::unique_ptr<TableCompiler> tables;
  std::function<Result<std::unique_ptr<RecordFormat>>()> make_format;
  std::function<std::unique_ptr<RecordTransform>()> make_transform;  // empty or null result: no transforms
  std::function<Result<void>()> after_heartbeat;                     // heartbeat.action.query; may be empty
  std::uint64_t batch_events = 2048;                                 // max.batch.size
  std::size_t batch_bytes = 512u << 10;
  std::uint64_t max_events = 0;           // --max-events; 0: no bound
  std::atomic<std::uint64_t> emitted{0};  // lines so far, over all readers, where they are bounded
  std::string run_id;                     // CORE-HDR-03

  bool finished() const { return max_events != 0 && emitted.load(std::memory_order_relaxed) >= max_events; }
};

}  // namespace cdc
