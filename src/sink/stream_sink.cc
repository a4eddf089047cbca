// stdout and devices. What is special here: a line that was cut by an error is taken back from a regular
// file where that is possible, and told about where it is not.
#include "sink/stream_sink.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "sink/io_error.h"
#include "sink/line_cut.h"

namespace cdc {

StreamSink::StreamSink(int fd, bool own, std::string name, const SinkOptions& options, Runtime& runtime)
    : name_(name),
      fsync_(options.fsync),
      runtime_(runtime),
      writer_(runtime.stop, options.drain, std::move(name)) {
  writer_.attach(fd, own);
}

Result<void> StreamSink::open(const std::vector<FilePosition>&) { return {}; }

Result<void> StreamSink::write(const Destination&, std::string_view lines, std::uint64_t count) {
  std::size_t written = 0;
  auto done = writer_.write(lines, written);
  runtime_.stats.bytes_written.fetch_add(written, std::memory_order_relaxed);
  dirty_ = dirty_ || written != 0;
  if (done) {
    runtime_.stats.events_written.fetch_add(count, std::memory_order_relaxed);
  } else {
    tell_cut(done.error(), lines, written);
  }
  return done;
}

void StreamSink::tell_cut(Error& error, std::string_view lines, std::size_t written) {
  const std::size_t torn = written - line_start(lines, written);
  if (torn == 0) return;
  if (writer_.is_regular()) {
    const off_t here = ::lseek(writer_.fd(), 0, SEEK_CUR);
    const off_t end = ::lseek(writer_.fd(), 0, SEEK_END);
    const auto whole = here - static_cast<off_t>(torn);
    // Only when nobody else has written behind us.
    if (here > 0 && here == end && ::ftruncate(writer_.fd(), whole) == 0 &&
        ::lseek(writer_.fd(), whole, SEEK_SET) == whole)
      return;
  }
  error.message += fmt::format("; the last {} bytes of {} are the beginning of a line", torn, name_);
}

Result<std::vector<FilePosition>> StreamSink::flush() {
  if (dirty_ && writer_.is_regular() && fsync_ == FsyncPolicy::commit) {
    const int failed = ::fdatasync(writer_.fd()) == 0 ? 0 : errno;
    // Devices cannot be synced, and need not be.
    if (failed != 0 && failed != EINVAL && failed != EROFS && failed != ENOTSUP)
      return tl::unexpected<Error>(stream_error("sync", name_, failed));
  }
  dirty_ = false;
  return std::vector<FilePosition>{};
}

}  // namespace cdc
