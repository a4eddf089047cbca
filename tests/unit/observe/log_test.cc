// The log's two forms, its escaping, repeated warnings and the status line that shares the terminal.
#include "observe/log.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "json/json_read.h"

using namespace cdc;
using namespace cdc::observe;

namespace {

// A pipe or a pseudo-terminal to write to, and what came out of it.
struct Screen {
  int read_end = -1, write_end = -1;
  explicit Screen(bool terminal) {
    if (terminal) {
      read_end = posix_openpt(O_RDWR | O_NOCTTY);
      REQUIRE(grantpt(read_end) == 0);
      REQUIRE(unlockpt(read_end) == 0);
      write_end = ::open(ptsname(read_end), O_RDWR | O_NOCTTY);
    } else {
      int ends[2];
      REQUIRE(::pipe(ends) == 0);
      read_end = ends[0], write_end = ends[1];
    }
    REQUIRE(write_end >= 0);
    fcntl(read_end, F_SETFL, O_NONBLOCK);
  }
  ~Screen() {
    ::close(read_end);
    ::close(write_end);
  }
  std::string text() const {
    std::string all;
    char chunk[4096];
    for (ssize_t n; (n = ::read(read_end, chunk, sizeof chunk)) > 0;)
      all.append(chunk, static_cast<std::size_t>(n));
    return all;
  }
};

std::string member(std::string_view line, std::string_view name) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  const auto all = json::members(line);
  REQUIRE(all.has_value());
  for (const auto& [key, value] : *all)
    if (key == name) return std::string(value);
  return {};
}

}  // namespace

TEST_CASE("log: JSON form has ts, level, event, message and typed members (CORE-ERR-08)") {
  const Screen screen(false);
  Console console(screen.write_end);
  const auto log = make_log(Level::info, LogFormat::json, console);
  log->write(Level::info, "snapshot_table", "say \"hi\"\n\x01\xff",
             {{"table", "public.a\tb"},
              {"rows", "-12.5e3"},
              {"ok", "true"},
              {"position", R"({"lsn":7})"},
              {"odd", "007"},
              {"broken", "{nope"},
              {"dash", "-"},
              {"empty", ""}});
  const std::string line = screen.text();
  CHECK(line.ends_with("}\n"));
  CHECK(line.find('\n') == line.size() - 1);
  CHECK(member(line, "level") == "\"info\"");
  CHECK(member(line, "event") == "\"snapshot_table\"");
  CHECK(json::unquote(member(line, "message")) == "say \"hi\"\n\x01\xEF\xBF\xBD");
  CHECK(member(line, "table") == "\"public.a\\tb\"");
  CHECK(member(line, "rows") == "-12.5e3");
  CHECK(member(line, "ok") == "true");
  CHECK(member(line, "position") == R"({"lsn":7})");
  CHECK(member(line, "odd") == "\"007\"");
  CHECK(member(line, "broken") == "\"{nope\"");
  CHECK(member(line, "dash") == "\"-\"");
  CHECK(member(line, "empty") == "\"\"");
  CHECK(member(line, "ts").size() == std::string("\"2026-01-01T00:00:00.000Z\"").size());
}

TEST_CASE("log: times are UTC with milliseconds") {
  CHECK(iso_time(0) == "1970-01-01T00:00:00.000Z");
  CHECK(iso_time(1709251199999) == "2024-02-29T23:59:59.999Z");
  CHECK(iso_time(-1) == "1969-12-31T23:59:59.999Z");
}

TEST_CASE("log: text form is one line whatever the message holds, and levels filter") {
  const Screen screen(false);
  Console console(screen.write_end);
  const auto log = make_log(Level::info, LogFormat::text, console);
  log->debug("unseen");
  log->warn("connection refused\n\tIs the server running?\n\x1b[31m");
  const std::string line = screen.text();
  CHECK(line.find("unseen") == std::string::npos);
  CHECK(line.find("Z warn  connection refused Is the server running? \\x1b[31m\n") != std::string::npos);
  CHECK(line.find('\n') == line.size() - 1);
}

TEST_CASE("log: an event without a message shows its members in text form") {
  const Screen screen(false);
  Console console(screen.write_end);
  const auto log = make_log(Level::info, LogFormat::text, console);
  log->write(Level::info, "streaming", "", {{"position", "0/16"}});
  CHECK(screen.text().find("info  streaming position=0/16\n") != std::string::npos);
}

TEST_CASE("log: warn_once speaks once, counts, and reports at the end") {
  const Screen screen(false);
  Console console(screen.write_end);
  const auto log = make_log(Level::info, LogFormat::json, console);
  for (int i = 0; i < 3; ++i) log->warn_once("k", "value left out");
  log->warn_once("other", "seen once");
  std::string text = screen.text();
  CHECK(text.find("value left out") == text.rfind("value left out"));
  log->report_repeats();
  text = screen.text();
  CHECK(member(text, "count") == "3");
  CHECK(member(text, "event") == "\"warning\"");
  CHECK(text.find("seen once") == std::string::npos);
  log->report_repeats();
  CHECK(screen.text().empty());
}

TEST_CASE("log: the listener hears events below the level too") {
  const Screen screen(false);
  Console console(screen.write_end);
  const auto log = make_log(Level::error, LogFormat::text, console);
  std::vector<std::string> heard;
  log->listen([&](std::string_view event, std::string_view) { heard.emplace_back(event); });
  log->write(Level::info, "streaming", "now");
  CHECK(heard == std::vector<std::string>{"streaming"});
  CHECK(screen.text().empty());
}

TEST_CASE("log: lines of several threads stay whole") {
  const Screen screen(false);
  Console console(screen.write_end);
  const auto log = make_log(Level::info, LogFormat::json, console);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) log->info("a message of some length");
    });
  for (auto& t : threads) t.join();
  const std::string text = screen.text();
  std::size_t lines = 0;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1, ++lines)
    CHECK(json::members(text.substr(at, end - at)).has_value());
  CHECK(lines == 200);
}

TEST_CASE("console: a line takes the status line away, prints, and draws it again") {
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("NO_COLOR");
  const Screen screen(true);
  {
    Console console(screen.write_end);
    REQUIRE(console.is_terminal());
    CHECK(console.has_colour());
    console.set_status("50%");
    console.set_status("50%");  // unchanged: nothing to draw
    CHECK(screen.text() == "\r\x1b[K50%");
    console.print("hello");
    CHECK(screen.text() == "\r\x1b[Khello\r\n50%");
  }
  CHECK(screen.text() == "\r\x1b[K");
}

TEST_CASE("console: no status line off a terminal, no colours with NO_COLOR or a dumb terminal") {
  const Screen pipe(false);
  Console plain(pipe.write_end);
  plain.set_status("50%");
  CHECK(pipe.text().empty());
  const Screen screen(true);
  ::setenv("NO_COLOR", "1", 1);
  CHECK_FALSE(Console(screen.write_end).has_colour());
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  CHECK_FALSE(Console(screen.write_end).is_terminal());
  ::setenv("TERM", "xterm", 1);
}

TEST_CASE("log: level and format names") {
  CHECK(parse_level("warning") == Level::warn);
  CHECK(parse_level("trace") == Level::trace);
  CHECK_FALSE(parse_level("loud").has_value());
  CHECK(parse_log_format("json") == LogFormat::json);
  CHECK_FALSE(parse_log_format("xml").has_value());
}
