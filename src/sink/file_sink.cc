// Life of a file: begin -> lines -> retire -> (flush, commit of the state) -> name_finished. A file that is
// written in place is retired at the end of the run and for a new {date} only; its first lines of a run lie
// in NAME.new until they are committed (file_join.h). One that replaces another lies in NAME.part until then.
#include "sink/file_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <tuple>

#include "sink/file_join.h"
#include "sink/file_recovery.h"
#include "sink/io_error.h"
#include "sink/line_cut.h"

namespace cdc {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kDay = 86'400'000;
// Steps backwards of the clock up to this (NTP) do not end a file.
constexpr std::int64_t kClockTolerance = 60'000;
// Compressed files: how many plain bytes go in between two looks at the size on disk.
constexpr std::uint64_t kCompressedStep = std::uint64_t{1} << 20;

std::int64_t day_of(std::int64_t ms) { return ms >= 0 ? ms / kDay : -((-ms + kDay - 1) / kDay); }

std::string with_suffix(const std::string& path, std::string_view suffix) {
  return path + std::string(suffix);
}

}  // namespace

FileSink::FileSink(PathTemplate name, const SinkOptions& options, Runtime& runtime, FileSystem& fs,
                   Clock clock)
    : name_(std::move(name)),
      options_(options),
      runtime_(runtime),
      fs_(fs),
      clock_(std::move(clock)),
      pool_(fs, options.max_open_files, options.max_buffered, name_.compressed() ? options.zstd_level : 0) {}

Result<void> FileSink::open(const std::vector<FilePosition>& committed) {
  CDC_CHECK(check_place());
  std::vector<FilePosition> wanted = committed;
  // What a run before has not finished goes away with the other leftovers.
  if (options_.mode == FileMode::replace)
    std::erase_if(wanted,
                  [](const FilePosition& file) { return !file.finished && file.path != file.final_path; });
  CDC_TRY(std::vector<FilePosition> files,
          recover_files(fs_, name_, wanted, replaces(), syncs(), runtime_.log));
  for (FilePosition& file : files) {
    const std::string key = name_.key_of(file);
    auto& channel = channels_[key];
    if (channel == nullptr) channel = std::make_unique<Channel>();
    // Of several files of one key only the newest is gone on with.
    const auto age = [](const FilePosition& f) { return std::tuple(!f.finished, f.sequence, f.opened_ms); };
    if (!channel->key.empty() && age(file) < age(channel->position)) continue;
    channel->key = key;
    channel->active = !file.finished && (!replaces() || file.path != file.final_path);
    channel->file.path = file.path;
    channel->file.length = file.length;
    channel->position = std::move(file);
  }
  return {};
}

// Whether files can be made where they are to lie, before anything is made elsewhere.
Result<void> FileSink::check_place() {
  const std::string folder = name_.constant_folder();
  CDC_CHECK(pool_.make_folders(folder));
  if (const int failed = fs_.may_write(folder); failed != 0)
    return io_fail(fs_, "make files in the folder", folder, failed);
  if (name_.has_values() || name_.has_date() || name_.has_sequence()) return {};
  const std::string path = name_.fixed_path();
  FileInfo info;
  int failed = fs_.stat(path, info);
  if (failed == -ENOENT) return {};
  if (failed == 0) failed = fs_.may_write(path);
  if (failed != 0) return io_fail(fs_, "write to", path, failed);
  return {};
}

FileSink::Channel& FileSink::channel(const Destination& to) {
  if (to.number >= by_number_.size()) by_number_.resize(to.number + std::size_t{1});
  Channel*& known = by_number_[to.number];
  if (known != nullptr) return *known;
  std::string key = name_.key(to);
  auto& channel = channels_[key];
  if (channel == nullptr) channel = std::make_unique<Channel>();
  channel->key = std::move(key);
  known = channel.get();
  return *known;
}

bool FileSink::outdated(const FilePosition& position) const {
  const bool timed = options_.rotate_time.count() != 0;
  if (!timed && !name_.has_date()) return false;
  const std::int64_t now = clock_(), age = now - position.opened_ms;
  if (age < 0) return age < -kClockTolerance;
  return (timed && age >= options_.rotate_time.count()) ||
         (name_.has_date() && day_of(now) != day_of(position.opened_ms));
}

FileSink::Room FileSink::room(const Channel& channel) const {
  const auto left = [](std::uint64_t limit, std::uint64_t used) {
    return limit == 0 ? kNoLimit : limit - std::min(limit, used);
  };
  Room room{left(options_.rotate_size, pool_.size(channel.file)),
            left(options_.rotate_events, channel.position.lines)};
  // What plain bytes come to when compressed is known only afterwards.
  if (name_.compressed() && options_.rotate_size != 0 && room.bytes != 0) room.bytes = kCompressedStep;
  return room;
}

