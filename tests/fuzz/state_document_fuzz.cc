// Any text into the reader of a JSON state. What is read must be rendered and read back to the same.
#include "input.h"
#include "state/state_document.h"

using namespace cdc;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto state = parse_state(input.rest());
  if (!state) {
    require(!state.error().message.empty());
    return 0;
  }
  const auto text = render_state(*state);
  if (!text) return 0;  // strings that are no UTF-8 cannot be kept
  const auto again = parse_state(*text);
  require(again.has_value());
  const auto rendered = render_state(*again);
  require(rendered && *rendered == *text);
  return 0;
}
