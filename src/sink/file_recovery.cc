// One file at a time: what the state says about it, what lies on disk, what follows from both.
#include "sink/file_recovery.h"

#include <fmt/format.h>

#include <cerrno>
#include <optional>
#include <set>

#include "sink/file_join.h"
#include "sink/io_error.h"

namespace cdc {
namespace {

using Outcome = Result<std::optional<FilePosition>>;  // nothing: no longer ours to go on with

class Recovery {
 public:
  Recovery(FileSystem& fs, bool leaves_finished, bool sync, Log& log)
      : fs_(fs), leaves_finished_(leaves_finished), sync_(sync), log_(log) {}

  Outcome recover(const FilePosition& file) {
    if (file.path == file.final_path + std::string(kNewSuffix)) return recover_new(file);
    if (file.path != file.final_path && file.finished) return recover_rename(file);
    if (leaves_finished_ && file.finished)
      return file;  // done long ago: where it is now is the reader's business
    return recover_length(file);
  }

 private:
  // Size of a file, nothing when it is missing.
  Result<std::optional<std::uint64_t>> size_of(const std::string& path) {
    FileInfo info;
    const int found = fs_.stat(path, info);
    if (found == -ENOENT || found == -ENOTDIR) return std::nullopt;
    if (found != 0) return io_fail(fs_, "look at", path, found);
    if (info.kind != FileInfo::Kind::regular)
      return fail(ErrorKind::sink, fmt::format("{} was a file of ours and is none any more", path),
                  "Move what lies there away, or choose another --output");
    return info.size;
  }

  Outcome recover_length(const FilePosition& file) {
    CDC_TRY(const auto size, size_of(file.path));
    // After an orderly end the file is its reader's: it may have been taken away or emptied since.
    if (file.length == 0 && !size) return std::nullopt;
    if (file.finished && size.value_or(0) == 0) {
      log_.info(fmt::format("{} was taken away since the last run; starting a new one", file.path));
      return std::nullopt;
    }
    if (!size)
      return fail(ErrorKind::sink,
                  fmt::format("{} is missing; {} bytes were stored as written to it", file.path, file.length),
                  "Put it back, or go on in another file with a new --output; the events it held are not "
                  "written again");
    if (*size < file.length) return tl::unexpected<Error>(changed_file(file.path, *size, file.length));
    if (*size > file.length && file.finished) {
      log_.warn(fmt::format("{} grew by {} bytes since the last run, which are not ours; they are kept",
                            file.path, *size - file.length));
      return std::nullopt;
    }
    if (*size > file.length) {
      CDC_CHECK(cut_file(fs_, file.path, file.length, sync_));
      log_.debug(fmt::format("cut {} bytes that were not committed from {}", *size - file.length, file.path));
    }
    return file;
  }

  Outcome recover_rename(const FilePosition& file) {
    FilePosition done = file;
    done.path = file.final_path;
    CDC_TRY(const auto size, size_of(file.path));
    if (!size) return done;  // renamed already; a reader may even have taken it
    if (*size < file.length) return tl::unexpected<Error>(changed_file(file.path, *size, file.length));
    if (*size > file.length) CDC_CHECK(cut_file(fs_, file.path, file.length, sync_));
    // A file without a number takes the place of an older one.
    const int failed = file.sequence == 0 ? fs_.rename_over(file.path, file.final_path)
                                          : fs_.rename_new(file.path, file.final_path);
    if (failed != 0) return io_fail(fs_, "rename " + file.path + " to", file.final_path, failed);
    CDC_CHECK(sync_folder(file.final_path));
    return done;
  }

  Outcome recover_new(const FilePosition& file) {
    CDC_TRY(const auto size, size_of(file.path));
    if (size) {
      CDC_TRY(FilePosition whole, join_new(fs_, file, sync_));
      return whole;
    }
    // Joined already; the file may have grown since without a commit.
    FilePosition whole = file;
    whole.path = file.final_path;
    whole.length = file.sequence + file.length;
    whole.sequence = 0;
    return recover_length(whole);
  }

  Result<void> sync_folder(const std::string& path) {
    if (!sync_) return {};
    const std::string folder = folder_of(path);
    if (const int failed = fs_.sync_folder(folder); failed != 0)
      return io_fail(fs_, "sync the folder", folder, failed);
    return {};
  }

  FileSystem& fs_;
  bool leaves_finished_, sync_;
  Log& log_;
};

// Unfinished files of runs that died before their first commit. One that another process has locked is
// left alone: that process is alive.
Result<void> remove_leftovers(FileSystem& fs, const PathTemplate& name, const std::set<std::string>& known,
                              Log& log) {
  for (const std::string_view suffix : {kPartSuffix, kNewSuffix}) {
    const PathTemplate::Found found = name.find(fs, suffix);
    for (const std::string& folder : found.unreadable)
      log.warn_once("unreadable " + folder, "cannot look for unfinished files in " + folder);
    for (const std::string& path : found.files) {
      if (known.contains(path)) continue;
      const int fd = fs.open(path, FileSystem::Open::append);
      if (fd < 0) return io_fail(fs, "open", path, fd);
      const bool alive = fs.lock(fd) == -EWOULDBLOCK;
      const int removed = alive ? 0 : fs.remove(path);
      fs.close(fd);
      if (removed != 0 && removed != -ENOENT) return io_fail(fs, "remove", path, removed);
      log.debug(alive ? fmt::format("{} is written by another process; left alone", path)
                      : fmt::format("removed {}, which no run has committed", path));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<FilePosition>> recover_files(FileSystem& fs, const PathTemplate& name,
                                                const std::vector<FilePosition>& committed, bool replaces,
                                                bool sync, Log& log) {
  Recovery recovery(fs, name.has_sequence() || replaces, sync, log);
  std::vector<FilePosition> files;
  std::set<std::string> known;
  for (const FilePosition& file : committed) {
    auto outcome = recovery.recover(file);
    if (!name.matches(file.final_path)) {
      if (!outcome)
        log.info(fmt::format("{} belongs to another --output and is left alone: {}", file.path,
                             outcome.error().message));
      continue;
    }
    if (!outcome) return tl::unexpected<Error>(std::move(outcome).error());
    if (!*outcome) continue;
    known.insert((*outcome)->path);
    files.push_back(std::move(**outcome));
  }
  CDC_CHECK(remove_leftovers(fs, name, known, log));
  return files;
}

}  // namespace cdc
