// The executable: reads the command line, runs a command, turns its end into an exit status.
#include <fcntl.h>
#include <unistd.h>

#include <exception>

#include "cli/command.h"
#include "cli/failure.h"
#include "cli/help.h"
#include "cli/parse.h"

namespace {

using namespace cdc;
using namespace cdc::cli;

// A closed standard descriptor would be given to the next file opened, a database socket for instance,
// and events would be written into it. A placeholder that cannot be written makes that an error instead.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0) [[maybe_unused]]
      const int opened = open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

Result<int> answer(const Request& request) {
  switch (request.kind) {
    case Request::Kind::version:
      CDC_CHECK(print(version_text()));
      return 0;
    case Request::Kind::help:
      CDC_CHECK(print(help_about(request.topic)));
      return 0;
    case Request::Kind::short_help: {
      observe::Console(STDERR_FILENO).print(short_help());
      return exit_status(ErrorKind::usage);
    }
    case Request::Kind::run:
      return request.invocation.command->run(request.invocation);
  }
  return exit_status(ErrorKind::internal);
}

int run(const std::vector<std::string>& arguments) {
  const auto outcome = [&]() -> Result<int> {
    try {
      CDC_TRY(const Request request, parse(arguments));
      return answer(request);
    } catch (const std::exception& error) {
      return fail(ErrorKind::internal, std::string("unexpected: ") + error.what(),
                  "this is a bug of cdc; please report it");
    }
  }();
  if (outcome) return *outcome;
  const auto format = observe::parse_log_format(early_value(arguments, "--log-format"));
  observe::Console console(STDERR_FILENO);
  const auto log = observe::make_log(Level::error, format.value_or(observe::LogFormat::text), console);
  return report_failure(outcome.error(), console, *log);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  return run({argv + (argc > 0 ? 1 : 0), argv + argc});
}
