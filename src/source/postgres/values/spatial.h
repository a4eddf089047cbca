// point of the core server and geometry / geography of PostGIS (4.1).
#pragma once

#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// `(2.5,-1)` -> {"x":2.5,"y":-1.0,"wkb":"...","srid":null}
bool append_point(std::string_view text, Buffer& out);
// Hex EWKB -> {"wkb":"...","srid":4326}; the bytes stay as they are, byte order and SRID included.
bool append_ewkb(std::string_view text, Buffer& out);

}  // namespace cdc::pg
