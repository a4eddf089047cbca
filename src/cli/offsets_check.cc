// `cdc offsets check`: asks the server whether the stored position can still be read.
#include <fmt/format.h>

#include "cdc/source.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/offsets.h"
#include "cli/session.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"Before a long maintenance, or after one",
     "cdc offsets check -c shop.yaml || mail -s 'cdc: position lost' dba </dev/null"},
};

Result<PositionState> ask_server(Session& session, const std::string& offset) {
  const SourceType* type = find_source_type(session.config().source());
  if (type == nullptr)
    return fail(ErrorKind::unsupported,
                fmt::format("this build has no source '{}'", session.config().source()));
  const std::unique_ptr<Source> source = type->make(session.config(), session.runtime());
  CDC_CHECK(source->connect(true));
  auto state = source->check_position(offset);
  // Nothing was changed on the server, so there is nothing to put in order either.
  static_cast<void>(source->close(false));
  return state;
}

Result<int> run(const Invocation& invocation) {
  CDC_TRY(const OpenState state, open_state_of(invocation, StateAccess::read_only));
  CDC_TRY(const ChosenOffset stored, chosen_offset(state, "check"));
  CDC_TRY(const std::unique_ptr<Session> session, Session::open(invocation, false));
  CDC_TRY(const PositionState found, ask_server(*session, stored.offset));
  if (!found.available) return fail(ErrorKind::position_lost, found.problem, found.hint);
  CDC_CHECK(print(
      fmt::format("{}: the server still has everything from {} on\n", stored.key.engine, stored.offset)));
  return 0;
}

}  // namespace

constinit const Command offsets_check_command{
    "offsets check",
    "[URL]",
    "Ask the server whether the stored position can still be read",
    "Connects to the source of the configuration and compares the stored offset with what the server still "
    "has. Status 0: "
    "a stream can go on from it. Status 4: it is gone, and the message names the way out. Changes nothing on "
    "the server.",
    kExamples,
    0,
    true,
    run,
};

}  // namespace cdc::cli
