// Finding the command's words among the options, then CLI11 for the options themselves.
#include "cli/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "cli/option.h"
#include "config/loaders.h"
#include "text/suggest.h"

namespace cdc::cli {
namespace {

using Words = std::vector<std::string>;

// Options that take a value, of any command: their values are no command words.
bool takes_value(const std::string& argument) {
  if (argument.find('=') != std::string::npos) return false;
  static const std::set<std::string, std::less<>> names = [] {
    std::set<std::string, std::less<>> all;
    for (const Command* command : commands())
      for (const Option& option : options_of(command->name)) {
        if (option.is_switch()) continue;
        all.insert(option.name);
        if (option.letter != 0) all.insert({'-', option.letter});
      }
    return all;
  }();
  return names.count(argument) > 0;
}

// Index of the first argument that is neither an option nor the value of one, from `start` on.
std::size_t first_word(const Words& arguments, std::size_t start) {
  for (std::size_t i = start; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") return arguments.size();
    if (!argument.starts_with('-') || argument == "-") return i;
    if (takes_value(argument)) ++i;
  }
  return arguments.size();
}

bool is_group(std::string_view word) {
  const auto all = commands();
  return std::any_of(all.begin(), all.end(), [&](const Command* c) {
    return c->name.size() > word.size() && c->name.starts_with(word) && c->name[word.size()] == ' ';
  });
}

tl::unexpected<Error> unknown(std::string_view what, std::string_view word,
                              const std::vector<std::string_view>& known, std::string_view help_topic) {
  const std::string_view near = text::nearest(word, known);
  const std::string help =
      fmt::format("`cdc {}--help` lists them", help_topic.empty() ? "" : fmt::format("{} ", help_topic));
  return fail(ErrorKind::usage, fmt::format("unknown {} '{}'", what, word),
              near.empty() ? help : fmt::format("did you mean '{}'? {}", near, help));
}

tl::unexpected<Error> unknown_command(std::string_view group, std::string_view word) {
  if (word.find("://") != std::string_view::npos)
    return fail(ErrorKind::usage,
                fmt::format("a command is missing before the URL '{}'", word.substr(0, word.find("://") + 3)),
                "write `cdc stream URL` or `cdc snapshot URL`");
  std::vector<std::string_view> known;
  for (const Command* command : commands()) {
    std::string_view name = command->name;
    if (!group.empty()) {
      if (!name.starts_with(group)) continue;
      name.remove_prefix(group.size() + 1);
    }
    known.push_back(name.substr(0, name.find(' ')));
  }
  auto error = unknown("command", word, known, group);
  if (!group.empty()) error.value().message = fmt::format("unknown command '{} {}'", group, word);
  return error;
}

bool contains(const Words& arguments, std::string_view name, std::string_view letter) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return false;
    if (argument == name || argument == letter) return true;
  }
  return false;
}

// `cdc help [COMMAND...]`, `cdc COMMAND --help`, `cdc --help`.
Request help_about(const Words& words) {
  Request request{Request::Kind::help, {}, {}};
  for (const std::string& word : words) {
    const std::string longer = request.topic.empty() ? word : request.topic + " " + word;
    if (find_command(longer) == nullptr && !is_group(longer)) break;
    request.topic = longer;
  }
  return request;
}

Result<void> judge_leftovers(const Words& leftovers, const std::vector<Option>& options,
                             std::string_view command) {
  for (const std::string& left : leftovers) {
    if (!left.starts_with('-') || left == "-") continue;
    std::vector<std::string_view> known;
    for (const Option& option : options) known.push_back(option.name);
    return unknown("option", left.substr(0, left.find('=')), known, command);
  }
  return {};
}

// The URL may stand for the configuration everywhere; where it is the one argument, whatever stands there is
// it.
void take_url(Invocation& invocation) {
  auto& arguments = invocation.arguments;
  const auto url = invocation.command->takes_url
                       ? arguments.begin()
                       : std::find_if(arguments.begin(), arguments.end(), config::is_source_url);
  if (url == arguments.end()) return;
  invocation.config.url = std::move(*url);
  arguments.erase(url);
}

// The options that stand for properties become flags of the configuration.
void fill_config(Invocation& invocation, const std::vector<Option>& options) {
  for (const Option& option : options) {
    const auto found = invocation.values.find(option.name);
    if (found == invocation.values.end()) continue;
    for (const FlagRow* row : option.properties)
      for (const std::string& value : found->second)
        invocation.config.flags.push_back({std::string(row->property),
                                           option.is_switch() ? std::string(row->switch_value) : value,
                                           option.name});
  }
  if (const auto files = invocation.values.find("--config"); files != invocation.values.end())
    invocation.config.files = files->second;
  if (const auto settings = invocation.values.find("--set"); settings != invocation.values.end())
    invocation.config.settings = settings->second;
}

