// The incremental snapshot (CORE-INC): a queue of collections, read chunk by chunk on the stream's thread.
// A chunk's rows wait in a window between two watermarks of the log; events of the log win over them.
// Knows no database: reading and marking is the ChunkReader's.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cdc/chunks.h"
#include "cdc/runtime.h"
#include "event/event_options.h"
#include "event/stream_observer.h"
#include "signals/incremental_state.h"
#include "signals/signal.h"
#include "signals/window_buffer.h"

namespace cdc {

// Neither the signal's nor the table's fault: the stream ends with it.
bool ends_stream(const Error& error);

class IncrementalSnapshot {
 public:
  struct Options {
    std::uint64_t chunk_size = 1024;
    bool read_only = false;
    bool insert_delete = false;     // closes a window by deleting its open row
    std::string signal_collection;  // for the watermarks; empty: none
    FailureMode converting = FailureMode::warn;
  };
  IncrementalSnapshot(Options options, IncrementalState state, Runtime& runtime);

  // The source in use; after a reconnection the chunk under way is read again.
  void attach(ChunkReader* reader);
  bool running() const { return state_.running(); }
  // A read-only window may close without news from the log: ask again soon.
  bool wants_turns() const { return again_ || (waiting_ && options_.read_only); }
  // What the settings do not allow; empty: nothing.
  std::string obstacle() const;

  // Signals.
  Result<void> execute(const SnapshotOrder& order, const std::string& id, StreamOutput& out);
  Result<void> stop(const SnapshotOrder& order, StreamOutput& out);
  Result<void> pause(StreamOutput& out);
  Result<void> resume(StreamOutput& out);

  // The stream: a watermark row came by / an event is about to be written / a transaction or the log ended.
  Result<void> window_row(std::string_view id, bool opens, StreamOutput& out);
  Result<void> event(const RowChange& change, std::string_view key, StreamOutput& out);
  Result<void> moment(WindowMoment moment, StreamOutput& out);
  void append_offset(std::string& offset) const { state_.append_offset(offset); }

 private:
  struct StopOrder {
    std::vector<std::string> patterns;  // empty: everything
  };
  Result<void> read_chunk(StreamOutput& out);
  Result<bool> fill(StreamOutput& out);
  Result<bool> fill_opened(StreamOutput& out);
  void tell_chunk(std::uint64_t rows) const;  // for metrics
  void set_paused(bool paused);
  Result<void> read_rows();
  Result<void> choose_key();
  Result<void> warn_if_not_unique() const;
  Result<void> open_window();
  Result<void> close_window();
  Result<void> emit_window(StreamOutput& out);
  Result<void> close_and_go_on(StreamOutput& out);
  Result<void> collection_failed(const Error& error, StreamOutput& out);
  Result<void> finish_collection(std::string_view status, StreamOutput& out);
  Result<void> apply_stops(StreamOutput& out);
  Result<void> end_of_queue(StreamOutput& out);
  Result<void> notify(std::string_view type, StreamOutput& out,
                      std::vector<std::pair<std::string_view, std::string>> data = {}) const;
  std::string listed() const;
  void drop_surrogate(const RowChange& change);
  void watch_for_lost_watermark();

  Options options_;
  Runtime& runtime_;
  ChunkReader* reader_ = nullptr;
  IncrementalState state_;
  std::vector<StopOrder> stops_;
  bool paused_ = false;  // set_paused()
  bool again_ = false;   // a chunk is to be read at the next opportunity: start or reconnection

  // The chunk under way.
  std::string chunk_id_, opened_at_;
  bool marked_ = false;   // its low watermark was taken
  bool waiting_ = false;  // its rows are in the window, which has not closed yet
  bool open_ = false;     // the stream is past the low watermark
  bool told_ = false;     // the warning about a lost watermark was given
  std::chrono::steady_clock::time_point waiting_since_{};
  TableHandle table_;
  std::vector<std::size_t> key_;  // columns to order by
  std::optional<ChunkKey> end_;   // key of the chunk's last row
  std::uint64_t scanned_ = 0;     // rows of the collection
  WindowBuffer window_;
  std::string identity_;
};

}  // namespace cdc
