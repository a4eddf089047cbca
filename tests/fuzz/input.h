// What the fuzzers share: taking the input apart, and checks that end the process where a promise is broken.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"
#include "json/json_read.h"

namespace cdc::fuzz {

inline void require(bool promise) {
  if (!promise) std::abort();
}

// One well-formed JSON value.
inline bool is_json(std::string_view value) {
  std::string array = "[";
  array.append(value).append("]");
  const auto elements = json::elements(array);
  return elements && elements->size() == 1;
}

// Takes an input apart from the front. Empty parts when there is nothing more.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : rest_(data, data + size) {}

  bool empty() const { return at_ == rest_.size(); }
  unsigned byte() { return empty() ? 0u : static_cast<unsigned char>(rest_[at_++]); }
  // Up to the next line end, which is taken too.
  std::string_view line() {
    const std::string_view left = view();
    const std::size_t end = left.find('\n');
    at_ += end == std::string_view::npos ? left.size() : end + 1;
    return left.substr(0, end);
  }
  // Everything that is left; the bytes lie in memory that is exactly as large, so a read past the end is
  // seen.
  std::string_view rest() {
    const std::string_view left = view();
    at_ = rest_.size();
    return left;
  }

 private:
  std::string_view view() const { return {rest_.data() + at_, rest_.size() - at_}; }
  std::vector<char> rest_;
  std::size_t at_ = 0;
};

// Gives the operand to one of the checks, by the number that the input begins with. What a fuzzer returns.
template <class Operand, class... Checks>
int choose(unsigned number, Operand&& operand, Checks... checks) {
  std::size_t ahead = number % sizeof...(checks);
  ((ahead-- == 0 ? static_cast<void>(checks(operand)) : void()), ...);
  return 0;
}

// `name=value` lines up to an empty one, as with -s; nothing when they are refused, or name files or
// variables, which would make a run depend on the machine.
inline std::optional<Config> settings(Input& input, std::initializer_list<std::string_view> always = {}) {
  ConfigInput given;
  given.settings = {"topic.prefix=p", "database.dbname=d"};
  for (const std::string_view setting : always) given.settings.emplace_back(setting);
  for (std::string_view line = input.line(); !line.empty(); line = input.line()) {
    if (line.find("${") != std::string_view::npos) return std::nullopt;
    given.settings.emplace_back(line);
  }
  auto config = load_config(given);
  if (config) return std::move(*config);
  require(!config.error().message.empty());
  return std::nullopt;
}

}  // namespace cdc::fuzz
