// FileSystem on Linux: thin, one system call a function.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "sink/file_system.h"

namespace cdc {
namespace {

int result(int value) { return value < 0 ? -errno : value; }

FileInfo::Kind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileInfo::Kind::regular;
  if (S_ISDIR(mode)) return FileInfo::Kind::folder;
  if (S_ISFIFO(mode)) return FileInfo::Kind::fifo;
  if (S_ISCHR(mode)) return FileInfo::Kind::character;
  return FileInfo::Kind::other;
}

class PosixFileSystem final : public FileSystem {
 public:
  int open(const std::string& path, Open how) override {
    int flags = O_CLOEXEC | (how == Open::read ? O_RDONLY : O_WRONLY | O_APPEND);
    if (how == Open::append_or_create) flags |= O_CREAT;
    return result(::open(path.c_str(), flags, 0666));
  }
  int close(int fd) override { return result(::close(fd)); }
  int lock(int fd) override {
    const int got = result(::flock(fd, LOCK_EX | LOCK_NB));
    // File systems without locks are no reason to refuse work.
    return got == -ENOLCK || got == -EOPNOTSUPP || got == -EINVAL ? 0 : got;
  }
  std::int64_t write(int fd, const char* data, std::size_t size) override {
    const ssize_t n = ::write(fd, data, size);
    return n < 0 ? -errno : n;
  }
  std::int64_t read(int fd, char* data, std::size_t size, std::uint64_t offset) override {
    const ssize_t n = ::pread(fd, data, size, static_cast<off_t>(offset));
    return n < 0 ? -errno : n;
  }
  int truncate(int fd, std::uint64_t length) override {
    return result(::ftruncate(fd, static_cast<off_t>(length)));
  }
  int sync(int fd) override { return result(::fdatasync(fd)); }
  int sync_device(int fd) override { return result(::syncfs(fd)); }
  int sync_folder(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return -errno;
    int got = result(::fsync(fd));
    if (got == -EINVAL) got = 0;  // not every file system can sync a folder
    ::close(fd);
    return got;
  }
  int stat(const std::string& path, FileInfo& info) override {
    struct stat st {};
    if (::stat(path.c_str(), &st) != 0) return -errno;
    info = {kind_of(st.st_mode), static_cast<std::uint64_t>(st.st_size), st.st_dev};
    return 0;
  }
  int rename_new(const std::string& from, const std::string& to) override {
    int got = result(::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE));
    if (got != -EINVAL && got != -ENOSYS) return got;
    // NFS and some FUSE file systems: a hard link refuses an existing name just as well.
    got = result(::link(from.c_str(), to.c_str()));
    if (got == 0) return result(::unlink(from.c_str()));
    if (got == -EEXIST) return got;
    if (::access(to.c_str(), F_OK) == 0) return -EEXIST;
    return result(::rename(from.c_str(), to.c_str()));
  }
  int rename_over(const std::string& from, const std::string& to) override {
    return result(::rename(from.c_str(), to.c_str()));
  }
  int remove(const std::string& path) override { return result(::unlink(path.c_str())); }
  int may_write(const std::string& path) override { return result(::access(path.c_str(), W_OK)); }
  int make_folder(const std::string& path) override { return result(::mkdir(path.c_str(), 0777)); }
  int list(const std::string& path, std::vector<std::string>& names) override {
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) return -errno;
    errno = 0;
    while (const dirent* entry = ::readdir(folder)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
      errno = 0;  // what makes the end of the folder and an error of it two things
    }
    const int failed = errno;
    ::closedir(folder);
    return -failed;
  }
  std::uint64_t free_bytes(const std::string& path) override {
    struct statvfs fs {};
    if (::statvfs(path.c_str(), &fs) != 0 && ::statvfs(folder_of(path).c_str(), &fs) != 0) return 0;
    return std::uint64_t{fs.f_bavail} * fs.f_frsize;
  }
};

}  // namespace

FileSystem& posix_file_system() {
  static PosixFileSystem fs;
  return fs;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace cdc
