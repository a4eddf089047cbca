// The words for a failed call to the operating system, of files and of streams alike.
#pragma once

#include <string>
#include <string_view>

#include "cdc/error.h"
#include "sink/file_system.h"

namespace cdc {

// "cannot write to /data/out.ndjson: No space left on device (0 bytes free)" with a hint by errno.
// `attempt`: "write to", "rename". `code`: errno, of either sign. Kind sink.
Error io_error(FileSystem& fs, std::string_view attempt, const std::string& path, int code);
// The same for something that is not in a file system (stdout).
Error stream_error(std::string_view attempt, std::string_view name, int code);

inline tl::unexpected<Error> io_fail(FileSystem& fs, std::string_view attempt, const std::string& path,
                                     int code) {
  return tl::unexpected<Error>(io_error(fs, attempt, path, code));
}

}  // namespace cdc
