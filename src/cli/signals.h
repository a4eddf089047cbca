// Signals of a run: the first one asks for an orderly stop, a second one ends the process at once.
#pragma once

#include "cdc/runtime.h"

namespace cdc::cli {

// SIGINT, SIGTERM and SIGHUP (unless it came ignored, as under nohup) request `stop`; SIGPIPE is
// ignored, so that a write tells it. `stop` must live until the process ends or stop_signals_end().
void stop_on_signals(StopToken& stop);
void stop_signals_end();

}  // namespace cdc::cli
