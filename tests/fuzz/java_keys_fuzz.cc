// Any bytes as the Java objects that Debezium keeps of an incremental snapshot's chunk, and any JSON as the
// borders that are written as such. What is read must survive being written. The first byte chooses.
#include "input.h"
#include "state/java_keys.h"

using namespace cdc;
using fuzz::require;

namespace {

std::string hex_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : bytes) {
    hex += kDigits[static_cast<unsigned char>(c) >> 4];
    hex += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return hex;
}

void check_keys(std::string_view hex) {
  const auto json = keys_from_java(hex);
  if (!json) return require(!json.error().message.empty());
  require(fuzz::is_json(*json));
  const auto java = keys_to_java(*json);
  if (!java) return;
  const auto again = keys_from_java(*java);
  require(again && *again == *json);
}

void check_bytes(std::string_view bytes) { check_keys(hex_of(bytes)); }

void check_written_keys(std::string_view json) {
  if (const auto java = keys_to_java(json)) require(keys_from_java(*java).has_value());
}

void check_written_members(std::string_view json) {
  if (const auto java = incremental_to_java(json)) (void)incremental_from_java(*java);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  return fuzz::choose(choice, input.rest(), check_bytes, check_keys, check_written_keys,
                      incremental_from_java, check_written_members);
}
