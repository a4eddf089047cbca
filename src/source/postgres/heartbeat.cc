// Running the statement and judging its failures.
#include "source/postgres/heartbeat.h"

#include <array>

#include <fmt/format.h>

namespace cdc::pg {
namespace {

// Failures that must not be passed over: the server shuts down, or the statement can never work.
constexpr std::array<std::string_view, 3> kFatal{"57P01", "57P03", "42P01"};
constexpr milliseconds kTimeout{10'000};

}  // namespace

Result<void> HeartbeatQuery::run() {
  if (statement_.empty()) return {};
  if (!connection_ || connection_->broken()) {
    auto connected = Connection::connect(options_, ConnectionKind::heartbeat, runtime_);
    if (!connected) {
      if (connected.error().kind == ErrorKind::cancelled) return {};
      runtime_.log.warn(fmt::format("heartbeat.action.query: {}", connected.error().message));
      return {};
    }
    connection_.emplace(std::move(*connected));
  }
  const auto done = connection_->exec(statement_, "running heartbeat.action.query", kTimeout);
  if (done || done.error().kind == ErrorKind::cancelled) return {};
  for (const std::string_view state : kFatal)
    if (done.error().sqlstate == state) return tl::unexpected(done.error());
  runtime_.log.warn(done.error().message);
  return {};
}

}  // namespace cdc::pg
