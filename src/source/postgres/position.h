// StreamPosition: where the stream stands after the last complete push, as the offset to store and the
// LSN that may be confirmed with it (PG-OFF-02, PG-FLUSH-05). Moved by the stream, read by the sink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/change_sink.h"
#include "cdc/position.h"
#include "source/postgres/offset.h"

namespace cdc::pg {

// What one message does to the position. Staged before the push, settled when it succeeded.
struct PositionMove {
  enum class Kind : std::uint8_t { none, begin, row, truncate_part, commit, message_outside };
  Kind kind = Kind::none;
  std::string_view type;     // row: INSERT, UPDATE, ... (static text)
  Lsn lsn = 0;               // of the message; 0 where it has none
  Lsn final_lsn = 0;         // begin
  std::uint32_t xid = 0;     // begin
  std::int64_t time_us = 0;  // begin, commit, message_outside
  bool complete = true;      // row: nothing else of the message shares its LSN (PG-OFF-02)
  std::uint64_t part = 0;    // truncate_part: tables done
};

class StreamPosition final : public PositionWriter {
 public:
  StreamPosition() = default;
  // Goes on from a stored offset or a snapshot's; snapshot members are left behind with the first move.
  // `timeline`: see ServerFacts::lasting_timeline().
  StreamPosition(Offset start, Lsn start_lsn, std::string system_id,
                 std::optional<std::uint64_t> timeline = {});

  void stage(const PositionMove& move) { staged_ = move; }
  void settle() { apply(offset_, staged_), staged_.kind = PositionMove::Kind::none; }
  void move(const PositionMove& move) { apply(offset_, move); }  // both at once, where nothing is pushed
  // The server stands at `lsn` and nothing before it is in flight.
  void keepalive(Lsn lsn);
  void set_xmin(std::optional<std::uint64_t> xmin) { offset_.xmin = xmin; }

  bool inside_transaction() const { return offset_.tx_final_lsn.has_value(); }
  const Offset& offset() const { return offset_; }
  // The server would send the last transaction once more (to whoever has no offset), as after Debezium, which
  // confirms the end of a transaction only when something follows it: keepalive() does that here.
  Lsn confirmable() const { return confirmable(offset_); }
  // Everything before was received and pushed.
  Lsn reached() const;
  Checkpoint checkpoint() const override { return render(offset_); }
  Checkpoint checkpoint_of_current() const override;

 private:
  void sign(Offset& offset) const;  // as one of this server
  void apply(Offset& offset, const PositionMove& move) const;
  static Lsn confirmable(const Offset& offset);
  static Checkpoint render(const Offset& offset);
  Offset offset_;
  std::string system_id_;
  std::optional<std::uint64_t> timeline_;
  PositionMove staged_;
};

}  // namespace cdc::pg
