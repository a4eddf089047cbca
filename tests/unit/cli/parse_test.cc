// From argv to a request: command words anywhere, options as properties, errors that name the way out.
#include "cli/parse.h"

#include <doctest/doctest.h>

#include <set>

#include "cli/help.h"
#include "cli/option.h"

using namespace cdc;
using namespace cdc::cli;

namespace {

using Words = std::vector<std::string>;

Invocation parsed(const Words& arguments) {
  Result<Request> request = parse(arguments);
  if (!request) FAIL(request.error().message);
  REQUIRE(request->kind == Request::Kind::run);
  return std::move(request->invocation);
}

Error refused(const Words& arguments) {
  const Result<Request> request = parse(arguments);
  REQUIRE_FALSE(request.has_value());
  CHECK(request.error().kind == ErrorKind::usage);
  CHECK(request.error().message.find('\n') == std::string::npos);
  return request.error();
}

std::string flag(const Invocation& invocation, std::string_view property) {
  std::string values;
  for (const auto& f : invocation.config.flags)
    if (f.property == property) values += (values.empty() ? "" : " ") + f.value;
  return values;
}

}  // namespace

TEST_CASE("command line: options before and after the command, URL, files and settings in their order") {
  const Invocation i = parsed({"--log-level", "debug", "-c", "a.yaml", "stream", "postgres://h/db", "-s",
                               "x=1", "--config=b.json", "--set", "y=2", "--table", "a,b", "-t", "c"});
  CHECK(i.command->name == "stream");
  CHECK(i.config.url == "postgres://h/db");
  CHECK(i.config.files == Words{"a.yaml", "b.json"});
  CHECK(i.config.settings == Words{"x=1", "y=2"});
  CHECK(flag(i, "log.level") == "debug");
  CHECK(flag(i, "table.include.list") == "a,b c");
}

TEST_CASE("command line: a value that looks like a command is no command") {
  const Invocation i = parsed({"--name", "stream", "snapshot", "--output", "config"});
  CHECK(i.command->name == "snapshot");
  CHECK(flag(i, "topic.prefix") == "stream");
  CHECK(flag(i, "output") == "config");
  CHECK(i.config.url.empty());
}

TEST_CASE("command line: commands of two words, with options anywhere") {
  CHECK(parsed({"offsets", "show", "--name", "shop"}).command->name == "offsets show");
  CHECK(parsed({"--name", "x", "offsets", "--json", "show"}).command->name == "offsets show");
  const Invocation i = parsed({"offsets", "set", "{\"lsn\":1}", "--state", "s.db"});
  CHECK(i.arguments == Words{"{\"lsn\":1}"});
  CHECK(i.value("--state") == "s.db");
  const Invocation s = parsed({"signal", "execute-snapshot", "public.a", "postgres://h/db", "public.b"});
  CHECK(s.config.url == "postgres://h/db");
  CHECK(s.arguments == Words{"public.a", "public.b"});
  CHECK(parsed({"signal", "log", "http://h/db"}).arguments == Words{"http://h/db"});
}

TEST_CASE("command line: switches set their property; stdout is a lone dash") {
  const Invocation i = parsed({"snapshot", "--no-resume", "-q", "-o", "-"});
  CHECK(flag(i, "resume") == "false");
  CHECK(flag(i, "quiet") == "true");
  CHECK(flag(i, "output") == "-");
}

TEST_CASE("command line: help and version wherever they stand") {
  CHECK(parse({})->kind == Request::Kind::short_help);
  CHECK(parse({"--version"})->kind == Request::Kind::version);
  CHECK(parse({"stream", "--version"})->kind == Request::Kind::version);
  for (const Words& words : {Words{"stream", "--help"}, Words{"--help", "stream"}, Words{"help", "stream"},
                             Words{"stream", "-h", "--foo"}}) {
    const auto request = parse(words);
    REQUIRE(request.has_value());
    CHECK(request->kind == Request::Kind::help);
    CHECK(request->topic == "stream");
  }
  CHECK(parse({"help", "offsets", "show"})->topic == "offsets show");
  CHECK(parse({"offsets", "--help"})->topic == "offsets");
  CHECK(parse({"-h"})->topic.empty());
  CHECK(parse({"help", "nonsense"})->topic.empty());
}

TEST_CASE("command line: errors name the nearest word") {
  CHECK(refused({"strem"}).message == "unknown command 'strem'");
  CHECK(refused({"strem"}).hint.find("'stream'") != std::string::npos);
  CHECK(refused({"offsets", "shwo"}).message == "unknown command 'offsets shwo'");
  CHECK(refused({"offsets", "shwo"}).hint.find("'show'") != std::string::npos);
  CHECK(refused({"offsets"}).hint.find("cdc offsets --help") != std::string::npos);
  CHECK(refused({"stream", "--tabel", "x"}).message == "unknown option '--tabel'");
  CHECK(refused({"stream", "--tabel=x"}).hint.find("'--table'") != std::string::npos);
  CHECK(refused({"--flo"}).message == "unknown option '--flo'");
  CHECK(refused({"-q"}).message == "a command is missing");
  CHECK(refused({"postgres://me:secret@h/db"}).message ==
        "a command is missing before the URL 'postgres://'");
}

TEST_CASE("command line: values where they belong") {
  CHECK(refused({"stream", "--until"}).message.starts_with("--until needs a value"));
  CHECK(refused({"stream", "-o"}).message.starts_with("--output needs a value"));
  CHECK(refused({"stream", "--quiet=3"}).message == "--quiet takes no value");
  CHECK(refused({"stream", "a", "b"}).message == "unexpected argument 'b'");
  CHECK(refused({"offsets", "show", "x"}).message == "unexpected argument 'x'");
  CHECK(refused({"snapshot", "--until", "now"}).message == "unknown option '--until'");
}

TEST_CASE("command line: how to log is known before anything else") {
  CHECK(early_value({"strem", "--log-format", "json"}, "--log-format") == "json");
  CHECK(early_value({"--log-format=json", "x"}, "--log-format") == "json");
  CHECK(early_value({"--log-format"}, "--log-format").empty());
}

TEST_CASE("help: every command has its options, examples and exit statuses; letters are unique") {
  for (const Command* command : commands()) {
    CAPTURE(command->name);
    const std::string help = help_about(command->name);
    std::set<char> letters;
    for (const Option& option : options_of(command->name)) {
      CHECK(help.find(option.name) != std::string::npos);
      CHECK_FALSE(option.help.empty());
      if (option.letter != 0) CHECK(letters.insert(option.letter).second);
    }
    CHECK(command->examples.size() >= 1);
    CHECK(help.find("\nExit status:\n    0  ") != std::string::npos);
    CHECK(general_help().find(std::string(command->name)) != std::string::npos);
  }
}

TEST_CASE("help: lines are broken at blanks, paragraphs kept") {
  CHECK(wrapped("aaa bbb ccc", 2, 9) == "  aaa bbb\n  ccc\n");
  CHECK(wrapped("one\n\ntwo", 0, 10) == "one\n\ntwo\n");
  CHECK(wrapped("averylongword b", 1, 5) == " averylongword\n b\n");
}
