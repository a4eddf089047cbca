// heartbeat.action.query (PG-HB-02): a statement run after each heartbeat, autocommit, on a connection of
// its own. Used from the source's thread.
#pragma once

#include <optional>
#include <string>

#include "source/postgres/control/connection.h"

namespace cdc::pg {

class HeartbeatQuery {
 public:
  HeartbeatQuery(std::string statement, ConnectOptions options, Runtime& runtime)
      : statement_(std::move(statement)), options_(std::move(options)), runtime_(runtime) {}

  // Most failures are only logged; a server that goes away or a table that is gone ends the stream.
  Result<void> run();

 private:
  std::string statement_;
  ConnectOptions options_;
  Runtime& runtime_;
  std::optional<Connection> connection_;
};

}  // namespace cdc::pg
