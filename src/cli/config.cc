// `cdc config`.
#include <unistd.h>

#include "cli/commands.h"
#include "cli/failure.h"

namespace cdc::cli {
namespace {

constexpr Example kExamples[] = {
    {"What is in effect, and where it comes from", "cdc config -c shop.yaml -s snapshot.mode=no_data"},
    {"A Debezium connector, read as it is", "cdc config -c connector.json"},
    {"What a property means", "cdc config --reference | less"},
    {"Where cdc and Debezium differ on purpose", "cdc config --differences"},
};

std::string_view severity_name(ConfigProblem::Severity severity) {
  switch (severity) {
    case ConfigProblem::Severity::error:
      return "error";
    case ConfigProblem::Severity::warning:
      return "warning";
    default:
      return "notice";
  }
}

Result<int> run(const Invocation& invocation) {
  if (invocation.has("--markdown") && !invocation.has("--reference"))
    return fail(ErrorKind::usage, "--markdown has no meaning here", "it goes with --reference");
  if (invocation.has("--reference")) {
    CDC_CHECK(print(render_reference(invocation.has("--markdown"))));
    return 0;
  }
  if (invocation.has("--differences")) {
    CDC_CHECK(print(render_differences()));
    return 0;
  }
  // What can be told is told even when some of it is wrong: that is when one looks.
  const ConfigReport report = read_config(invocation.config);
  CDC_CHECK(print(render_config(report.config, invocation.has("--all"))));
  observe::Console console(STDERR_FILENO);
  for (const ConfigProblem& problem : report.problems)
    console.print(std::string(severity_name(problem.severity)) + ": " +
                  observe::one_line(problem_line(problem)));
  return report.has_errors() ? exit_status(ErrorKind::usage) : 0;
}

}  // namespace

constinit const Command config_command{
    "config",
    "[URL]",
    "Show the effective configuration and what is wrong with it",
    "Reads files, URL, -s and options as the other commands do and prints the result as YAML that can be "
    "loaded again, "
    "each value with its origin, secrets hidden. Problems go to stderr; with an error the status is 2. No "
    "server is asked.",
    kExamples,
    0,
    true,
    run,
};

}  // namespace cdc::cli
