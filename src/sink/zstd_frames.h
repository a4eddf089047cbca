// Streaming zstd: bytes in, finished frames out. One compressor serves all files one after the other,
// because a context takes megabytes; a frame never spans a change of file or a commit.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "cdc/error.h"

namespace cdc {

class ZstdFrames {
 public:
  using Output = std::function<Result<void>(std::string_view)>;

  explicit ZstdFrames(int level);
  ~ZstdFrames();
  ZstdFrames(const ZstdFrames&) = delete;
  ZstdFrames& operator=(const ZstdFrames&) = delete;

  // Compresses `bytes` into the open frame (opens one when there is none); output comes as it fills.
  Result<void> add(std::string_view bytes, const Output& output);
  // A frame of nothing.
  Result<void> empty(const Output& output);
  // Closes the frame, if one is open.
  Result<void> end(const Output& output);
  bool open() const { return open_; }

 private:
  struct State;
  Result<void> run(std::string_view bytes, bool end, const Output& output);
  std::unique_ptr<State> state_;
  bool open_ = false;
};

}  // namespace cdc
