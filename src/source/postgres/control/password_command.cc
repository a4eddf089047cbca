// Runs the password command with a deadline and the stop request in view.
#include "source/postgres/control/password_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

extern char** environ;

namespace cdc::pg {
namespace {

constexpr std::chrono::seconds kLimit{30};

struct Pipe {
  int ends[2] = {-1, -1};
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  void close_end(int i) {
    if (ends[i] >= 0) ::close(ends[i]);
    ends[i] = -1;
  }
};

enum class Read : std::uint8_t { done, timeout, stopped };

Read read_all(int fd, const StopToken& stop, std::string& out) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  char buffer[4096];
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
    if (left <= 0) return Read::timeout;
    pollfd fds[2] = {{fd, POLLIN, 0}, {stop.fd(), POLLIN, 0}};
    if (::poll(fds, 2, static_cast<int>(left)) < 0 && errno != EINTR) return Read::timeout;
    if (stop.requested()) return Read::stopped;
    if (fds[0].revents == 0) continue;
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n <= 0) return Read::done;
    if (out.size() < 65536) out.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

Result<std::string> run_password_command(const std::string& command, const StopToken& stop) {
  constexpr std::string_view hint =
      "run it in a shell: it must print the password on one line and exit with 0";
  Pipe pipe;
  if (::pipe2(pipe.ends, O_CLOEXEC) != 0)
    return fail(ErrorKind::refused,
                fmt::format("database.password.command cannot be run: {}", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, pipe.ends[1], STDOUT_FILENO);
  std::string shell = "sh", flag = "-c", text = command;
  char* arguments[] = {shell.data(), flag.data(), text.data(), nullptr};
  pid_t pid = 0;
  const int spawned = ::posix_spawn(&pid, "/bin/sh", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0)
    return fail(ErrorKind::refused,
                fmt::format("database.password.command cannot be run: {}", std::strerror(spawned)));
  pipe.close_end(1);

  std::string out;
  const Read read = read_all(pipe.ends[0], stop, out);
  if (read != Read::done) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (read == Read::stopped) return fail(ErrorKind::cancelled, "stopped while database.password.command ran");
  if (read == Read::timeout)
    return fail(ErrorKind::refused, "database.password.command did not end within 30 s", std::string(hint));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return fail(ErrorKind::refused,
                fmt::format("database.password.command failed with status {}",
                            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)),
                std::string(hint));
  out.resize(out.find('\n') == std::string::npos ? out.size() : out.find('\n'));
  if (!out.empty() && out.back() == '\r') out.pop_back();
  if (out.empty())
    return fail(ErrorKind::refused, "database.password.command printed no password", std::string(hint));
  return out;
}

}  // namespace cdc::pg
