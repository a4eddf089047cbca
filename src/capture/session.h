// What the phases of one run share: the source of the moment, the writer, the state. Made by the
// engine, used by snapshot_run and stream_run.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "capture/writer.h"
#include "cdc/capture.h"
#include "cdc/source.h"
#include "cdc/state.h"
#include "event/event_room.h"
#include "text/regex.h"

namespace cdc {

// The source in use. Reconnecting replaces it, while the writer's thread may be acknowledging.
class SourceHolder {
 public:
  explicit SourceHolder(std::unique_ptr<Source> source) : source_(std::move(source)) {}
  Source& operator*() const { return *source_; }
  Source* operator->() const { return source_.get(); }
  void replace(std::unique_ptr<Source> source);
  void acknowledge(const Checkpoint& checkpoint);

 private:
  std::mutex mutex_;
  std::unique_ptr<Source> source_;
};

struct Session {
  const Config& config;
  const CaptureOptions& options;
  Runtime& runtime;
  const SourceType& type;
  SourceHolder& source;
  EventRoom& room;
  Writer& writer;
  StateStore* state = nullptr;
  StateKey state_key;
  StoredState stored;
};

// Which failures are tried again, and the wait before the next try: exponential from
// errors.retry.delay.initial.ms to .max.ms with jitter.
class Retry {
 public:
  static Result<Retry> make(const Config& config);
  // What passes by itself, and what internal.custom.retriable.exception says does.
  bool worth(const Error& error) const;
  // False when errors.max.retries is used up.
  bool more() const { return limit_ < 0 || tries_ < limit_; }
  // Sleeps; true when stop was requested meanwhile.
  bool wait(const StopToken& stop);
  void reset() { tries_ = 0; }
  std::int64_t tries() const { return tries_; }

 private:
  explicit Retry(const Config& config);

  std::int64_t limit_;
  std::chrono::milliseconds first_, most_;
  std::optional<text::Regex> also_;  // found in the message of an error
  std::int64_t tries_ = 0;
};

}  // namespace cdc
