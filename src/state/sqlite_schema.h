// The tables of a state database, their versions, and opening one that is sure to have them.
#pragma once

#include <string>

#include "cdc/error.h"
#include "state/sqlite.h"

namespace cdc {

// Opens an existing state. Kinds: corrupt (empty, cut, of another program), unsupported (of a newer cdc),
// usage (no right to it), sink (disk).
Result<Database> open_state_database(const std::string& path, bool writable);
// Makes a new one; it appears under its name complete or not at all.
Result<void> make_state_database(const std::string& path);

}  // namespace cdc
