// The captures of a state held in memory: the whole of `none`, and what the JSON file is read into.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cdc/state.h"

namespace cdc {

class StateMap {
 public:
  StoredState get(const StateKey& key) const;
  void apply(const StateKey& key, const StateChange& change);
  void put(const StateKey& key, StoredState state);
  bool contains(const StateKey& key) const;
  void remove(const StateKey& key);
  std::vector<StateKey> keys() const;

 private:
  // Engine and canonical partition.
  std::map<std::pair<std::string, std::string>, StoredState> captures_;
};

class MemoryStore final : public StateStore {
 public:
  Result<StoredState> load(const StateKey& key) override { return captures_.get(key); }
  Result<void> commit(const StateKey& key, const StateChange& change) override {
    captures_.apply(key, change);
    return {};
  }
  Result<std::vector<StateKey>> keys() override { return captures_.keys(); }
  Result<void> remove(const StateKey& key) override {
    captures_.remove(key);
    return {};
  }
  std::string path() const override { return "none"; }

 private:
  StateMap captures_;
};

}  // namespace cdc
