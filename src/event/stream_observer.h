// Who looks over the shoulder of a stream: signals and incremental snapshots. A stream without them has
// no observer and pays one test of a pointer an event.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "cdc/change_sink.h"
#include "event/event.h"
#include "event/notification.h"

namespace cdc {

// What an observer may write, into the same batch as the stream's own events, at the place where it was
// called. What it wrote stays, whatever becomes of the event under way.
class StreamOutput {
 public:
  virtual ~StreamOutput() = default;
  // A row of op `r` with the marker `incremental`; `key` empty: a null key.
  virtual Result<void> write_read(const CompiledTable& table, const EncodedRow& row,
                                  std::string_view key) = 0;
  virtual Result<void> write_notification(const Notification& notification) = 0;
  // Hands over what was written so far, so that what others hand over comes after it.
  virtual Result<void> hand_over() = 0;
  virtual const std::function<void()>& wait_hook() const = 0;
  virtual ChangeSink& sink() = 0;
  virtual Checkpoint position() const = 0;  // after the last complete push
};

class StreamObserver {
 public:
  virtual ~StreamObserver() = default;
  // The next event is about to be looked at; the position is settled behind the one before.
  virtual Result<void> between(StreamOutput& out) = 0;
  // A row came, before anything is written of it (CORE-DSP-03, step 5).
  virtual Result<void> row(const RowChange& change, StreamOutput& out) = 0;
  // An event of this row is about to be written (step 9); the two halves of a key change come one by one.
  virtual Result<void> event(const RowChange& change, std::string_view key, StreamOutput& out) = 0;
  // A transaction of the log ended.
  virtual Result<void> commit(StreamOutput& out) = 0;
  virtual Result<std::chrono::milliseconds> idle(StreamOutput& out) = 0;
  // Members of the offset, each with a comma in front.
  virtual void append_offset(std::string& offset) const = 0;
};

}  // namespace cdc
