// Words of failures, and stdout with every error looked at: `cdc config >/dev/full` must not exit 0.
#include "cli/failure.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cdc::cli {
namespace {

// A message of several lines (one a wrong property) gets the word before each of them.
std::string labelled(std::string_view label, std::string_view colour, std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = observe::one_line(text.substr(at, end - at));
    at = end + 1;
    if (line.empty()) continue;
    out += colour.empty() ? fmt::format("{}: {}\n", label, line)
                          : fmt::format("{}{}:\x1b[0m {}\n", colour, label, line);
  }
  return out;
}

}  // namespace

int report_failure(const Error& error, observe::Console& console, observe::RunLog& log) {
  if (error.kind == ErrorKind::cancelled || error.kind == ErrorKind::sink_gone)
    return exit_status(error.kind);
  if (log.format() == observe::LogFormat::json) {
    log.write(Level::error, "failed", error.message,
              {{"kind", std::string(kind_name(error.kind))}, {"hint", error.hint}});
    return exit_status(error.kind);
  }
  const bool colour = console.has_colour();
  console.print((console.is_journal() ? "<3>" : "") +
                labelled("error", colour ? "\x1b[31m" : "", error.message) +
                labelled("hint", colour ? "\x1b[36m" : "", error.hint));
  return exit_status(error.kind);
}

Result<void> print(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EPIPE) {
      return fail(ErrorKind::sink_gone, "the reader of stdout went away");
    } else if (errno == EAGAIN) {  // someone who shares the pipe made it non-blocking
      pollfd wait{STDOUT_FILENO, POLLOUT, 0};
      poll(&wait, 1, 1000);
    } else if (errno != EINTR) {
      return fail(ErrorKind::sink, fmt::format("cannot write to stdout: {}", std::strerror(errno)));
    }
  }
  return {};
}

}  // namespace cdc::cli
