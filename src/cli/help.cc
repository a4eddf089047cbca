// Laying out help pages: usage, description, grouped options, examples, exit statuses.
#include "cli/help.h"

#include <fmt/format.h>

#include <array>

#include "cli/command.h"
#include "cli/option.h"

namespace cdc::cli {
namespace {

constexpr std::size_t kWidth = 88;
constexpr std::size_t kHelpColumn = 28;

struct ExitStatus {
  std::string_view status, meaning;
};
constexpr std::array kExitStatuses{
    ExitStatus{"0", "done, or stopped on request"},
    ExitStatus{"1", "unexpected failure"},
    ExitStatus{"2", "wrong usage or configuration"},
    ExitStatus{"3", "the source cannot be reached, or refused us"},
    ExitStatus{"4", "the stored position is gone: going on would lose changes"},
    ExitStatus{"5", "the output cannot be written"},
    ExitStatus{"6", "an event could not be processed"},
    ExitStatus{"141", "the reader of stdout went away (0 with --pipe-ok)"},
};

constexpr std::array kGeneralExamples{
    Example{"Watch changes as they happen",
            "cdc stream postgres://me@db/shop --table 'public\\.orders' | jq -c .after"},
    Example{"Take a snapshot into compressed files, one a table",
            "cdc snapshot -c shop.yaml -o 'out/{schema}.{table}.ndjson.zst'"},
    Example{"From cron: everything until now, then exit",
            "cdc stream -c shop.yaml --until now -o changes.ndjson"},
    Example{"See where the stored position stands", "cdc offsets show --name shop"},
};

std::string examples_text(std::span<const Example> examples) {
  if (examples.empty()) return {};
  std::string text = "\nExamples:\n";
  for (const Example& example : examples)
    text += fmt::format("  # {}\n  {}\n", example.purpose, example.line);
  return text;
}

std::string exit_text() {
  std::string text = "\nExit status:\n";
  for (const ExitStatus& row : kExitStatuses) text += fmt::format("  {:>3}  {}\n", row.status, row.meaning);
  return text;
}

std::string option_text(const Option& option) {
  std::string left =
      option.letter != 0 ? fmt::format("  -{}, {}", option.letter, option.name) : "      " + option.name;
  if (!option.is_switch()) left += " " + option.placeholder;
  const std::string help = wrapped(option.help, kHelpColumn, kWidth);
  if (left.size() + 2 > kHelpColumn) return left + "\n" + help;
  return left + help.substr(left.size());
}

std::string options_text(std::string_view command) {
  std::string text;
  std::string_view group;
  for (const Option& option : options_of(command)) {
    if (option.group != group) text += fmt::format("\n{}:\n", group = option.group);
    text += option_text(option);
  }
  return text;
}

std::string command_list(std::string_view group) {
  std::string text;
  for (const Command* command : commands())
    if (group.empty() || command->name.starts_with(group))
      text += fmt::format("  {:<25}{}\n", command->name, command->summary);
  return text;
}

std::string command_help(const Command& command) {
  std::string text = fmt::format("Usage: cdc {} [OPTIONS]{}{}\n\n", command.name,
                                 command.arguments.empty() ? "" : " ", command.arguments);
  text += wrapped(command.description, 0, kWidth);
  text += options_text(command.name);
  text += examples_text(command.examples);
  return text + exit_text();
}

std::string group_help(std::string_view group) {
  return fmt::format(
      "Usage: cdc {0} COMMAND [OPTIONS]\n\n{1}\n`cdc {0} COMMAND --help` explains one of them.\n", group,
      command_list(group));
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {  // paragraphs stay apart
      out += '\n';
      column = 0;
      ++at;
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column != 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    out += word;
    column = (column == 0 ? indent : column + 1) + word.size();
    at = end < text.size() && text[end] == ' ' ? end + 1 : end;
  }
  return out + '\n';
}

std::string version_text() { return "cdc " CDC_VERSION "\n"; }

std::string short_help() {
  return "cdc captures row changes from a database and writes them as Debezium JSON, one event a line.\n\n"
         "Usage: cdc COMMAND [OPTIONS] [URL]\n\n" +
         command_list({}) + "\nTry: cdc stream postgres://user@host/database\n`cdc --help` tells more.\n";
}

std::string general_help() {
  std::string text =
      "cdc captures row changes from a database and writes them as Debezium JSON, one event a line.\n\n"
      "Usage: cdc COMMAND [OPTIONS] [URL]\n\nCommands:\n" +
      command_list({}) + "\n" +
      wrapped(
          "Properties have Debezium's names. They come from files (-c), the URL, -s and options, of which "
          "the later "
          "ones win. `cdc config` shows what is in effect and where it comes from; `cdc COMMAND --help` "
          "explains a "
          "command.",
          0, kWidth);
  std::string_view group;
  for (const Option& option : options_of("")) {
    if (option.group != group) text += fmt::format("\n{}:\n", group = option.group);
    text += option_text(option);
  }
  return text + examples_text(kGeneralExamples) + exit_text();
}

std::string help_about(std::string_view topic) {
  if (topic.empty()) return general_help();
  if (const Command* command = find_command(topic); command != nullptr) return command_help(*command);
  return group_help(topic);
}

}  // namespace cdc::cli
