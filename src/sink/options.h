// What the sinks want to know, as a plain struct: the properties of the configuration, read once.
// No sink looks into Config itself, so that tests need none.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/sink.h"

namespace cdc {

// When bytes are forced to the disk.
enum class FsyncPolicy : std::uint8_t {
  commit,  // before every commit of the offset: survives power loss
  close,   // when a file is finished: survives a crash of the process, not of the machine
  never,   // left to the operating system
};

struct SinkOptions {
  std::string output = "-";         // "-", a path, a template, "fifo:PATH"
  std::uint64_t rotate_size = 0;    // bytes of the file as it lies on disk; 0: no limit
  std::uint64_t rotate_events = 0;  // lines; 0: no limit
  std::chrono::milliseconds rotate_time{0};
  FsyncPolicy fsync = FsyncPolicy::commit;
  FileMode mode = FileMode::grow;
  // On change events level 1 is twice as fast as zstd's own default of 3 and makes smaller files, too: what
  // repeats lies close together (32 MB of PostgreSQL events: 9.2 to 1 against 7.7 to 1).
  int zstd_level = 1;
  std::chrono::milliseconds drain{4000};  // how long a blocked write may go on after a stop request
  std::size_t max_open_files = 256;
  std::size_t max_buffered = std::size_t{4} << 20;  // bytes waiting in memory, all files together

  bool rotates() const { return rotate_size != 0 || rotate_events != 0 || rotate_time.count() != 0; }
};

Result<SinkOptions> sink_options_from(const Config& config);

}  // namespace cdc
