// What an incremental snapshot keeps over restarts: the queue of collections and how far the first of them
// is, as members of every offset while it runs (CORE-OFF-07). Pure.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/chunks.h"

namespace cdc {

struct QueuedCollection {
  std::string id;
  std::string condition;      // SQL without parentheses; empty: none
  std::string surrogate_key;  // empty: none
};

struct IncrementalState {
  std::deque<QueuedCollection> queue;         // the first is the one being read
  std::optional<std::string> correlation_id;  // id of the newest signal
  std::optional<ChunkKey> sent;               // everything of the first collection up to here was written
  std::optional<ChunkKey> maximum;            // where the first collection ends

  bool running() const { return !queue.empty(); }
  void next_collection() {
    queue.pop_front();
    sent.reset();
    maximum.reset();
  }

  // Members with a comma in front; nothing when it does not run.
  void append_offset(std::string& offset) const;
  // Empty when the offset has none. What is there and cannot be understood is left out and makes
  // `complete` false.
  static IncrementalState restore(std::string_view offset, bool* complete = nullptr);
};

}  // namespace cdc
