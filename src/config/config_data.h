// Inside of Config: the values of one run. Written by ConfigBuilder, read by the getters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cdc/config.h"
#include "config/catalogue.h"
#include "text/regex.h"

namespace cdc {

namespace config {

struct Value {
  std::string name;
  std::string raw;        // as the user wrote it, references unresolved
  std::string resolved;   // references resolved
  std::string canonical;  // what the getters give; the default when the value was wrong
  std::string origin;
  std::vector<std::string> parts;
  const Property* property = nullptr;
  bool derived = false;        // not set by anybody: follows from other values
  bool debezium_file = false;  // from a .properties or JSON file, which means what it means in Debezium
};

}  // namespace config

struct Config::Data {
  std::vector<config::Value> values;  // in order of appearance
  std::unordered_map<std::string, std::size_t> index;
  config::Families families;
  std::optional<text::Regex> secrets;
  std::string source = "postgresql";
  std::string capture_name;
  bool debezium_form = false;

  const config::Value* find(std::string_view name) const {
    const auto found = index.find(std::string(name));
    return found == index.end() ? nullptr : &values[found->second];
  }
};

// For the room's own readers (rendering).
struct ConfigAccess {
  static const Config::Data& of(const Config& config) { return *config.data_; }
};

}  // namespace cdc
