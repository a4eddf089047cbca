// Any text as a line of the signal file, as a signal's `data`, as the borders of a chunk and as the members
// that an incremental snapshot keeps in the offset. The first byte chooses.
#include "input.h"
#include "signals/incremental_state.h"
#include "signals/key_text.h"
#include "signals/signal.h"

using namespace cdc;
using fuzz::require;

namespace {

void check_order(SignalType type, std::string_view data) {
  const auto order = parse_snapshot_order(type, data);
  if (!order) require(!order.error().message.empty());
}

void check_line(std::string_view line) {
  const auto signal = parse_signal_line(line);
  if (!signal) return require(!signal.error().message.empty());
  const auto again = parse_signal_line(signal_line(*signal));
  require(again && signal_line(*again) == signal_line(*signal));
  (void)check_signal(*signal);
  if (const auto type = signal_type(signal->type)) check_order(*type, signal->data);
}

void check_key(std::string_view json) {
  const auto key = parse_key_json(json);
  if (!key) return;
  const auto again = parse_key_json(key_json(*key));  // bytes that are no UTF-8 settle here
  require(again && key_json(*again) == key_json(*key));
  (void)key_display(*key);
}

void check_state(std::string_view offset) {
  const IncrementalState state = IncrementalState::restore(offset);
  if (!state.running()) return;
  std::string text = "{\"lsn\":1";
  state.append_offset(text);
  text += "}";
  std::string again = "{\"lsn\":1";
  IncrementalState::restore(text).append_offset(again);
  require(again + "}" == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  const auto order = [choice](std::string_view of_type) {
    check_order(user_signals()[choice / 5 % user_signals().size()], of_type);
  };
  return fuzz::choose(choice, input.rest(), check_line, order, parse_log_message, check_key, check_state);
}
