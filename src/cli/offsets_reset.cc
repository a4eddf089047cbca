// `cdc offsets reset`: forget a capture, so that the next run begins anew.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/offsets.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Begin anew with a snapshot", "cdc offsets reset --name shop && cdc stream -c shop.yaml"},
};

Result<int> run(const Invocation& invocation) {
  CDC_TRY(const OpenState state, open_state_of(invocation, StateAccess::exclusive));
  CDC_TRY(const std::optional<StateKey> key, chosen_key(state));
  if (!key) {
    CDC_CHECK(print(fmt::format("nothing to reset in {}\n", state.store->path())));
    return 0;
  }
  CDC_TRY(const StoredState before, state.store->load(*key));
  CDC_CHECK(state.store->remove(*key));
  CDC_CHECK(
      print(fmt::format("forgot {}; its offset was {}\n", key->engine, before.offset.value_or("not set"))));
  return 0;
}

}  // namespace

constinit const Command offsets_reset_command{
    "offsets reset",
    "[URL]",
    "Forget the stored position, so that the next run begins anew",
    "Removes offset, file positions and snapshot progress of one capture from the state, and prints the "
    "offset, which "
    "`cdc offsets set` can put back. Output files are left alone; the server's slot too. Refused while a "
    "capture runs.",
    kExamples,
    0,
    false,
    run,
};

}  // namespace cdc::cli
