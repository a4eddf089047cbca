// How a failure reads, and which status it ends with.
#include "cli/failure.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

using namespace cdc;
using namespace cdc::cli;
using observe::LogFormat;

namespace {

struct Told {
  int status;
  std::string text;
};

Told tell(const Error& error, LogFormat format) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0);
  Told told;
  {
    observe::Console console(ends[1]);
    const auto log = observe::make_log(Level::error, format, console);
    told.status = report_failure(error, console, *log);
  }
  char chunk[4096];
  if (const ssize_t n = ::read(ends[0], chunk, sizeof chunk); n > 0)
    told.text.assign(chunk, static_cast<std::size_t>(n));
  ::close(ends[0]);
  ::close(ends[1]);
  return told;
}

}  // namespace

TEST_CASE("failure: message and hint, one line each; several problems one line each") {
  const Told told =
      tell({ErrorKind::usage, "a.yaml:1: x\na.yaml:2: y\n", "mend\tit", {}, false}, LogFormat::text);
  CHECK(told.status == 2);
  CHECK(told.text == "error: a.yaml:1: x\nerror: a.yaml:2: y\nhint: mend it\n");
  CHECK(tell({ErrorKind::position_lost, "gone", "", {}, false}, LogFormat::text).text == "error: gone\n");
}

TEST_CASE("failure: as the log event `failed` with kind and hint") {
  const Told told = tell({ErrorKind::position_lost, "gone", "start over", {}, false}, LogFormat::json);
  CHECK(told.status == 4);
  CHECK(told.text.find(R"("event":"failed","message":"gone","kind":"position_lost","hint":"start over"})") !=
        std::string::npos);
}

TEST_CASE("failure: an orderly stop and a reader that left are silent") {
  CHECK(tell({ErrorKind::cancelled, "x", "", {}, false}, LogFormat::text).text.empty());
  CHECK(tell({ErrorKind::cancelled, "x", "", {}, false}, LogFormat::text).status == 0);
  const Told told = tell({ErrorKind::sink_gone, "x", "", {}, false}, LogFormat::json);
  CHECK(told.text.empty());
  CHECK(told.status == 141);
}
