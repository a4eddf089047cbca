// The signal file: taken as a whole, under a lock that nobody may hold for long.
#include "signals/signal_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace cdc;

namespace {

struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/cdc-signals-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file() const { return path + "/signals.txt"; }
  void write(const std::string& text) const { std::ofstream(file()) << text; }
  std::string read() const {
    std::stringstream out;
    out << std::ifstream(file()).rdbuf();
    return out.str();
  }
};

}  // namespace

TEST_CASE("CORE-SIG-05: what is taken is not there any more; a missing file is empty") {
  const Folder folder;
  CHECK(take_signals(folder.file()).value().empty());
  CHECK_FALSE(std::filesystem::exists(folder.file()));
  folder.write("{\"id\":\"left without its end\"}");
  REQUIRE(add_signal(folder.file(), "{\"id\":\"2\"}"));
  CHECK(take_signals(folder.file()).value() == "{\"id\":\"left without its end\"}\n{\"id\":\"2\"}\n");
  CHECK(folder.read().empty());
}

TEST_CASE("a file that cannot be a signal file is refused, and nothing waits for it") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.file().c_str(), 0600) == 0);
  CHECK(take_signals(folder.file()).error().message ==
        "cannot use the signal file " + folder.file() + ": it is no regular file");
  CHECK(take_signals(folder.path).error().kind == ErrorKind::usage);
}

TEST_CASE("a lock that is not given back is told after a second; the lines stay") {
  const Folder folder;
  folder.write("{}\n");
  const int other = ::open(folder.file().c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::flock(other, LOCK_EX) == 0);
  CHECK(take_signals(folder.file()).error().message.find("another process has locked it") !=
        std::string::npos);
  CHECK(folder.read() == "{}\n");
  ::close(other);
  CHECK(take_signals(folder.file()).value() == "{}\n");
}

TEST_CASE("what is too large for signals is left alone") {
  const Folder folder;
  folder.write(std::string((16U << 20) + 1, 'x'));
  CHECK_FALSE(take_signals(folder.file()).has_value());
  CHECK(std::filesystem::file_size(folder.file()) == (16U << 20) + 1);
}
