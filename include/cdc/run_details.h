// RunDetails: what --stats and metrics show besides plain counters. Changed now and then (a batch, a chunk, a
// commit), never for each row.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace cdc {

class RunDetails {
 public:
  using ByName = std::map<std::string, std::int64_t, std::less<>>;
  struct Facts {
    // Of the snapshot that runs, or ran last; an incremental one counts as well (CORE-MET-03).
    ByName rows;                 // by table
    ByName chunks, chunks_done;  // parts of a table that are read side by side
    bool paused = false, aborted = false;
    std::int64_t paused_since_ms = 0, paused_ms = 0;
    // The chunk of an incremental snapshot, and the last key of its table.
    std::string chunk_id, chunk_from, chunk_to, table_to;

    std::string position;  // the offset stored last: a JSON object
    ByName source;         // attributes of the source's own, like the lag of a slot
  };

  template <class Change>
  void change(Change&& change) {
    std::lock_guard lock(mutex_);
    change(facts_);
  }
  Facts now() const {
    std::lock_guard lock(mutex_);
    return facts_;
  }
  // Another snapshot begins: nothing of the one before is shown any more.
  void begin_snapshot() {
    change([](Facts& facts) {
      Facts fresh;
      fresh.position.swap(facts.position);
      fresh.source.swap(facts.source);
      facts = std::move(fresh);
    });
  }

 private:
  mutable std::mutex mutex_;
  Facts facts_;
};

}  // namespace cdc
