// Commands as data: name, words for --help, and the function that runs it. One file a command, one
// pointer in commands.cc.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"

namespace cdc::cli {

struct Command;

// What the user asked for, read but not yet judged.
struct Invocation {
  const Command* command = nullptr;
  std::vector<std::string> arguments;  // what is no option, without the command's own words
  std::map<std::string, std::vector<std::string>, std::less<>>
      values;          // by option name; a switch has one "true"
  ConfigInput config;  // files, URL, -s and the options that are properties

  bool has(std::string_view option) const { return values.find(option) != values.end(); }
  // The last value given, or an empty text.
  std::string value(std::string_view option) const;
};

struct Example {
  std::string_view purpose;
  std::string_view line;
};

struct Command {
  std::string_view name;         // "stream", "offsets show"
  std::string_view arguments;    // in the usage line: "[URL]"
  std::string_view summary;      // in the list of commands, no final period
  std::string_view description;  // paragraphs
  std::span<const Example> examples;
  unsigned max_arguments = 0;  // besides the source's URL, which may stand among them
  bool takes_url = false;      // the one argument is the URL, whatever it looks like
  // Runs it; the result is the exit status. An error is reported by the caller.
  Result<int> (*run)(const Invocation& invocation) = nullptr;
};

// In the order of `cdc --help`.
std::span<const Command* const> commands();
// By its words: "offsets show"; nullptr when there is none.
const Command* find_command(std::string_view name);

}  // namespace cdc::cli
