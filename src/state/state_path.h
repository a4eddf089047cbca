// Which kind of store a --state path means, and where the state lies when none is given.
#pragma once

#include <cstdint>
#include <string>

#include "cdc/error.h"

namespace cdc {

enum class StateForm : std::uint8_t { memory, sqlite, json };

// By the name's ending. Kind usage when it tells nothing.
Result<StateForm> state_form(const std::string& path);
// $XDG_STATE_HOME/cdc/NAME.db, else ~/.local/state/cdc/NAME.db. Kind usage when there is no home.
Result<std::string> default_state_path(const std::string& name);

}  // namespace cdc
