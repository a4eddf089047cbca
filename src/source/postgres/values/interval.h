// interval in IntervalStyle postgres, under `interval.handling.mode` (4.5). Infinite intervals are
// not expressible.
#pragma once

#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// io.debezium.time.MicroDuration: a month counts 30.4375 days; in doubles and saturating, as Java does it.
bool append_interval_us(std::string_view text, Buffer& out);
// io.debezium.time.Interval: "P1Y2M3DT4H5M6.78S", all six parts.
bool append_interval_iso(std::string_view text, Buffer& out);

}  // namespace cdc::pg
