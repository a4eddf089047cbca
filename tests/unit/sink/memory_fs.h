// A disk in memory that can die: it knows which bytes and names were synced, fails at a chosen operation,
// fills up, writes short and is interrupted. After LevelDB's fault injection environment.
#pragma once

#include <cerrno>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sink/file_system.h"

namespace cdc::testing {

enum class Crash {
  process,     // kill -9: everything handed to the system stays
  power,       // only what was synced stays
  power_some,  // of the rest a random part stays, names in the order in which they were made
};

class MemoryFs final : public FileSystem {
 public:
  // Knobs.
  std::size_t crash_in = 0;                             // operations until everything fails; 0: never
  std::size_t capacity = static_cast<std::size_t>(-1);  // bytes of the disk
  std::size_t max_write = static_cast<std::size_t>(-1);
  bool interrupt = false;  // every second write is interrupted first
  int sync_error = 0;
  std::size_t max_fds = 1'000'000;
  std::set<std::string> read_only;
  std::set<std::string> unreadable;  // folders
  // What happened.
  bool crashed = false;
  std::size_t operations = 0, syncs = 0, device_syncs = 0, opens = 0, most_fds = 0;

  // Counts one operation; false when the disk is dead.
  bool operation() {
    ++operations;
    if (!crashed && crash_in != 0 && --crash_in == 0) crashed = true;
    return !crashed;
  }

  void restart(Crash how, std::mt19937& random) {
    if (how != Crash::process) {
      const std::size_t keep = how == Crash::power || log_.empty() ? 0 : random() % (log_.size() + 1);
      for (std::size_t i = 0; i < keep; ++i) apply(durable_, log_[i]);
      names_ = durable_;
      for (auto& [path, file] : names_) {
        const std::string live = file->data;
        file->data = file->durable;
        if (how == Crash::power_some && live.starts_with(file->durable))
          file->data =
              live.substr(0, file->durable.size() + random() % (live.size() - file->durable.size() + 1));
      }
    }
    durable_ = names_;
    for (auto& [path, file] : names_) file->durable = file->data;
    log_.clear();
    fds_.clear();
    crashed = false;
    crash_in = 0;
  }

  void put(const std::string& path, std::string data) {
    auto file = std::make_shared<File>();
    file->data = file->durable = std::move(data);
    names_[path] = durable_[path] = file;
    for (std::string f = folder_of(path); f != "/"; f = folder_of(f)) folders_.insert(f);
  }
  bool has(const std::string& path) const { return names_.contains(path); }
  std::string data(const std::string& path) const { return names_.at(path)->data; }
  std::map<std::string, std::string> all() const {
    std::map<std::string, std::string> out;
    for (const auto& [path, file] : names_) out[path] = file->data;
    return out;
  }
  void lock_by_other(const std::string& path) { others_.insert(names_.at(path).get()); }