// CLI11 names the option somewhere in its own words: "--until: 1 required TEXT missing",
// "quiet was given a disallowed flag override".
tl::unexpected<Error> wrong_number_of_values(const CLI::ParseError& error, const std::vector<Option>& options,
                                             const Command& command) {
  const std::string text = error.what();
  for (const Option& option : options) {
    const std::string name = option.is_switch() ? option.name.substr(2) + " " : option.name + ":";
    if (!text.starts_with(name)) continue;
    if (option.is_switch()) return fail(ErrorKind::usage, option.name + " takes no value");
    return fail(ErrorKind::usage, fmt::format("{} needs a value ({})", option.name, option.placeholder),
                fmt::format("`cdc {} --help` explains it", command.name));
  }
  return fail(ErrorKind::usage, text, fmt::format("`cdc {} --help` lists the options", command.name));
}

Result<Invocation> parse_options(const Command& command, Words arguments) {
  const std::vector<Option> options = options_of(command.name);
  Invocation invocation;
  invocation.command = &command;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, CLI::Option*> switches;
  for (const Option& option : options) {
    std::string names = option.name;
    if (option.letter != 0) names += std::string(",-") + option.letter;
    if (option.is_switch()) {
      switches[option.name] = app.add_flag(names)->disable_flag_override();
    } else {
      app.add_option(names, values[option.name])->type_name(option.placeholder)->allow_extra_args(false);
    }
  }
  app.add_option("arguments", invocation.arguments);
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::ArgumentMismatch& error) {
    return wrong_number_of_values(error, options, command);
  } catch (const CLI::ParseError& error) {
    return fail(ErrorKind::usage, error.what(),
                fmt::format("`cdc {} --help` lists the options", command.name));
  } catch (const std::exception& error) {
    return fail(ErrorKind::internal, fmt::format("cannot read the command line: {}", error.what()));
  }
  CDC_CHECK(judge_leftovers(app.remaining(), options, command.name));
  for (auto& [name, given] : values)
    if (!given.empty()) invocation.values.emplace(name, std::move(given));
  for (const auto& [name, option] : switches)
    if (option->count() > 0) invocation.values.emplace(name, Words{"true"});
  take_url(invocation);
  if (invocation.arguments.size() > command.max_arguments)
    return fail(ErrorKind::usage,
                fmt::format("unexpected argument '{}'", invocation.arguments[command.max_arguments]),
                fmt::format("usage: cdc {} [OPTIONS] {}", command.name, command.arguments));
  fill_config(invocation, options);
  return invocation;
}

}  // namespace

Result<Request> parse(const Words& arguments) {
  if (arguments.empty()) return Request{Request::Kind::short_help, {}, {}};
  const std::size_t at = first_word(arguments, 0);
  Words words;
  for (std::size_t i = at; i < arguments.size(); i = first_word(arguments, i + 1))
    words.push_back(arguments[i]);
  if (!words.empty() && words.front() == "help") return help_about({words.begin() + 1, words.end()});
  if (contains(arguments, "--help", "-h")) return help_about(words);
  if (contains(arguments, "--version", "-V")) return Request{Request::Kind::version, {}, {}};
  if (words.empty()) {
    const std::vector<Option> options = options_of({});
    const bool known = std::any_of(options.begin(), options.end(), [&](const Option& o) {
      return o.name == arguments.front() ||
             (o.letter != 0 && arguments.front() == std::string{'-', o.letter});
    });
    if (!known) CDC_CHECK(judge_leftovers({arguments.front()}, options, {}));
    return fail(ErrorKind::usage, "a command is missing", "`cdc --help` lists the commands");
  }

  Words rest = arguments;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
  std::string name = words.front();
  if (is_group(name)) {
    if (words.size() < 2)
      return fail(ErrorKind::usage, fmt::format("`cdc {}` needs to be told what to do", name),
                  fmt::format("`cdc {} --help` lists it", name));
    const std::size_t second = first_word(rest, at);
    if (find_command(name + " " + words[1]) == nullptr) return unknown_command(name, words[1]);
    name += " " + words[1];
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(second));
  }
  const Command* command = find_command(name);
  if (command == nullptr) return unknown_command({}, name);
  CDC_TRY(Invocation invocation, parse_options(*command, std::move(rest)));
  return Request{Request::Kind::run, {}, std::move(invocation)};
}

std::string early_value(const Words& arguments, std::string_view option) {
  std::string value;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == option && i + 1 < arguments.size()) value = arguments[i + 1];
    if (argument.size() > option.size() && argument.starts_with(option) && argument[option.size()] == '=')
      value = argument.substr(option.size() + 1);
  }
  return value;
}

}  // namespace cdc::cli
