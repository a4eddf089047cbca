// What a run leaves for the next one: offset, sink positions, snapshot progress, identity of the
// server, the last error. One transaction stores them together. SQLite (*.db), JSON file (*.json) or
// nothing (`none`). A second process with the same state is refused by a lock held while open.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cdc/error.h"
#include "cdc/sink.h"

namespace cdc {

struct StoredState {
  std::optional<std::string> offset;    // JSON object, as Debezium's value
  std::optional<std::string> snapshot;  // progress of a resumable snapshot (JSON written by capture)
  std::vector<FilePosition> files;
  std::map<std::string, std::string> facts;  // small named texts: server identity, tool version, ...
};

// Unset members stay as they are.
struct StateChange {
  std::optional<std::string> offset;
  std::optional<std::string> snapshot;             // "" removes it
  std::optional<std::vector<FilePosition>> files;  // the whole set
  std::map<std::string, std::string> facts;
};

// `engine`: name of the capture (Debezium's engine name), `partition`: JSON object of the source
// partition, e.g. {"server":"cdc"}; both together are the key of the offset (CORE-OFF-11).
struct StateKey {
  std::string engine;
  std::string partition;
};

class StateStore {
 public:
  virtual ~StateStore() = default;
  virtual Result<StoredState> load(const StateKey& key) = 0;
  // Durable when it returns. On error nothing of the change is stored.
  virtual Result<void> commit(const StateKey& key, const StateChange& change) = 0;
  virtual Result<std::vector<StateKey>> keys() = 0;
  virtual Result<void> remove(const StateKey& key) = 0;
  virtual std::string path() const = 0;
};

enum class StateAccess : std::uint8_t {
  exclusive,  // takes the lock; made when missing
  read_only,  // for `offsets show`; works while another process holds the lock
  preview,    // for --dry-run: the same, and empty when there is none yet
};

// `path`: *.db, *.json, "none" or ":memory:". Empty: $XDG_STATE_HOME/cdc/NAME.db with `name`.
Result<std::unique_ptr<StateStore>> open_state(const std::string& path, const std::string& name,
                                               StateAccess access);

}  // namespace cdc
