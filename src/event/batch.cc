// The queue between readers and writer.
#include "event/batch.h"

namespace cdc {
namespace {
constexpr std::size_t kSpareBatches = 4;
constexpr std::size_t kKeptCapacity = 2u << 20;  // a batch that held one huge value gives its memory back
}  // namespace

void Batch::clear() {
  bytes.clear();
  bytes.shrink_above(kKeptCapacity);
  runs.clear();
  marks.clear();
  checkpoint = {};
  events = 0;
  must_store = ends_snapshot = false;
  number = 0;
}

std::unique_ptr<Batch> BatchQueue::acquire() {
  std::lock_guard lock(mutex_);
  if (spare_.empty()) return std::make_unique<Batch>();
  auto batch = std::move(spare_.back());
  spare_.pop_back();
  return batch;
}

void BatchQueue::recycle(std::unique_ptr<Batch> batch) {
  batch->clear();
  std::lock_guard lock(mutex_);
  if (spare_.size() < kSpareBatches) spare_.push_back(std::move(batch));
}

Result<void> BatchQueue::push(std::unique_ptr<Batch> batch, const std::function<void()>& wait_hook) {
  std::unique_lock lock(mutex_);
  const auto has_room = [&] {
    return error_ != nullptr || closed_ || waiting_.empty() ||
           (events_ + batch->events <= limits_.max_events &&
            bytes_ + batch->bytes.size() <= limits_.max_bytes);
  };
  while (!room_.wait_for(lock, std::chrono::seconds(1), has_room)) {
    if (!wait_hook) continue;
    lock.unlock();
    wait_hook();
    lock.lock();
  }
  if (error_ != nullptr) return tl::unexpected<Error>(*error_);
  if (closed_) return cdc::fail(ErrorKind::cancelled, "the output was closed");
  events_ += batch->events;
  bytes_ += batch->bytes.size();
  batch->number = pushed_.load(std::memory_order_relaxed) + 1;
  pushed_.store(batch->number, std::memory_order_release);
  waiting_.push_back(std::move(batch));
  runtime_.stats.queue_events.store(events_, std::memory_order_relaxed);
  runtime_.stats.queue_bytes.store(bytes_, std::memory_order_relaxed);
  lock.unlock();
  work_.notify_one();
  return {};
}

std::unique_ptr<Batch> BatchQueue::pop(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  work_.wait_for(lock, time, [&] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return nullptr;
  auto batch = std::move(waiting_.front());
  waiting_.pop_front();
  events_ -= batch->events;
  bytes_ -= batch->bytes.size();
  runtime_.stats.queue_events.store(events_, std::memory_order_relaxed);
  runtime_.stats.queue_bytes.store(bytes_, std::memory_order_relaxed);
  lock.unlock();
  room_.notify_all();
  return batch;
}

void BatchQueue::close() {
  {
    std::lock_guard lock(mutex_);
    closed_ = true;
  }
  room_.notify_all();
  work_.notify_all();
}

bool BatchQueue::drained() const {
  std::lock_guard lock(mutex_);
  return closed_ && waiting_.empty();
}

void BatchQueue::fail(const Error& error) {
  {
    std::lock_guard lock(mutex_);
    if (error_ == nullptr) error_ = std::make_unique<Error>(error);
  }
  room_.notify_all();
}

}  // namespace cdc
