// Any text into the reader of a JSON state. What is read must be rendered and read back to the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "state/state_document.h"

using namespace cdc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> bytes(data, data + size);  // exactly as large: a read past the end is seen
  const auto state = parse_state({bytes.data(), bytes.size()});
  if (!state) {
    if (state.error().message.empty()) std::abort();
    return 0;
  }
  const auto text = render_state(*state);
  if (!text) return 0;  // strings that are no UTF-8 cannot be kept
  const auto again = parse_state(*text);
  if (!again) std::abort();
  const auto rendered = render_state(*again);
  if (!rendered || *rendered != *text) std::abort();
  return 0;
}
