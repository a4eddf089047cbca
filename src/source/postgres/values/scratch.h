// Two-step encodings without a second buffer: write the inner text to the end of `out`, then have
// it replaced by its encoding.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

// `encode(out, inner)` appends the encoding of what stands from `begin` on, at most `worst` bytes.
template <class Encode>
void replace_tail(Buffer& out, std::size_t begin, std::size_t worst, Encode&& encode) {
  out.reserve(worst);  // so that nothing moves `inner` while it is read
  const std::size_t inner_end = out.size();
  encode(out, out.view(begin, inner_end));
  const std::size_t length = out.size() - inner_end;
  std::memmove(out.data() + begin, out.data() + inner_end, length);
  out.truncate(begin + length);
}

}  // namespace cdc::pg