Result<void> FileSink::write(const Destination& to, std::string_view lines, std::uint64_t count) {
  if (failed_) return tl::unexpected<Error>(*failed_);
  if (closed_) return fail(ErrorKind::internal, "lines were written to a sink that is closed");
  if (lines.empty()) return lasting(begin_empty(channel(to)));
  CDC_CHECK(lasting(write_lines(channel(to), lines, count)));
  runtime_.stats.bytes_written.fetch_add(lines.size(), std::memory_order_relaxed);
  runtime_.stats.events_written.fetch_add(count, std::memory_order_relaxed);
  return {};
}

Result<void> FileSink::write_lines(Channel& channel, std::string_view lines, std::uint64_t count) {
  while (!lines.empty()) {
    if (channel.active && outdated(channel.position)) CDC_CHECK(retire(channel));
    if (!channel.active) CDC_CHECK(begin(channel));
    const Room room = this->room(channel);
    LineCut cut{lines.size(), count};
    if (cut.bytes > room.bytes || cut.lines > room.lines) cut = cut_lines(lines, room.bytes, room.lines);
    if (cut.lines == 0) {
      // A line larger than the limit gets a file of its own.
      const bool full = room.bytes == 0 || room.lines == 0 || !name_.compressed();
      if (full && channel.position.lines != 0) {
        CDC_CHECK(retire(channel));
        continue;
      }
      cut = {first_line(lines), 1};
    }
    CDC_CHECK(pool_.append(channel.file, lines.substr(0, cut.bytes)));
    channel.position.lines += cut.lines;
    lines.remove_prefix(cut.bytes);
    count -= cut.lines;
    const Room after = this->room(channel);
    if (after.bytes == 0 || after.lines == 0) CDC_CHECK(retire(channel));
  }
  return {};
}

Result<void> FileSink::begin(Channel& channel) {
  const std::int64_t now = clock_();
  CDC_CHECK(name_.has_sequence() ? begin_numbered(channel, now)
            : replaces()         ? begin_replacement(channel, now)
                                 : begin_in_place(channel, now));
  channel.active = true;
  channel.retired = false;
  return {};
}

Result<void> FileSink::begin_numbered(Channel& channel, std::int64_t now) {
  FilePosition next;
  next.opened_ms = now;
  next.sequence = channel.position.sequence;
  FileInfo info;
  do {
    next.final_path = PathTemplate::path(channel.key, now, ++next.sequence);
    next.path = with_suffix(next.final_path, kPartSuffix);
  } while (fs_.stat(next.final_path, info) == 0 || fs_.stat(next.path, info) == 0);
  channel.position = std::move(next);
  channel.file.path = channel.position.path;
  channel.file.length = 0;
  channel.file.fresh = true;
  return {};
}

Result<void> FileSink::begin_replacement(Channel& channel, std::int64_t now) {
  FilePosition next;
  next.opened_ms = now;
  next.final_path = PathTemplate::path(channel.key, now, 0);
  next.path = with_suffix(next.final_path, kPartSuffix);
  FileInfo old;
  if (fs_.stat(next.final_path, old) == 0 && old.kind != FileInfo::Kind::regular)
    return fail(ErrorKind::sink, fmt::format("{} exists and is no regular file", next.final_path),
                "Move it away, or choose another --output");
  channel.position = std::move(next);
  channel.file.path = channel.position.path;
  channel.file.length = 0;
  channel.file.fresh = true;
  return {};
}

// Nothing to write: what is there of an earlier run must not be taken for what is true now.
Result<void> FileSink::begin_empty(Channel& channel) {
  if (!replaces() || channel.active || channel.retired) return {};
  FileInfo old;
  if (name_.has_values() && fs_.stat(PathTemplate::path(channel.key, clock_(), 0), old) == -ENOENT) return {};
  CDC_CHECK(begin(channel));
  return pool_.make_empty(channel.file);
}

Result<void> FileSink::begin_in_place(Channel& channel, std::int64_t now) {
  FilePosition next;
  next.opened_ms = now;
  next.final_path = PathTemplate::path(channel.key, now, 0);
  next.path = with_suffix(next.final_path, kNewSuffix);
  FileInfo old;
  const int found = fs_.stat(next.final_path, old);
  if (found != 0 && found != -ENOENT) return io_fail(fs_, "look at", next.final_path, found);
  if (found == 0 && old.kind != FileInfo::Kind::regular)
    return fail(ErrorKind::sink, fmt::format("{} exists and is no regular file", next.final_path),
                "Move it away, or choose another --output");
  FileInfo other;
  if (fs_.stat(next.path, other) == 0)
    return fail(ErrorKind::sink,
                fmt::format("{} is in use, by another process or because the clock went back over midnight",
                            next.path),
                "Give each process an --output of its own; if there is no other, start again");
  next.sequence = found == 0 ? old.size : 0;
  channel.file.path = next.path;
  channel.file.length = 0;
  channel.file.fresh = true;
  if (next.sequence != 0 && !name_.compressed()) {
    char last = '\n';
    const int fd = fs_.open(next.final_path, FileSystem::Open::read);
    if (fd < 0) return io_fail(fs_, "read", next.final_path, fd);
    fs_.read(fd, &last, 1, next.sequence - 1);
    fs_.close(fd);
    // Somebody's unfinished line: ours must not be glued to it.
    if (last != '\n') CDC_CHECK(pool_.append(channel.file, "\n"));
  }
  channel.position = std::move(next);
  new_.push_back(&channel);
  return {};
}

