// A state in a SQLite database: one transaction a commit, statements kept prepared.
#pragma once

#include <memory>
#include <string>

#include "cdc/state.h"

namespace cdc {

Result<std::unique_ptr<StateStore>> open_sqlite_store(const std::string& path, StateAccess access);

}  // namespace cdc