  int open(const std::string& path, Open how) override {
    ++opens;
    if (crashed) return -EIO;
    if (fds_.size() >= max_fds) return -EMFILE;
    auto found = names_.find(path);
    if (found == names_.end()) {
      if (how != Open::append_or_create) return -ENOENT;
      if (!folders_.contains(folder_of(path))) return -ENOENT;
      if (!operation()) return -EIO;
      log_.push_back({"", path, std::make_shared<File>()});
      apply(names_, log_.back());
      found = names_.find(path);
    }
    fds_[next_fd_] = found->second;
    most_fds = std::max(most_fds, fds_.size());
    return next_fd_++;
  }
  int close(int fd) override { return fds_.erase(fd) == 1 ? 0 : -EBADF; }
  int lock(int fd) override { return others_.contains(fds_.at(fd).get()) ? -EWOULDBLOCK : 0; }
  std::int64_t write(int fd, const char* data, std::size_t size) override {
    if (crashed) return -EIO;
    if (interrupt && (interrupted_ = !interrupted_)) return -EINTR;
    File& file = *fds_.at(fd);
    size = std::min(size, max_write);
    if (!operation()) {
      file.data.append(data, size / 2);
      return -EIO;
    }
    std::size_t used = 0;
    for (const auto& [path, f] : names_) used += f->data.size();
    if (used >= capacity) return -ENOSPC;
    size = std::min(size, capacity - used);
    file.data.append(data, size);
    return static_cast<std::int64_t>(size);
  }
  std::int64_t read(int fd, char* data, std::size_t size, std::uint64_t offset) override {
    if (crashed) return -EIO;
    const File& file = *fds_.at(fd);
    return static_cast<std::int64_t>(offset >= file.data.size() ? 0 : file.data.copy(data, size, offset));
  }
  int truncate(int fd, std::uint64_t length) override {
    if (!operation()) return -EIO;
    fds_.at(fd)->data.resize(length);
    return 0;
  }
  int sync(int fd) override {
    ++syncs;
    if (!operation()) return -EIO;
    if (sync_error != 0) return sync_error;
    fds_.at(fd)->durable = fds_.at(fd)->data;
    return 0;
  }
  int sync_device(int) override {
    ++device_syncs;
    if (!operation()) return -EIO;
    for (const auto& [path, file] : names_) file->durable = file->data;
    return 0;
  }
  int sync_folder(const std::string& path) override {
    if (!operation()) return -EIO;
    std::vector<Change> later;
    for (Change& change : log_) {
      if (folder_of(change.to) == path)
        apply(durable_, change);
      else
        later.push_back(change);
    }
    log_ = std::move(later);
    return 0;
  }
  int stat(const std::string& path, FileInfo& info) override {
    if (crashed) return -EIO;
    if (folders_.contains(path)) {
      info = {FileInfo::Kind::folder, 0, 1};
      return 0;
    }
    const auto found = names_.find(path);
    if (found == names_.end()) return -ENOENT;
    info = {FileInfo::Kind::regular, found->second->data.size(), 1};
    return 0;
  }
  int rename_new(const std::string& from, const std::string& to) override {
    if (crashed) return -EIO;
    if (!names_.contains(from)) return -ENOENT;
    if (names_.contains(to)) return -EEXIST;
    if (!operation()) return -EIO;
    log_.push_back({from, to, names_.at(from)});
    apply(names_, log_.back());
    return 0;
  }
  int rename_over(const std::string& from, const std::string& to) override {
    if (crashed) return -EIO;
    if (!names_.contains(from)) return -ENOENT;
    if (!operation()) return -EIO;
    log_.push_back({from, to, names_.at(from)});
    apply(names_, log_.back());
    return 0;
  }
  int remove(const std::string& path) override {
    if (crashed) return -EIO;
    if (!names_.contains(path)) return -ENOENT;
    if (!operation()) return -EIO;
    log_.push_back({"", path, nullptr});
    apply(names_, log_.back());
    return 0;
  }
  int may_write(const std::string& path) override {
    if (crashed) return -EIO;
    return read_only.contains(path) ? -EACCES : 0;
  }
  int make_folder(const std::string& path) override {
    if (crashed) return -EIO;
    if (folders_.contains(path)) return -EEXIST;
    if (path != "/" && folder_of(path) != "/" && !folders_.contains(folder_of(path))) return -ENOENT;
    folders_.insert(path);  // folders are taken to be durable at once
    return 0;
  }
  int list(const std::string& path, std::vector<std::string>& names) override {
    if (unreadable.contains(path)) return -EACCES;
    for (const auto& [name, file] : names_)
      if (folder_of(name) == path) names.push_back(name.substr(path.size() + 1));
    for (const std::string& name : folders_)
      if (name != "/" && folder_of(name) == path)
        names.push_back(name.substr(path == "/" ? 1 : path.size() + 1));
    return 0;
  }
  std::uint64_t free_bytes(const std::string&) override { return 0; }

 private:
  struct File {
    std::string data, durable;
  };
  using Names = std::map<std::string, std::shared_ptr<File>>;
  struct Change {
    std::string from, to;  // from empty: made (or removed, when there is no file)
    std::shared_ptr<File> file;
  };
  static void apply(Names& names, const Change& change) {
    if (!change.from.empty()) names.erase(change.from);
    if (change.file == nullptr)
      names.erase(change.to);
    else
      names[change.to] = change.file;
  }

  Names names_, durable_;
  std::set<std::string> folders_{"/"};
  std::vector<Change> log_;  // of names, not synced yet
  std::map<int, std::shared_ptr<File>> fds_;
  std::set<const File*> others_;
  int next_fd_ = 3;
  bool interrupted_ = false;
};

}  // namespace cdc::testing
