// --help: rendered from the tables of commands and options. Not here: parsing.
#pragma once

#include <string>
#include <string_view>

namespace cdc::cli {

std::string version_text();                      // "cdc 0.1.0"
std::string short_help();                        // `cdc` without arguments
std::string general_help();                      // `cdc --help`
std::string help_about(std::string_view topic);  // a command, a group of commands, or general when empty

// Text broken into lines of at most `width` columns, each after `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace cdc::cli
