// Named pipes. How much the reader took is what was written less what still lies in the pipe (FIONREAD).
#include "sink/fifo_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "sink/io_error.h"
#include "sink/line_cut.h"

namespace cdc {
namespace {

constexpr std::chrono::milliseconds kLookForReader{50};

}  // namespace

FifoSink::FifoSink(std::string path, const SinkOptions& options, Runtime& runtime)
    : path_(std::move(path)), runtime_(runtime), writer_(runtime.stop, options.drain, path_) {}

Result<void> FifoSink::open(const std::vector<FilePosition>&) {
  struct stat st {};
  if (::stat(path_.c_str(), &st) != 0) {
    if (errno != ENOENT) return io_fail(posix_file_system(), "look at", path_, errno);
    if (::mkfifo(path_.c_str(), 0600) != 0 && errno != EEXIST)
      return io_fail(posix_file_system(), "make the named pipe", path_, errno);
    return {};
  }
  if (!S_ISFIFO(st.st_mode))
    return fail(ErrorKind::usage, fmt::format("{} exists and is no named pipe", path_),
                "Name another path after fifo:, or write to the file without fifo:");
  if (::access(path_.c_str(), W_OK) != 0) return io_fail(posix_file_system(), "write to", path_, errno);
  return {};
}

Result<void> FifoSink::connect() {
  if (writer_.attached()) return {};
  for (bool told = false;;) {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
      const int size = ::fcntl(fd, F_GETPIPE_SZ);
      capacity_ = size > 0 ? static_cast<std::size_t>(size) : std::size_t{1} << 16;
      writer_.attach(fd, true);
      if (told) runtime_.log.info(fmt::format("{} has a reader", path_));
      return {};
    }
    if (errno != ENXIO && errno != EINTR)
      return io_fail(posix_file_system(), "open the named pipe", path_, errno);
    if (!told) runtime_.log.info(fmt::format("waiting for a reader of {}", path_));
    told = true;
    if (runtime_.stop.wait_for(kLookForReader))
      return fail(ErrorKind::cancelled, fmt::format("stopped while {} had no reader", path_));
  }
}

void FifoSink::remember(std::string_view sent) {
  // Only what the pipe can hold, and the whole of the line that this begins in. A line may have begun
  // before `sent`, in a write that lost its reader.
  const std::size_t from = line_start(sent, sent.size() - std::min(sent.size(), capacity_));
  if (from > 0) recent_.clear();
  recent_.append(sent.substr(from));
  if (recent_.size() < 4 * capacity_) return;
  Buffer tail;
  tail.append(recent_.view(line_start(recent_.view(), recent_.size() - capacity_)));
  recent_ = std::move(tail);
}

void FifoSink::recall(std::string_view now) {
  const std::size_t left = unread_bytes(writer_.fd());
  writer_.detach();  // drops what lies in the pipe: nobody has it open any more
  recent_.append(now);
  const std::size_t taken = recent_.size() - std::min(left, recent_.size());
  const std::size_t from = line_start(recent_.view(), taken);
  Buffer rest;
  rest.append(recent_.view(from));
  rest.append(again_.view());
  again_ = std::move(rest);
  recent_.clear();
  runtime_.log.info(fmt::format("the reader of {} went away; {} bytes will be sent again to the next one",
                                path_, again_.size()));
}

Result<void> FifoSink::resend() {
  while (!again_.empty()) {
    CDC_CHECK(connect());
    const Buffer lines = std::move(again_);
    again_ = Buffer();
    std::size_t written = 0;
    auto done = writer_.write(lines.view(), written);
    if (done) {
      remember(lines.view());
      return {};
    }
    if (done.error().kind != ErrorKind::sink_gone) return done;
    again_.append(lines.view(written));
    recall(lines.view().substr(0, written));
  }
  return {};
}

Result<void> FifoSink::send(std::string_view lines) {
  for (;;) {
    CDC_CHECK(connect());
    CDC_CHECK(resend());
    if (!writer_.attached()) continue;
    std::size_t written = 0;
    auto done = writer_.write(lines, written);
    if (done) {
      remember(lines);
      return {};
    }
    if (done.error().kind != ErrorKind::sink_gone) return done;
    recall(lines.substr(0, written));
    lines.remove_prefix(written);
  }
}

Result<void> FifoSink::write(const Destination&, std::string_view lines, std::uint64_t count) {
  if (lines.empty()) return {};
  CDC_CHECK(send(lines));
  runtime_.stats.bytes_written.fetch_add(lines.size(), std::memory_order_relaxed);
  runtime_.stats.events_written.fetch_add(count, std::memory_order_relaxed);
  return {};
}

Result<std::vector<FilePosition>> FifoSink::flush() {
  std::chrono::microseconds pause{50};
  while (!recent_.empty() || !again_.empty()) {
    CDC_CHECK(resend());
    if (!writer_.attached()) continue;
    if (unread_bytes(writer_.fd()) == 0) break;
    pollfd p{writer_.fd(), 0, 0};
    if (::poll(&p, 1, 0) > 0 && (p.revents & POLLERR) != 0) {
      recall({});
      continue;
    }
    // Pipes tell nobody that they are empty, so we look again, less and less often.
    if (pause < std::chrono::milliseconds(1)) {
      ::usleep(static_cast<useconds_t>(pause.count()));
    } else {
      CDC_CHECK(writer_.wait(0, std::chrono::duration_cast<std::chrono::milliseconds>(pause)));
    }
    pause = std::min<std::chrono::microseconds>(pause * 2, std::chrono::milliseconds(20));
  }
  recent_.clear();
  return std::vector<FilePosition>{};
}

}  // namespace cdc
