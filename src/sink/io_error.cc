// errno -> message and hint, by one table.
#include "sink/io_error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace cdc {
namespace {

struct Row {
  int code;
  std::string_view hint;
};
constexpr std::string_view kSpaceHint =
    "Free some space (or raise the quota) and start again: nothing is lost, what was written after the last "
    "stored position is "
    "written anew";
constexpr std::array kHints{
    Row{ENOSPC, kSpaceHint},
    Row{EDQUOT, kSpaceHint},
    Row{EFBIG, "The file system or a limit (ulimit -f) allows no larger file; use --rotate-size"},
    Row{EROFS, "The file system is mounted read-only; choose another place with --output"},
    Row{EACCES,
        "Give the user that runs cdc the right to write there, or choose another place with --output"},
    Row{EPERM, "Give the user that runs cdc the right to write there, or choose another place with --output"},
    Row{EIO,
        "The disk reports an error; see the kernel log, then start again: the last stored position is still "
        "good"},
    Row{ENAMETOOLONG, "Use fewer or shorter parts in the --output template"},
    Row{EMFILE, "Raise the limit of open files (ulimit -n)"},
    Row{ENFILE, "The machine has no free file handles"},
    Row{ENOTDIR, "A part of the path is a file where a folder is needed"},
    Row{EISDIR, "The path is a folder; name a file in it"},
    Row{EEXIST, "Move that file away, or choose another --output"},
    Row{EWOULDBLOCK, "Another process writes this file; give each its own --output"},
};

std::string_view hint_of(int code) {
  for (const Row& row : kHints)
    if (row.code == code) return row.hint;
  return {};
}

std::string text_of(int code) { return std::error_code(code, std::generic_category()).message(); }

}  // namespace

Error io_error(FileSystem& fs, std::string_view attempt, const std::string& path, int code) {
  code = std::abs(code);
  std::string message = fmt::format("cannot {} {}: {}", attempt, path, text_of(code));
  if (code == ENOSPC || code == EDQUOT || code == EIO)
    message += fmt::format(" ({} bytes free)", fs.free_bytes(path));
  return Error{ErrorKind::sink, std::move(message), std::string(hint_of(code)), {}, false};
}

Error stream_error(std::string_view attempt, std::string_view name, int code) {
  code = std::abs(code);
  return Error{ErrorKind::sink,
               fmt::format("cannot {} {}: {}", attempt, name, text_of(code)),
               std::string(hint_of(code)),
               {},
               false};
}

}  // namespace cdc
