// What the commands of `cdc offsets` share: which state is meant, and which capture in it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cdc/state.h"
#include "cli/command.h"

namespace cdc::cli {

struct OpenState {
  std::unique_ptr<StateStore> store;
  std::string name;           // the capture's name where the user gave one, else empty
  std::string server;         // topic.prefix, likewise
  std::string source;         // Debezium's name of the source, where known
  bool server_given = false;  // topic.prefix is set, not derived from the name
};

// By --state, by --name, or by the configuration that a capture would use. With --state alone no
// configuration is needed.
Result<OpenState> open_state_of(const Invocation& invocation, StateAccess access);

// The one capture meant: the named one (of the given topic.prefix), or the only one there is. nullopt: the
// state has none like that. More than one without a name is an error that lists them.
Result<std::optional<StateKey>> chosen_key(const OpenState& state);

// What is stored under it. Nothing stored is an error: the command was to `purpose` ("check") it.
struct ChosenOffset {
  StateKey key;
  std::string offset;
};
Result<ChosenOffset> chosen_offset(const OpenState& state, std::string_view purpose);

// The key under which the configured capture stores its offset, whether or not it has one yet.
StateKey new_key(const OpenState& state);

}  // namespace cdc::cli
