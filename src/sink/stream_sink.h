// The sink for what is just one stream: stdout, or a device such as /dev/null. Lines count as delivered
// when write(2) took their last byte and, where that is a pipe, its reader has taken them out.
#pragma once

#include "cdc/sink.h"
#include "sink/options.h"
#include "sink/stream_writer.h"

namespace cdc {

class StreamSink final : public Sink {
 public:
  // `fd` belongs to the caller when it is not `own`.
  StreamSink(int fd, bool own, std::string name, const SinkOptions& options, Runtime& runtime);

  Result<void> open(const std::vector<FilePosition>& committed) override;
  Result<void> write(const Destination& to, std::string_view lines, std::uint64_t count) override;
  Result<bool> taken() override { return writer_.wait_until_read(); }
  Result<std::vector<FilePosition>> flush() override;
  Result<void> committed() override { return {}; }
  Result<std::vector<FilePosition>> close() override { return flush(); }
  bool is_files() const override { return false; }

 private:
  void tell_cut(Error& error, std::string_view lines, std::size_t written);

  std::string name_;
  FsyncPolicy fsync_;
  Runtime& runtime_;
  StreamWriter writer_;
  bool dirty_ = false;
};

}  // namespace cdc
