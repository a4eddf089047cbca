// Writing to something that may make us wait (pipe, terminal, socket) without ever being stuck in the
// kernel: every wait also watches the stop request. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/error.h"
#include "cdc/runtime.h"

namespace cdc {

// What was written to a pipe and not taken out yet; either end may be asked.
std::size_t unread_bytes(int pipe);

class StreamWriter {
 public:
  // `name`: for messages ("stdout"). `drain`: how long a blocked write may go on after a stop request.
  StreamWriter(const StopToken& stop, std::chrono::milliseconds drain, std::string name);
  ~StreamWriter();
  StreamWriter(const StreamWriter&) = delete;
  StreamWriter& operator=(const StreamWriter&) = delete;

  // Writes to `fd` from now on. `own`: close it in the end. Never changes the flags of a description that
  // other processes may share.
  void attach(int fd, bool own);
  void detach();
  bool attached() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool is_regular() const { return way_ == Way::regular; }

  // All of `data`; `written` tells how much went out, also on error. Kinds: sink_gone (nobody reads any
  // more), cancelled (stop was requested and the drain time is over), sink.
  Result<void> write(std::string_view data, std::size_t& written);
  // Waits until the reader of a pipe has taken out all that was written; what is no pipe counts as read.
  // False: it has taken nothing for a second. Kind sink_gone: it went away and left something unread.
  Result<bool> wait_until_read() const;
  // Waits until the descriptor takes bytes again (or `at_most` passed). Kind cancelled as above.
  Result<void> wait(short events, std::chrono::milliseconds at_most);

 private:
  enum class Way : unsigned char {
    regular,      // never blocks for long
    nonblocking,  // our own non-blocking description of the same pipe or terminal
    socket,       // send() with MSG_DONTWAIT
    chunked,      // blocking: only after poll, and no more than a pipe is bound to take at once
  };
  long write_some(std::string_view data) const;

  const StopToken& stop_;
  std::chrono::milliseconds drain_;
  std::string name_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  // set when the stop request was first seen
  int fd_ = -1;
  bool own_ = false;
  bool pipe_ = false;
  Way way_ = Way::regular;
};

}  // namespace cdc
