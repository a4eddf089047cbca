// The writer thread: batches from the queue into the sink, and the one place where anything is stored:
// sink flush -> state transaction -> source.acknowledge (in this order, never otherwise).
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "cdc/sink.h"
#include "cdc/state.h"
#include "event/batch.h"
#include "event/destinations.h"

namespace cdc {

// Where the units of a resumable snapshot stand: index -> last stored key; done units.
struct SnapshotProgress {
  std::map<std::size_t, std::vector<std::string>> keys;
  std::set<std::size_t> done;
};

class Writer {
 public:
  struct Options {
    StateKey state_key;
    std::chrono::milliseconds interval{1000};  // offset.flush.interval.ms
    std::uint64_t bytes = 64u << 20;           // whichever is first
    std::chrono::milliseconds slow{5000};      // a commit that takes longer is told about
    bool every_batch = false;                  // offset.commit.policy=always, interval 0
    bool keep_unfinished = false;  // files of a snapshot that does not come to its end wait for the next run
  };
  // `state` may be null (--state none). All references outlive the writer.
  Writer(Options options, BatchQueue& queue, Sink& sink, StateStore* state, Destinations& destinations,
         Runtime& runtime);
  ~Writer();

  // Called after each commit, on the writer's thread.
  void on_committed(std::function<void(const Checkpoint&)> callback);
  // Renders the progress of a resumable snapshot for the state.
  void on_progress(std::function<std::string(const SnapshotProgress&)> render);
  // While held, lines are written but nothing is stored, so that a crash takes all of them back
  // (initial snapshots that start over). A batch with ends_snapshot lifts it.
  void hold(bool on) { held_ = on; }
  // What resuming goes on from.
  void start_from(SnapshotProgress progress) { progress_ = std::move(progress); }

  void start();
  // Drains the queue (close it first), stores, closes the sink. The first error of the writer, if any.
  Result<void> finish();
  const std::string& stored_offset() const { return stored_offset_; }  // after finish()

 private:
  void run();
  Result<void> loop();
  Result<void> write(Batch& batch);
  Result<void> commit(bool closing);
  bool due(const Batch& batch) const;

  Options options_;
  BatchQueue& queue_;
  Sink& sink_;
  StateStore* state_;
  Destinations& destinations_;
  Runtime& runtime_;
  std::function<void(const Checkpoint&)> committed_;
  std::function<std::string(const SnapshotProgress&)> render_progress_;
  std::thread thread_;
  std::optional<Error> error_;

  Checkpoint newest_;  // of the batches written so far
  bool has_newest_ = false;
  bool unsaved_ = false;  // something was written since the last commit
  std::uint64_t bytes_since_ = 0, last_batch_ = 0;
  std::chrono::steady_clock::time_point last_commit_;
  bool held_ = false;
  SnapshotProgress progress_;
  bool progress_moved_ = false, snapshot_ended_ = false;
  std::set<std::size_t> unsafe_;  // units whose rows come without order: nothing is stored while one is open
  std::string stored_offset_;
  std::vector<FilePosition> stored_files_;
};

}  // namespace cdc
