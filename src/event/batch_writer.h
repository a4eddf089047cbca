// The last step of a reader thread: events through the transforms and the format into the current
// batch, and the batch into the queue. One object a thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "event/batch.h"
#include "event/event_room.h"
#include "event/tally.h"

namespace cdc {

class BatchWriter {
 public:
  explicit BatchWriter(EventRoom& room);

  Result<void> emit(const Event& event);

  // A push is all or nothing: rollback() takes back the lines since mark().
  void mark();
  void rollback();

  bool full() const;
  bool empty() const { return batch_->bytes.empty() && batch_->marks.empty(); }
  // No line, but the sink hears of the destination.
  void mention(std::uint32_t destination) {
    batch_->runs.push_back({destination, 0, batch_->bytes.size(), batch_->bytes.size()});
  }
  void add_mark(UnitMark mark) { batch_->marks.push_back(std::move(mark)); }
  Tally& tally() { return tally_; }
  // Hands the batch over with the position that it makes true.
  Result<void> seal(Checkpoint checkpoint, bool must_store, bool ends_snapshot = false);
  void set_wait_hook(std::function<void()> hook) { wait_hook_ = std::move(hook); }
  const std::function<void()>& wait_hook() const { return wait_hook_; }

 private:
  Result<void> append_lines(const Event& event);

  EventRoom& room_;
  std::unique_ptr<RecordFormat> format_;
  std::unique_ptr<RecordTransform> transform_;  // null: none configured
  std::unique_ptr<Batch> batch_;
  std::function<void()> wait_hook_;
  Tally tally_;
  struct {
    std::size_t bytes = 0, runs = 0, marks = 0;
    std::uint64_t events = 0;
    Run last_run;
  } mark_;
};

}  // namespace cdc
