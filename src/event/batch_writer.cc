// Filling batches.
#include "event/batch_writer.h"

namespace cdc {

BatchWriter::BatchWriter(EventRoom& room)
    : room_(room), batch_(room.queue.acquire()), tally_(room.runtime.stats) {
  if (auto format = room.make_format()) format_ = std::move(*format);  // checked when the room was made
  if (room.make_transform) transform_ = room.make_transform();
}

Result<void> BatchWriter::emit(const Event& event) {
  if (transform_ == nullptr) return append_lines(event);
  return transform_->apply(event, [this](const Event& out) { return append_lines(out); });
}

Result<void> BatchWriter::append_lines(const Event& event) {
  Buffer& out = batch_->bytes;
  const std::size_t begin = out.size();
  CDC_TRY(const unsigned lines, format_->append(out, event));
  if (lines == 0) return {};
  batch_->events += lines;
  if (room_.max_events != 0) room_.emitted.fetch_add(lines, std::memory_order_relaxed);
  if (!batch_->runs.empty() && batch_->runs.back().destination == event.destination) {
    batch_->runs.back().end = out.size();
    batch_->runs.back().lines += lines;
  } else {
    batch_->runs.push_back({event.destination, lines, begin, out.size()});
  }
  return {};
}

void BatchWriter::mark() {
  mark_.bytes = batch_->bytes.size();
  mark_.runs = batch_->runs.size();
  mark_.marks = batch_->marks.size();
  mark_.events = batch_->events;
  if (!batch_->runs.empty()) mark_.last_run = batch_->runs.back();
}

void BatchWriter::rollback() {
  if (room_.max_events != 0)
    room_.emitted.fetch_sub(batch_->events - mark_.events, std::memory_order_relaxed);
  batch_->bytes.truncate(mark_.bytes);
  batch_->runs.resize(mark_.runs);
  if (mark_.runs > 0) batch_->runs.back() = mark_.last_run;
  batch_->marks.resize(mark_.marks);
  batch_->events = mark_.events;
}

bool BatchWriter::full() const {
  return batch_->bytes.size() >= room_.batch_bytes || batch_->events >= room_.batch_events;
}

Result<void> BatchWriter::seal(Checkpoint checkpoint, bool must_store, bool ends_snapshot) {
  batch_->checkpoint = std::move(checkpoint);
  batch_->must_store = must_store;
  batch_->ends_snapshot = ends_snapshot;
  tally_.publish();
  auto full_batch = std::move(batch_);
  batch_ = room_.queue.acquire();
  return room_.queue.push(std::move(full_batch), wait_hook_);
}

}  // namespace cdc
