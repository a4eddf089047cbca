// The command-line flags that stand for properties. The command line declares them from this table. A flag
// of a list may be given several times; a <place> in the property's name is filled by KEY=VALUE.
#include "cdc/config.h"

namespace cdc {

const std::vector<FlagRow>& flag_rows() {
  static constexpr std::string_view both = "snapshot stream";
  static const std::vector<FlagRow> rows = {
      {"--name", "name", "NAME", "", "*"},
      {"--name", "topic.prefix", "NAME", "", "*"},
      {"--state", "state", "PATH", "", "*"},
      {"--log-level", "log.level", "LEVEL", "", "*"},
      {"--log-format", "log.format", "FORMAT", "", "*"},
      {"--quiet", "quiet", "", "true", "*"},
      {"--output", "output", "TARGET", "", both},
      {"--format", "format", "FORMAT", "", both},
      {"--schemas", "schemas", "", "true", both},
      {"--flatten", "flatten", "", "true", both},
      {"--rotate-size", "rotate.size", "SIZE", "", both},
      {"--rotate-time", "rotate.time", "TIME", "", both},
      {"--rotate-events", "rotate.events", "N", "", both},
      {"--fsync", "fsync", "WHEN", "", both},
      {"--table", "table.include.list", "REGEX", "", both},
      {"--where", "snapshot.where.<table>", "TABLE=CONDITION", "", both},
      {"--threads", "snapshot.max.threads", "N", "", both},
      {"--no-resume", "resume", "", "false", "snapshot"},
      {"--resume", "resume", "", "true", "snapshot"},
      {"--from", "from", "POSITION", "", "stream"},
      {"--until", "until", "POSITION", "", "stream"},
      {"--max-events", "max.events", "N", "", "stream"},
      {"--max-time", "max.time", "TIME", "", "stream"},
      {"--idle-exit", "idle.exit", "TIME", "", "stream"},
      {"--dry-run", "dry.run", "", "true", both},
      {"--pipe-ok", "pipe.ok", "", "true", both},
      {"--stats", "stats", "TIME", "", both},
      {"--metrics-file", "metrics.file", "PATH", "", both},
      {"--metrics-listen", "metrics.listen", "ADDRESS", "", both},
  };
  return rows;
}

}  // namespace cdc
