// Any bytes into the reader of Debezium's offset file and the Java object stream below it. What is read
// must survive being written and read again.
#include "input.h"
#include "state/debezium_offsets.h"

using namespace cdc;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto offsets = read_debezium_offsets(input.rest());
  if (!offsets) {
    require(!offsets.error().message.empty());
    return 0;
  }
  const auto again = read_debezium_offsets(write_debezium_offsets(*offsets));
  require(again && again->size() == offsets->size());
  for (std::size_t i = 0; i < again->size(); ++i) {
    const DebeziumOffset &a = (*offsets)[i], &b = (*again)[i];
    require(a.engine == b.engine && a.partition == b.partition && a.value == b.value);
  }
  return 0;
}
