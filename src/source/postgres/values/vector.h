// The types of pgvector (4.1).
#pragma once

#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// vector -> array of doubles, halfvec -> array of floats: `[1,2.5]` -> [1.0,2.5]
bool append_vector(std::string_view text, Buffer& out);
bool append_halfvec(std::string_view text, Buffer& out);
// `{1:10,3:30}/5` -> {"dimensions":5,"vector":[[1,10.0],[3,30.0]]}, pairs in the order of a Java
// hash map. False when an index or the dimensions exceed int16.
bool append_sparsevec(std::string_view text, Buffer& out);

}  // namespace cdc::pg
