// The sink for a named pipe: made when missing, waits for a reader, survives one that goes and comes.
// A reader that goes leaves bytes unread in the pipe: they are sent again to the next one, from the start
// of the line that was cut. flush() returns only when the reader has taken everything, so that an offset is
// never stored for lines that die with the pipe.
#pragma once

#include <string>

#include "cdc/buffer.h"
#include "cdc/sink.h"
#include "sink/options.h"
#include "sink/stream_writer.h"

namespace cdc {

class FifoSink final : public Sink {
 public:
  FifoSink(std::string path, const SinkOptions& options, Runtime& runtime);

  Result<void> open(const std::vector<FilePosition>& committed) override;
  Result<void> write(const Destination& to, std::string_view lines, std::uint64_t count) override;
  Result<std::vector<FilePosition>> flush() override;
  Result<void> committed() override { return {}; }
  Result<std::vector<FilePosition>> close() override { return flush(); }
  bool is_files() const override { return false; }

 private:
  Result<void> connect();
  // The reader is gone: puts what it did not take, from a line's start, into `again_`; `now` is what went
  // out of the write that failed.
  void recall(std::string_view now);
  Result<void> send(std::string_view lines);  // all of it, to as many readers as it takes
  Result<void> resend();
  void remember(std::string_view sent);

  std::string path_;
  Runtime& runtime_;
  StreamWriter writer_;
  std::size_t capacity_ = 0;  // of the pipe
  Buffer recent_;  // the last bytes that went out: all that can still lie in the pipe, from a line's start
  Buffer again_;   // to be sent to the next reader before anything else
};

}  // namespace cdc
