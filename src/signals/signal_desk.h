// Where signals arrive and are carried out: rows of the signal table as the stream brings them (CORE-SIG-03),
// lines of the signal file (CORE-SIG-05). Hands snapshots on: incremental ones to IncrementalSnapshot,
// blocking ones to whoever can pause the stream.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cdc/snapshot.h"
#include "event/event_room.h"
#include "event/stream_observer.h"
#include "signals/incremental.h"
#include "signals/signal.h"

namespace cdc {

class SignalDesk final : public StreamObserver {
 public:
  // Null when the configuration has no channel and the stored offset no unfinished incremental snapshot.
  static std::unique_ptr<SignalDesk> make(EventRoom& room, std::string_view offset);

  void attach(ChunkReader* reader);
  // Reads the tables while the stream waits. Called at a place between events.
  using BlockingSnapshot =
      std::function<Result<void>(const std::vector<OnDemandTable>& tables, StreamOutput& out)>;
  void on_blocking(BlockingSnapshot run) { run_blocking_ = std::move(run); }

  Result<void> between(StreamOutput& out) override {
    return waiting_.empty() ? Result<void>{} : run_waiting(out);
  }
  Result<void> row(const RowChange& change, StreamOutput& out) override;
  Result<void> event(const RowChange& change, std::string_view key, StreamOutput& out) override {
    return incremental_.event(change, key, out);
  }
  Result<void> commit(StreamOutput& out) override;
  Result<std::chrono::milliseconds> idle(StreamOutput& out) override;
  void append_offset(std::string& offset) const override { incremental_.append_offset(offset); }

 private:
  SignalDesk(EventRoom& room, IncrementalState state);

  Result<void> poll(StreamOutput& out);
  Result<void> carry_out_lines(StreamOutput& out);
  void refuse(const std::string& message, Level level = Level::warn);
  Result<void> carry_out(const Signal& signal, StreamOutput& out);
  Result<void> act(SignalType type, const Signal& signal, StreamOutput& out);
  Result<void> snapshot_signal(SignalType type, const Signal& signal, StreamOutput& out);
  Result<void> order_blocking(const SnapshotOrder& order);
  Result<void> run_waiting(StreamOutput& out);
  bool is_signal_table(const CompiledTable& table);

  EventRoom& room_;
  bool source_channel_ = false, file_channel_ = false, deletes_close_ = false;
  std::string file_;
  std::chrono::milliseconds interval_;
  std::chrono::steady_clock::time_point next_poll_;
  std::string taken_;  // lines of the file that are not carried out yet: they are not in the file any more
  IncrementalSnapshot incremental_;
  ChunkReader* reader_ = nullptr;
  BlockingSnapshot run_blocking_;
  std::vector<std::vector<OnDemandTable>> waiting_;  // blocking snapshots in the order asked for
  const CompiledTable* last_table_ = nullptr;        // asked about last, and the answer
  std::string last_collection_;
  bool last_is_signal_ = false;
};

}  // namespace cdc
