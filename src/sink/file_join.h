// The first lines of a file that is written in place. Until the state knows the file, they lie in NAME.new
// beside it: a crash before the first commit must not leave lines that nobody can cut away again. The join
// can be done over at any time, from whatever a crash left of an earlier attempt.
#pragma once

#include "cdc/error.h"
#include "cdc/sink.h"
#include "sink/file_system.h"

namespace cdc {

inline constexpr std::string_view kPartSuffix = ".part";  // of a file that is renamed when finished
inline constexpr std::string_view kNewSuffix = ".new";    // of the first lines of a file written in place

// `file.path` is final_path + ".new", `file.length` its bytes that count, `file.sequence` the bytes that
// final_path had before. Gives the position of the whole, in final_path.
Result<FilePosition> join_new(FileSystem& fs, const FilePosition& file, bool sync);

// A file shorter or longer than it may be: somebody else has changed it. Kind sink.
Error changed_file(const std::string& path, std::uint64_t size, std::uint64_t expected);

// Cuts an existing file to `length` bytes, under its lock.
Result<void> cut_file(FileSystem& fs, const std::string& path, std::uint64_t length, bool sync);

}  // namespace cdc
