// From argv to an Invocation. Knows options only as data; errors name the nearest known word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace cdc::cli {

struct Request {
  enum class Kind { run, help, short_help, version };
  Kind kind = Kind::run;
  std::string topic;      // help: about this command or group of commands; empty: about cdc
  Invocation invocation;  // run
};

// `arguments` without the program's name. Errors are of kind usage.
Result<Request> parse(const std::vector<std::string>& arguments);

// The value of an option wherever it stands, even when the rest makes no sense: how to log is needed
// before anything is known to be right.
std::string early_value(const std::vector<std::string>& arguments, std::string_view option);

}  // namespace cdc::cli
