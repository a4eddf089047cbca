// Writing to stderr: one write(2) for each change of the screen, so that lines of several threads and
// the status line never mix.
#include "observe/console.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace cdc::observe {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

// systemd tells which device and inode the journal reads; a redirected stderr no longer matches.
bool read_by_journal(int fd) {
  const std::string_view stream = environment("JOURNAL_STREAM");
  struct stat info {};
  if (stream.empty() || fstat(fd, &info) != 0) return false;
  return stream == fmt::format("{}:{}", info.st_dev, info.st_ino);
}

// The POSIX order of the variables that decide the character set.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    return value.find("UTF-8") != std::string_view::npos || value.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace

Console::Console(int fd) : fd_(fd) {
  terminal_ = isatty(fd) == 1 && environment("TERM") != "dumb";
  colour_ = terminal_ && environment("NO_COLOR").empty();
  journal_ = !terminal_ && read_by_journal(fd);
  utf8_ = locale_is_utf8();
}

Console::~Console() { set_status({}); }

unsigned Console::width() const {
  winsize size{};
  if (ioctl(fd_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

void Console::print(std::string_view lines) {
  const std::lock_guard lock(mutex_);
  out_.clear();
  if (!status_.empty()) out_ += kClearLine;
  out_ += lines;
  if (lines.empty() || lines.back() != '\n') out_ += '\n';
  out_ += status_;
  put(out_);
}

void Console::set_status(std::string_view status) {
  if (!terminal_) return;
  const std::lock_guard lock(mutex_);
  if (status == status_) return;
  status_ = status;
  out_ = kClearLine;
  out_ += status_;
  put(out_);
}

void Console::put(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {  // someone who shares the terminal made it non-blocking
      pollfd wait{fd_, POLLOUT, 0};
      poll(&wait, 1, 1000);
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace cdc::observe
