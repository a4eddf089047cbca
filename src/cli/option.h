// Options of the command line as data: which a command takes, how each looks in --help, and which
// configuration properties it stands for. Parsing them is parse.h's, rendering help.h's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"

namespace cdc::cli {

struct Option {
  std::string name;                        // "--output"
  char letter = 0;                         // 'o', or 0
  std::string placeholder;                 // "SIZE"; empty: a switch
  std::string_view group;                  // heading in --help
  std::string help;                        // one sentence or two, no final period
  std::vector<const FlagRow*> properties;  // empty: an option that only the command line has

  bool is_switch() const { return placeholder.empty(); }
};

// The options of a command ("stream", "offsets show"), in the order of --help.
std::vector<Option> options_of(std::string_view command);

// Headings in the order of --help.
const std::vector<std::string_view>& option_groups();

}  // namespace cdc::cli
