// One process at a time owns a state: a lock on PATH.lock, held until the object goes. The kernel lets go
// of it when the process dies, however it dies. The file itself stays.
#pragma once

#include <string>

#include "cdc/error.h"

namespace cdc {

class LockFile {
 public:
  // Takes the lock of the state at `state_path`. When another process has it: kind usage, with its pid.
  static Result<LockFile> take(const std::string& state_path);

  LockFile() = default;
  ~LockFile();
  LockFile(LockFile&& other) noexcept;
  LockFile& operator=(LockFile&& other) noexcept;

 private:
  explicit LockFile(int fd) : fd_(fd) {}
  int fd_ = -1;
};

}  // namespace cdc
