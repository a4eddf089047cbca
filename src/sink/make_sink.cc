// --output -> sink: stdout, named pipe, device, or files.
#include "sink/make_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

#include "cdc/wall_clock.h"
#include "sink/fifo_sink.h"
#include "sink/file_sink.h"
#include "sink/io_error.h"
#include "sink/stream_sink.h"

namespace cdc {
namespace {

constexpr std::array<std::string_view, 4> kStdoutNames{"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
constexpr std::string_view kFifoPrefix = "fifo:";

Result<void> refuse_rotation(const SinkOptions& options) {
  if (!options.rotates()) return {};
  return fail(ErrorKind::usage, fmt::format("the output {} cannot be rotated", options.output),
              "Name a file with --output, or leave --rotate-size, --rotate-time and --rotate-events out");
}

Result<std::unique_ptr<Sink>> device_sink(const SinkOptions& options, Runtime& runtime) {
  const int fd = ::open(options.output.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return io_fail(posix_file_system(), "open", options.output, errno);
  return std::make_unique<StreamSink>(fd, true, options.output, options, runtime);
}

Result<std::unique_ptr<Sink>> file_sink(const SinkOptions& options, Runtime& runtime) {
  std::error_code error;
  const std::string base = std::filesystem::current_path(error).string();
  if (error)
    return fail(ErrorKind::sink, "cannot tell the working folder: " + error.message(),
                "Use an absolute --output");
  CDC_TRY(PathTemplate name, PathTemplate::parse(options.output, options.rotates(), base));
  return std::make_unique<FileSink>(std::move(name), options, runtime, posix_file_system(), wall_clock_ms);
}

}  // namespace

Result<std::unique_ptr<Sink>> make_sink(const SinkOptions& options, Runtime& runtime) {
  const std::string& output = options.output;
  for (const std::string_view name : kStdoutNames) {
    if (output != name) continue;
    CDC_CHECK(refuse_rotation(options));
    return std::make_unique<StreamSink>(STDOUT_FILENO, false, "stdout", options, runtime);
  }
  std::string fifo;
  if (output.starts_with(kFifoPrefix)) {
    fifo = output.substr(kFifoPrefix.size());
    if (fifo.empty()) return fail(ErrorKind::usage, "the output fifo: names no path", "Write fifo:PATH");
  }
  FileInfo info;
  if (fifo.empty() && posix_file_system().stat(output, info) == 0) {
    switch (info.kind) {
      case FileInfo::Kind::regular:
        break;
      case FileInfo::Kind::fifo:
        fifo = output;
        break;
      case FileInfo::Kind::character: {
        CDC_CHECK(refuse_rotation(options));
        return device_sink(options, runtime);
      }
      case FileInfo::Kind::folder:
        return fail(ErrorKind::usage, fmt::format("the output {} is a folder", output),
                    fmt::format("Name files in it, for example {}/{{schema}}.{{table}}.ndjson", output));
      case FileInfo::Kind::other:
        return fail(ErrorKind::usage, fmt::format("the output {} is neither a file nor a named pipe", output),
                    "Choose another --output");
    }
  }
  if (fifo.empty()) return file_sink(options, runtime);
  CDC_CHECK(refuse_rotation(options));
  return std::make_unique<FifoSink>(std::move(fifo), options, runtime);
}

}  // namespace cdc
