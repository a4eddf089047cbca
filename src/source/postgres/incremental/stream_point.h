// StreamPoint: where a stream is, for those who ask from within a push.
#pragma once

#include <cstdint>
#include <span>

#include "source/postgres/control/lsn.h"

namespace cdc::pg {

struct StreamPoint {
  std::uint32_t xid = 0;                  // of the transaction streamed last; 0: none yet
  Lsn reached = 0;                        // everything before it was received
  std::span<const std::uint32_t> recent;  // transactions that were streamed to their end, in no order
};

}  // namespace cdc::pg
