// The door of the PostgreSQL source: all that the registry needs.
#pragma once

#include <memory>

#include "cdc/source.h"

namespace cdc::pg {

// Never fails: what is wrong with the configuration is told by connect().
std::unique_ptr<Source> make_source(const Config& config, Runtime& runtime);

}  // namespace cdc::pg
