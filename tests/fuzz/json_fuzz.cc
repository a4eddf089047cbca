// JSON: what our reader takes must be what a full parser takes, and what our writer writes must be read back
// to the same text.
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include "input.h"
#include "json/json_text.h"

using namespace cdc;
using fuzz::require;

namespace {

bool well_formed(std::string_view text) {
  rapidjson::Reader reader;
  rapidjson::MemoryStream stream(text.data(), text.size());
  rapidjson::BaseReaderHandler<> nothing;
  reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag>(stream, nothing);
  // Half a surrogate pair is U+FFFD to us, and a number may be of any size; both end RapidJSON's reading.
  const auto code = reader.GetParseErrorCode();
  return !reader.HasParseError() || code == rapidjson::kParseErrorStringUnicodeSurrogateInvalid ||
         code == rapidjson::kParseErrorNumberTooBig;
}

void check_parts(std::string_view text) {
  if (const auto members = json::members(text)) {
    require(well_formed(text));
    for (const auto& [name, value] : *members)
      require(fuzz::is_json(value) && fuzz::is_json(json::quote(name)));
  }
  if (const auto elements = json::elements(text)) {
    require(well_formed(text));
    for (const std::string_view value : *elements) require(fuzz::is_json(value));
  }
}

void check_string(std::string_view text) {
  const auto read = json::unquote(text);
  if (!read) return;
  const auto again = json::unquote(json::quote(*read));  // bytes that are no UTF-8 settle here
  require(again && json::quote(*again) == json::quote(*read));
}

void check_written(std::string_view text) {
  Buffer out;
  json::append_string(out, text);
  require(well_formed(std::string("[").append(out.view()).append("]")));
  const auto read = json::unquote(out.view());
  require(read.has_value());
  Buffer again;
  json::append_string(again, *read);
  require(again.view() == out.view());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const unsigned choice = input.byte();
  return fuzz::choose(choice, input.rest(), check_parts, check_string, check_written);
}
