// A state in one JSON file, replaced as a whole by each commit. For few files and people who like to read.
#pragma once

#include <memory>
#include <string>

#include "cdc/state.h"

namespace cdc {

Result<std::unique_ptr<StateStore>> open_json_store(const std::string& path, StateAccess access);

}  // namespace cdc
