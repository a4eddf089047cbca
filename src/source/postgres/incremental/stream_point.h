// StreamPoint: where a stream is, for those who ask from within a push.
#pragma once

#include <cstdint>

#include "source/postgres/control/lsn.h"

namespace cdc::pg {

struct StreamPoint {
  std::uint32_t xid = 0;  // of the transaction streamed last; 0: none yet
  Lsn reached = 0;        // everything before it was received
};

}  // namespace cdc::pg