Result<void> FileSink::retire(Channel& channel) {
  CDC_CHECK(pool_.release(channel.file, syncs()));
  channel.position.length = channel.file.length;
  channel.position.finished = true;
  channel.active = false;
  channel.retired = true;
  retired_.push_back({channel.position, &channel});
  if (const auto at = std::find(new_.begin(), new_.end(), &channel); at != new_.end()) {
    if (static_cast<std::size_t>(at - new_.begin()) < announced_new_) --announced_new_;
    new_.erase(at);
  }
  return {};
}

std::vector<FilePosition> FileSink::positions() const {
  std::vector<FilePosition> out;
  out.reserve(retired_.size() + channels_.size());
  for (const Retired& file : retired_) out.push_back(file.position);
  for (const auto& [key, channel] : channels_) {
    if (channel->retired || channel->position.path.empty()) continue;
    out.push_back(channel->position);
    if (channel->active) out.back().length = channel->file.length;
  }
  return out;
}

Result<std::vector<FilePosition>> FileSink::settle_and_list() {
  CDC_CHECK(pool_.settle_all());
  if (options_.fsync == FsyncPolicy::commit) CDC_CHECK(pool_.sync_all());
  announced_ = retired_.size();
  announced_new_ = new_.size();
  return positions();
}

Result<std::vector<FilePosition>> FileSink::flush() {
  if (failed_) return tl::unexpected<Error>(*failed_);
  if (options_.rotate_time.count() != 0 || name_.has_date())
    for (const auto& [key, channel] : channels_)
      if (channel->active && outdated(channel->position)) CDC_CHECK(lasting(retire(*channel)));
  return lasting(settle_and_list());
}

Result<void> FileSink::name_finished(Retired& file) {
  FilePosition& position = file.position;
  if (position.path == with_suffix(position.final_path, kNewSuffix)) {
    CDC_TRY(position, join_new(fs_, position, syncs()));
  } else if (position.path != position.final_path) {
    const int failed = position.sequence == 0 ? fs_.rename_over(position.path, position.final_path)
                                              : fs_.rename_new(position.path, position.final_path);
    if (failed != 0) return io_fail(fs_, "rename " + position.path + " to", position.final_path, failed);
    pool_.touched_folder_of(position.final_path);
    position.path = position.final_path;
  }
  if (file.channel->retired && file.channel->position.final_path == position.final_path) {
    file.channel->position = position;
    file.channel->retired = false;
  }
  return {};
}

Result<void> FileSink::join(Channel& channel) {
  CDC_CHECK(pool_.release(channel.file, syncs()));
  channel.position.length = channel.file.length;
  CDC_TRY(channel.position, join_new(fs_, channel.position, syncs()));
  channel.file.path = channel.position.path;
  channel.file.length = channel.position.length;
  return {};
}

Result<void> FileSink::committed() {
  if (failed_) return tl::unexpected<Error>(*failed_);
  for (std::size_t i = 0; i < announced_; ++i) CDC_CHECK(lasting(name_finished(retired_[i])));
  retired_.erase(retired_.begin(), retired_.begin() + static_cast<std::ptrdiff_t>(announced_));
  for (std::size_t i = 0; i < announced_new_; ++i) CDC_CHECK(lasting(join(*new_[i])));
  new_.erase(new_.begin(), new_.begin() + static_cast<std::ptrdiff_t>(announced_new_));
  announced_ = announced_new_ = 0;
  // The next flush forgets the finished files, so their names must last by then.
  if (syncs()) CDC_CHECK(lasting(pool_.sync_folders()));
  return {};
}

Result<std::vector<FilePosition>> FileSink::close() {
  if (failed_) return tl::unexpected<Error>(*failed_);
  closed_ = true;
  if (!name_.has_values()) CDC_CHECK(lasting(begin_empty(channel({}))));
  CDC_CHECK(lasting(settle_and_list()));
  for (const auto& [key, channel] : channels_)
    if (channel->active) CDC_CHECK(lasting(retire(*channel)));
  return lasting(settle_and_list());
}

}  // namespace cdc
