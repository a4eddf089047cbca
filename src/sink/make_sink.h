// Which sink an --output asks for. For callers without a Config (tests, benchmarks); everyone else calls
// make_sink of cdc/sink.h.
#pragma once

#include <memory>

#include "cdc/sink.h"
#include "sink/options.h"

namespace cdc {

Result<std::unique_ptr<Sink>> make_sink(const SinkOptions& options, Runtime& runtime);

}  // namespace cdc
