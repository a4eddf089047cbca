// The text of START_REPLICATION (PG-STR-01). Pure.
#pragma once

#include <string>
#include <vector>

#include "cdc/error.h"
#include "source/postgres/control/lsn.h"

namespace cdc::pg {

struct StreamCommand {
  std::string text;
  std::vector<std::string> warnings;  // pairs of slot.stream.params that were dropped
};

// `publication`: empty for a plugin that takes none; then no option is ours (PG-DBUF-02). `params`:
// slot.stream.params as written, k=v pairs joined by `;`. Refuses (usage) what would change the form of the
// messages.
Result<StreamCommand> start_replication_command(const std::string& slot, Lsn start,
                                                const std::string& publication, int server_version,
                                                const std::string& params);

}  // namespace cdc::pg
