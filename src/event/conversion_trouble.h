// What happens when a value cannot be expressed (event.converting.failure.handling.mode, CORE-ERR-04):
// stop, or null with one warning a column.
#pragma once

#include <span>

#include "cdc/runtime.h"
#include "event/compiled_table.h"
#include "event/event.h"
#include "event/event_options.h"

namespace cdc {

Result<void> report_trouble(const CompiledTable& table, std::span<const Cell> cells, const EncodedRow& row,
                            FailureMode mode, Runtime& runtime);

}  // namespace cdc
