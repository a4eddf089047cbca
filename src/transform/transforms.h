// The front door of the room: the configured chain of message transforms (CORE-SMT).
#pragma once

#include <functional>
#include <memory>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/hypertables.h"
#include "cdc/runtime.h"
#include "event/destinations.h"
#include "event/event.h"

namespace cdc {

// Compiles `transforms`, `predicates` and `flatten` once; the function makes one chain for each reader
// thread. Empty when no transform is configured. All mistakes are told in one error of kind `usage`, one
// a line. `config`, `destinations` and `runtime` must outlive what is made.
Result<std::function<std::unique_ptr<RecordTransform>()>> make_transforms(
    const Config& config, Destinations& destinations, Runtime& runtime,
    HypertableCatalogFactory hypertables = nullptr);

}  // namespace cdc
