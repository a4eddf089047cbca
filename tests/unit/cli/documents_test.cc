// Man pages and completions know every command and every option that --help knows.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "cli/command.h"
#include "cli/option.h"

using namespace cdc::cli;

namespace {

// The source tree: this file's folder is tests/unit/cli.
std::string path_of(const std::string& name) {
  return (std::filesystem::path(CDC_TEST_DATA).parent_path().parent_path().parent_path().parent_path() / name)
      .string();
}

std::string file(const std::string& path) {
  std::ifstream in(path_of(path));
  REQUIRE_MESSAGE(in.good(), path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find(' '))); }

bool has_word(const std::string& text, const std::string& option) {
  const std::regex pattern("(^|[^-a-z])" + option + "($|[^-a-z])");
  return std::regex_search(text, pattern);
}

}  // namespace

TEST_CASE("man pages: one a command, each with all of its options and the exit statuses") {
  const std::string overview = file("man/cdc.1");
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    const std::string name = first_word(command->name);
    const std::string page = file("man/cdc-" + name + ".1");
    CHECK(has_word(overview, name));
    CHECK(page.find(".Sh EXIT STATUS") != std::string::npos);
    CHECK(page.find(".Sh EXAMPLES") != std::string::npos);
    for (const Option& option : options_of(command->name)) {
      CAPTURE(option.name);
      CHECK(has_word(page, "Fl " + option.name.substr(1)));
    }
  }
}

TEST_CASE("completions: bash, zsh and fish know every command and option") {
  const std::string bash = file("completions/cdc.bash");
  const std::string zsh = file("completions/_cdc");
  const std::string fish = file("completions/cdc.fish");
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    const std::string last(command->name.substr(command->name.rfind(' ') + 1));
    for (const std::string* script : {&bash, &zsh, &fish}) CHECK(has_word(*script, last));
    for (const Option& option : options_of(command->name)) {
      CAPTURE(option.name);
      CHECK(has_word(bash, option.name));
      CHECK(has_word(zsh, option.name));
      CHECK(has_word(fish, "-l " + option.name.substr(2)));
    }
  }
}
