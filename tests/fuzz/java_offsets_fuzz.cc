// Any bytes into the reader of Debezium's offset file and the Java object stream below it. What is read
// must survive being written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "state/debezium_offsets.h"

using namespace cdc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<char> bytes(data, data + size);  // exactly as large: a read past the end is seen
  const auto offsets = read_debezium_offsets({bytes.data(), bytes.size()});
  if (!offsets) {
    if (offsets.error().message.empty()) std::abort();
    return 0;
  }
  const auto again = read_debezium_offsets(write_debezium_offsets(*offsets));
  if (!again || again->size() != offsets->size()) std::abort();
  for (std::size_t i = 0; i < again->size(); ++i) {
    const DebeziumOffset &a = (*offsets)[i], &b = (*again)[i];
    if (a.engine != b.engine || a.partition != b.partition || a.value != b.value) std::abort();
  }
  return 0;
}
