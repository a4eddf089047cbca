// What a change does to a stored state: the one place where that is said for everything but SQLite.
#include "state/memory_store.h"

#include "state/partition.h"

namespace cdc {
namespace {

std::pair<std::string, std::string> map_key(const StateKey& key) {
  return {key.engine, canonical_json(key.partition)};
}

}  // namespace

StoredState StateMap::get(const StateKey& key) const {
  const auto found = captures_.find(map_key(key));
  return found == captures_.end() ? StoredState{} : found->second;
}

void StateMap::apply(const StateKey& key, const StateChange& change) {
  StoredState& state = captures_[map_key(key)];
  if (change.offset) state.offset = change.offset;
  if (change.snapshot) state.snapshot = change.snapshot->empty() ? std::nullopt : change.snapshot;
  if (change.files) state.files = *change.files;
  for (const auto& [name, text] : change.facts) state.facts[name] = text;
}

void StateMap::put(const StateKey& key, StoredState state) { captures_[map_key(key)] = std::move(state); }
bool StateMap::contains(const StateKey& key) const { return captures_.contains(map_key(key)); }
void StateMap::remove(const StateKey& key) { captures_.erase(map_key(key)); }

std::vector<StateKey> StateMap::keys() const {
  std::vector<StateKey> out;
  for (const auto& [key, state] : captures_) out.push_back({key.first, key.second});
  return out;
}

}  // namespace cdc
