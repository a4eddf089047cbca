// Where lines go: stdout, files, named pipes. Called by the writer thread only.
//
// A destination is what the path template can tell apart: one topic of one table. Files keep a
// committed length in the state; at open() a longer tail is cut, so that files hold every event
// exactly once (CORE-OFF-15).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/runtime.h"

namespace cdc {

struct Destination {
  std::uint32_t number = 0;  // dense, from 0; stays the same for the whole run
  std::string topic;
  std::string database, schema,
      table;  // empty for records that belong to no table (heartbeats, transactions)
};

// A file of ours as the state remembers it. Opaque to everyone but the file sink.
struct FilePosition {
  std::string path;          // as open now (may be the temporary name of an unfinished file)
  std::string final_path;    // the name it gets when finished; equals path where it is written in place
  std::uint64_t length = 0;  // committed bytes
  std::uint64_t lines = 0;
  std::uint64_t sequence = 0;  // {seq}
  std::int64_t opened_ms = 0;  // wall clock, for rotation by time
  bool finished = false;       // complete; rename to final_path is all that may be left to do

  friend bool operator==(const FilePosition&, const FilePosition&) = default;
};

class Sink {
 public:
  virtual ~Sink() = default;
  // Puts right what the last run left (cut tails, pending renames); `committed` is what its state says.
  virtual Result<void> open(const std::vector<FilePosition>& committed) = 0;
  // Appends whole lines (each ends in \n). Blocks while the reader is slow; returns kind cancelled when
  // stop was requested meanwhile and the stop deadline passed. `count` = number of lines; 0: there are none
  // for this destination, and a file of it that is to be replaced becomes empty.
  virtual Result<void> write(const Destination& to, std::string_view lines, std::uint64_t count) = 0;
  // Whether the reader has taken all that was written: what lies in a pipe when its reader goes is gone, so
  // nothing is stored for it. Waits while the reader takes; false: it stands still. Kind sink_gone: it left.
  virtual Result<bool> taken() { return true; }
  // Makes everything written durable as far as the policy says, and tells where the files stand.
  // After the returned positions are stored, `committed()` is called.
  virtual Result<std::vector<FilePosition>> flush() = 0;
  virtual Result<void> committed() = 0;  // now finished files may get their final names
  // Orderly end: finish open files (rename where rotation is on). Returns the positions to store.
  virtual Result<std::vector<FilePosition>> close() = 0;
  virtual bool is_files() const = 0;  // exactly-once by length
};

// What becomes of a file that an earlier run has left under the same name. A name with {date} or {seq} is
// new by itself: there all three are the same, but that `replace` drops what was not finished.
enum class FileMode : std::uint8_t {
  grow,     // lines are added
  replace,  // they go into NAME.part, which takes NAME's place at the orderly end
  resume,   // the same, going on with the NAME.part that an interrupted run has left
};

// Builds the sink that the configuration asks for (`output`, `rotate.*`, `fsync`, ...). Touches nothing
// before open(), so that a name that cannot be is told before anything else is done.
Result<std::unique_ptr<Sink>> make_sink(const Config& config, Runtime& runtime,
                                        FileMode mode = FileMode::grow);

}  // namespace cdc
