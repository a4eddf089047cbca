// Descriptors are closed least recently used first and opened again for appending when needed.
#include "sink/file_pool.h"

#include <fmt/format.h>

#include <cerrno>

#include "sink/io_error.h"

namespace cdc {
namespace {

constexpr std::size_t kBuffered = std::size_t{1} << 16;  // one file's buffer; larger pieces go past it
constexpr std::size_t kSyncOneByOne = 32;                // more files than that are cheaper by syncfs

}  // namespace

FilePool::FilePool(FileSystem& fs, std::size_t max_open, std::size_t max_waiting, int zstd_level)
    : fs_(fs),
      max_open_(max_open == 0 ? 1 : max_open),
      max_waiting_(max_waiting),
      zstd_(zstd_level == 0 ? nullptr : std::make_unique<ZstdFrames>(zstd_level)) {}

FilePool::~FilePool() {
  while (!open_.empty()) close_descriptor(*open_.front());
}

std::uint64_t FilePool::size(const PooledFile& file) const {
  return zstd_ != nullptr ? file.length : file.length + file.waiting.size();
}

Result<void> FilePool::append(PooledFile& file, std::string_view bytes) {
  if (bytes.empty()) return {};
  if (file.waiting.empty() && bytes.size() >= kBuffered) return store(file, bytes);
  if (file.waiting.size() + bytes.size() > kBuffered) {
    CDC_CHECK(take_waiting(file));
    if (bytes.size() >= kBuffered) return store(file, bytes);
  }
  file.waiting.append(bytes);
  waiting_ += bytes.size();
  with_waiting_.insert(&file);
  if (waiting_ <= max_waiting_) return {};
  while (!with_waiting_.empty()) {
    PooledFile& next = **with_waiting_.begin();
    CDC_CHECK(take_waiting(next));
    next.waiting.shrink_above(0);
  }
  return {};
}

Result<void> FilePool::make_empty(PooledFile& file) {
  CDC_CHECK(open(file));
  if (!std::exchange(file.dirty, true)) dirty_.insert(&file);
  if (zstd_ == nullptr) return {};
  CDC_CHECK(end_frame());
  return zstd_->empty([&](std::string_view bytes) { return hand_over(file, bytes); });
}

Result<void> FilePool::take_waiting(PooledFile& file) {
  if (file.waiting.empty()) return {};
  CDC_CHECK(store(file, file.waiting.view()));
  waiting_ -= file.waiting.size();
  file.waiting.clear();
  with_waiting_.erase(&file);
  return {};
}

Result<void> FilePool::store(PooledFile& file, std::string_view lines) {
  if (zstd_ == nullptr) return hand_over(file, lines);
  if (frame_of_ != &file) CDC_CHECK(end_frame());
  frame_of_ = &file;
  return zstd_->add(lines, [&](std::string_view bytes) { return hand_over(file, bytes); });
}

Result<void> FilePool::end_frame() {
  if (frame_of_ == nullptr) return {};
  PooledFile& file = *std::exchange(frame_of_, nullptr);
  return zstd_->end([&](std::string_view bytes) { return hand_over(file, bytes); });
}

Result<void> FilePool::hand_over(PooledFile& file, std::string_view bytes) {
  CDC_CHECK(open(file));
  while (!bytes.empty()) {
    const std::int64_t n = fs_.write(file.fd, bytes.data(), bytes.size());
    if (n == -EINTR) continue;
    if (n <= 0) return io_fail(fs_, "write to", file.path, n == 0 ? ENOSPC : static_cast<int>(n));
    file.length += static_cast<std::uint64_t>(n);
    bytes.remove_prefix(static_cast<std::size_t>(n));
    if (!std::exchange(file.dirty, true)) dirty_.insert(&file);
  }
  return {};
}

Result<void> FilePool::open(PooledFile& file) {
  if (file.fd >= 0) {
    if (open_.front() != &file) open_.splice(open_.begin(), open_, file.recent);
    return {};
  }
  while (open_.size() >= max_open_) close_descriptor(*open_.back());
  CDC_CHECK(open_descriptor(file));
  open_.push_front(&file);
  file.recent = open_.begin();
  if (!file.fresh) return {};
  if (const int failed = fs_.truncate(file.fd, 0); failed != 0)
    return io_fail(fs_, "empty", file.path, failed);
  touched_folder_of(file.path);
  file.fresh = false;
  return {};
}

Result<void> FilePool::open_descriptor(PooledFile& file) {
  const auto how = file.fresh ? FileSystem::Open::append_or_create : FileSystem::Open::append;
  int fd = fs_.open(file.path, how);
  if (fd == -ENOENT && file.fresh) {
    CDC_CHECK(make_folders(folder_of(file.path)));
    fd = fs_.open(file.path, how);
  }
  if ((fd == -EMFILE || fd == -ENFILE) && !open_.empty()) {
    max_open_ = open_.size();  // the limit is lower than we thought
    close_descriptor(*open_.back());
    fd = fs_.open(file.path, how);
  }
  if (fd < 0) return io_fail(fs_, "open", file.path, fd);
  const int locked = fs_.lock(fd);
  FileInfo info;
  const int known = fs_.stat(file.path, info);
  if (locked != 0 || known != 0) {
    fs_.close(fd);
    return locked != 0 ? io_fail(fs_, "lock", file.path, locked) : io_fail(fs_, "look at", file.path, known);
  }
  file.fd = fd;
  file.device = info.device;
  return {};
}

Result<void> FilePool::make_folders(const std::string& folder) {
  int made = fs_.make_folder(folder);
  if (made == -ENOENT && folder_of(folder) != folder) {
    CDC_CHECK(make_folders(folder_of(folder)));
    made = fs_.make_folder(folder);
  }
  if (made != 0 && made != -EEXIST) return io_fail(fs_, "make the folder", folder, made);
  if (made == 0) touched_folder_of(folder);
  return {};
}

void FilePool::close_descriptor(PooledFile& file) {
  fs_.close(file.fd);
  file.fd = -1;
  open_.erase(file.recent);
}

Result<void> FilePool::settle(PooledFile& file) {
  CDC_CHECK(take_waiting(file));
  if (frame_of_ == &file) CDC_CHECK(end_frame());
  return {};
}

Result<void> FilePool::settle_all() {
  while (!with_waiting_.empty()) CDC_CHECK(take_waiting(**with_waiting_.begin()));
  return end_frame();
}

Result<void> FilePool::sync_all() {
  const bool by_device = dirty_.size() > kSyncOneByOne;
  std::set<std::uint64_t> devices;
  while (!dirty_.empty()) {
    PooledFile& file = **dirty_.begin();
    // A file whose descriptor had to go is opened again: the kernel tells a new one of errors that nobody saw
    // yet.
    if (!by_device || !devices.contains(file.device)) {
      CDC_CHECK(open(file));
      const int failed = by_device ? fs_.sync_device(file.fd) : fs_.sync(file.fd);
      if (failed != 0) return io_fail(fs_, "sync", file.path, failed);
      devices.insert(file.device);
    }
    file.dirty = false;
    dirty_.erase(&file);
  }
  return sync_folders();
}

Result<void> FilePool::sync_folders() {
  while (!folders_.empty()) {
    const std::string folder = *folders_.begin();
    if (const int failed = fs_.sync_folder(folder); failed != 0)
      return io_fail(fs_, "sync the folder", folder, failed);
    folders_.erase(folders_.begin());
  }
  return {};
}

Result<void> FilePool::release(PooledFile& file, bool sync) {
  CDC_CHECK(settle(file));
  if (sync && file.dirty) {
    CDC_CHECK(open(file));
    if (const int failed = fs_.sync(file.fd); failed != 0) return io_fail(fs_, "sync", file.path, failed);
  }
  file.dirty = false;
  dirty_.erase(&file);
  with_waiting_.erase(&file);
  file.waiting = Buffer();
  if (file.fd >= 0) close_descriptor(file);
  return {};
}

}  // namespace cdc
