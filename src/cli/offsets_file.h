// Offset files that others wrote, for import: Debezium's own binary file, JSON lines of `cdc offsets
// show --json`, and key TAB value lines as read from Kafka Connect's offsets topic (CORE-OFF-13, -14).
#pragma once

#include <string>
#include <vector>

#include "cdc/error.h"
#include "state/debezium_offsets.h"

namespace cdc::cli {

// `path`, or "-" for stdin. Told apart by content. Of several lines with one key the last one counts.
Result<std::vector<DebeziumOffset>> read_offsets_file(const std::string& path);

// The same for bytes already read. Total: any bytes give offsets or an error of kind corrupt.
Result<std::vector<DebeziumOffset>> read_offsets(std::string_view bytes);

// The offset without members that only make sense inside Debezium's process (CORE-OFF-06).
std::string portable_offset(std::string_view offset);

}  // namespace cdc::cli
