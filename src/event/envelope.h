// The envelope of a data event (CORE-EVT-01) as pieces of text over the encoded rows, and the records
// that go with it: tombstones and key-change headers. One object a reader thread; nothing allocates
// per event.
#pragma once

#include <array>
#include <string_view>

#include "event/batch_writer.h"
#include "event/compiled_table.h"
#include "event/event.h"
#include "event/event_room.h"

namespace cdc {

class Envelope {
 public:
  explicit Envelope(EventRoom& room);

  struct Parts {
    const CompiledTable* table = nullptr;
    Op op = Op::read;
    const EncodedRow* before = nullptr;  // null or empty: prints null
    const EncodedRow* after = nullptr;
    std::string_view key;  // empty: null key
    std::string_view source;
    std::string_view transaction;     // "null" or the block
    std::string_view newkey, oldkey;  // key-change headers (CORE-DSP-05), empty: none
    const PositionWriter* position = nullptr;
    bool context_headers = true;
  };
  // Emits the record; a delete's tombstone is asked for separately, as the streaming path alone has them.
  Result<void> emit(const Parts& parts, BatchWriter& writer);
  Result<void> emit_tombstone(const Parts& parts, BatchWriter& writer);

  // The moment that the events to come carry as the time of their processing, nanoseconds since 1970. Without
  // it each event reads the clock itself.
  void set_clock(std::int64_t ns) { clock_ns_ = ns; }
  // Nanoseconds since 1970 of the event emitted last.
  std::int64_t built_ns() const { return ts_ns_; }

 private:
  void set_common(const Parts& parts);
  // The end of an envelope that belongs to no transaction block, from `transaction` on. It changes with the
  // clock and the operation only.
  void render_tail(Op op);

  EventRoom& room_;
  std::int64_t clock_ns_ = 0;  // 0: not set
  std::int64_t ts_ns_ = 0;
  Buffer tail_;
  Op tail_op_{};
  std::array<std::string_view, 9> pieces_{};
  std::array<EventHeader, 8> headers_{};
  std::size_t context_headers_ = 0;
  std::string varied_schema_;
  SchemaPtr varied_type_;
  std::array<std::string, 4> context_values_;
  EncodedRow no_row_;
  ChangeParts change_;
  Event event_;
};

std::int64_t now_ns();  // wall clock, nanoseconds since 1970

// The wall clock for rows that follow each other closely: read again when the kernel's tick (some
// milliseconds) has moved on, which costs a fraction of a reading.
class TickClock {
 public:
  std::int64_t now_ns();

 private:
  std::int64_t tick_ = 0, now_ = 0;
};

}  // namespace cdc
