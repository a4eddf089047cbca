// Writing and committing.
#include "capture/writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "cdc/wall_clock.h"

namespace cdc {
namespace {
using Clock = std::chrono::steady_clock;
}

Writer::Writer(Options options, BatchQueue& queue, Sink& sink, StateStore* state, Destinations& destinations,
               Runtime& runtime)
    : options_(std::move(options)),
      queue_(queue),
      sink_(sink),
      state_(state),
      destinations_(destinations),
      runtime_(runtime),
      last_commit_(Clock::now()) {}

Writer::~Writer() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
}

void Writer::on_committed(std::function<void(const Checkpoint&)> callback) {
  committed_ = std::move(callback);
}
void Writer::on_progress(std::function<std::string(const SnapshotProgress&)> render) {
  render_progress_ = std::move(render);
}

void Writer::start() {
  thread_ = std::thread([this] { run(); });
}

void Writer::run() {
  Result<void> done = [&]() -> Result<void> {
    try {
      return loop();
    } catch (const std::exception& e) {
      return fail(ErrorKind::internal, std::string("the writer failed: ") + e.what());
    }
  }();
  if (done) return;
  error_ = done.error();
  queue_.fail(done.error());
  if (done.error().kind != ErrorKind::cancelled) runtime_.stop.request("output failed");
}

Result<void> Writer::loop() {
  while (true) {
    const auto since = Clock::now() - last_commit_;
    auto wait = std::chrono::milliseconds(1000);
    if (unsaved_)
      wait = std::chrono::duration_cast<std::chrono::milliseconds>(options_.interval - since) +
             std::chrono::milliseconds(1);
    auto batch = queue_.pop(std::clamp(wait, std::chrono::milliseconds(1), std::chrono::milliseconds(1000)));
    if (batch != nullptr) {
      CDC_CHECK(write(*batch));
      const bool now = due(*batch);
      queue_.recycle(std::move(batch));
      if (now) CDC_CHECK(commit(false));
    } else if (queue_.drained()) {
      return commit(true);
    } else if ((unsaved_ || sink_.is_files()) && Clock::now() - last_commit_ >= options_.interval) {
      // Also when nothing was written: files that rotate by time or date end while the stream is idle.
      CDC_CHECK(commit(false));
    }
  }
}

bool Writer::due(const Batch& batch) const {
  return batch.must_store || options_.every_batch || bytes_since_ >= options_.bytes ||
         Clock::now() - last_commit_ >= options_.interval;
}

Result<void> Writer::write(Batch& batch) {
  for (const Run& run : batch.runs)
    CDC_CHECK(
        sink_.write(destinations_.at(run.destination), batch.bytes.view(run.begin, run.end), run.lines));
  bytes_since_ += batch.bytes.size();
  last_batch_ = batch.number;
  unsaved_ = true;
  for (UnitMark& mark : batch.marks) {
    progress_moved_ = true;
    switch (mark.kind) {
      case UnitMark::Kind::opened:
        unsafe_.insert(mark.unit);
        break;
      case UnitMark::Kind::progress:
        progress_.keys[mark.unit] = std::move(mark.key);
        break;
      case UnitMark::Kind::done:
        unsafe_.erase(mark.unit);
        progress_.keys.erase(mark.unit);
        progress_.done.insert(mark.unit);
        break;
    }
  }
  if (!batch.checkpoint.offset.empty()) {
    newest_ = std::move(batch.checkpoint);
    has_newest_ = true;
  }
  if (batch.ends_snapshot) {
    held_ = false;
    unsafe_.clear();
    snapshot_ended_ = progress_moved_ = true;
  }
  return {};
}

Result<void> Writer::commit(bool closing) {
  if (held_ || !unsafe_.empty()) {
    // Nothing of an unfinished unit is stored: the next run cuts its rows off and reads them again.
    if (closing && !sink_.is_files()) return sink_.flush().map([](auto&&) {});
    last_commit_ = Clock::now();
    return {};
  }
  const auto began = Clock::now();
  // At an orderly end what a slow reader has still to take stays in the pipe for it.
  CDC_TRY(const bool taken, sink_.taken());
  if (!taken && !closing) {
    last_commit_ = Clock::now();
    return {};
  }
  const bool finish_files = closing && (snapshot_ended_ || !options_.keep_unfinished);
  CDC_TRY(auto files, finish_files ? sink_.close() : sink_.flush());
  if (!unsaved_ && !closing && files == stored_files_) {
    last_commit_ = Clock::now();
    return {};
  }
  stored_files_ = files;
  if (state_ != nullptr) {
    StateChange change;
    if (has_newest_) change.offset = newest_.offset;
    if (sink_.is_files()) change.files = std::move(files);
    if (progress_moved_ && snapshot_ended_)
      change.snapshot = "";
    else if (progress_moved_ && render_progress_)
      change.snapshot = render_progress_(progress_);
    CDC_CHECK(state_->commit(options_.state_key, change));
    if (change.offset)
      runtime_.stats.details.change(
          [&](RunDetails::Facts& facts) { facts.position = std::move(*change.offset); });
  }
  CDC_CHECK(sink_.committed());
  progress_moved_ = false;
  unsaved_ = false;
  bytes_since_ = 0;
  last_commit_ = Clock::now();
  if (last_commit_ - began > options_.slow)
    runtime_.log.warn(fmt::format(
        "storing output and position took {} ms (offset.flush.timeout.ms={}): the output or the disk is slow",
        std::chrono::duration_cast<std::chrono::milliseconds>(last_commit_ - began).count(),
        options_.slow.count()));
  queue_.set_durable(last_batch_);
  runtime_.stats.commits.fetch_add(1, std::memory_order_relaxed);
  runtime_.stats.last_commit_ms.store(wall_clock_ms(), std::memory_order_relaxed);
  if (has_newest_) {
    stored_offset_ = newest_.offset;
    if (committed_) committed_(newest_);
  }
  return {};
}

Result<void> Writer::finish() {
  queue_.close();
  if (thread_.joinable()) thread_.join();
  if (error_) return tl::unexpected<Error>(*error_);
  return {};
}

}  // namespace cdc
