// The door of the PostgreSQL source: all that the registry needs.
#pragma once

#include <memory>

#include "cdc/hypertables.h"
#include "cdc/source.h"

namespace cdc::pg {

// Never fails: what is wrong with the configuration is told by connect().
std::unique_ptr<Source> make_source(const Config& config, Runtime& runtime);

// --from and --until as texts (cdc::SourceType::check_bounds).
Result<void> check_bounds(const std::string& from, const std::string& until);

// TimescaleDB's catalog (cdc::SourceType::hypertables).
std::unique_ptr<HypertableCatalog> hypertables(ConnectionKeywords keywords);

}  // namespace cdc::pg
