// Debezium's own offset file (FileOffsetBackingStore, CORE-OFF-10/11): a Java HashMap of key bytes to value
// bytes, both JSON. Read for `offsets import`, written for `offsets export`. Whether the offset's members
// make sense is the source's business.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"

namespace cdc {

struct DebeziumOffset {
  std::string engine;                // name of the embedded engine; the sink's type with Debezium Server
  std::string partition;             // JSON object
  std::optional<std::string> value;  // JSON object; nothing: the offset was deleted
};

// In the order of the file. Kind corrupt for an empty, cut or different file: never "no offsets"
// (CORE-OFF-12).
Result<std::vector<DebeziumOffset>> read_debezium_offsets(std::string_view bytes);
std::string write_debezium_offsets(const std::vector<DebeziumOffset>& offsets);

// The same into a file.
Result<void> save_debezium_offsets(const std::string& path, const std::vector<DebeziumOffset>& offsets);

// Those of one source partition, whatever engine wrote them. `engine` not empty: only that one's.
std::vector<DebeziumOffset> offsets_of_partition(const std::vector<DebeziumOffset>& offsets,
                                                 std::string_view partition, std::string_view engine = {});

}  // namespace cdc
