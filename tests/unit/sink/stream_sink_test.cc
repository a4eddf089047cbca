// stdout and devices: slow readers, readers that go, stop requests, full disks.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "fake_runtime.h"
#include "sink/stream_sink.h"

namespace cdc::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Pipe {
  int fd[2] = {-1, -1};
  explicit Pipe(bool socket = false) {
    std::signal(SIGPIPE, SIG_IGN);
    REQUIRE((socket ? ::socketpair(AF_UNIX, SOCK_STREAM, 0, fd) : ::pipe(fd)) == 0);
  }
  ~Pipe() { close_reader(), close_writer(); }
  void close_reader() {
    if (fd[0] >= 0) ::close(std::exchange(fd[0], -1));
  }
  void close_writer() {
    if (fd[1] >= 0) ::close(std::exchange(fd[1], -1));
  }
};

std::string lines_of(std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; out.size() < bytes; ++i) out += "line " + std::to_string(i) + "\n";
  return out;
}

std::string read_all(int fd, milliseconds pause) {
  std::string out;
  char block[50'000];
  for (;;) {
    if (pause.count() != 0) std::this_thread::sleep_for(pause);
    const ssize_t n = ::read(fd, block, sizeof block);
    if (n <= 0) return out;
    out.append(block, static_cast<std::size_t>(n));
  }
}

}  // namespace

TEST_CASE("a slow reader gets everything, and the pipe's own flags are left alone") {
  for (const bool socket : {false, true}) {
    Pipe pipe(socket);
    FakeRuntime fake;
    const std::string lines = lines_of(3'000'000);
    std::string got;
    std::thread reader([&] { got = read_all(pipe.fd[0], milliseconds(1)); });
    {
      StreamSink sink(pipe.fd[1], false, "stdout", {}, fake.runtime);
      CHECK(sink.write({}, lines, 7));
      CHECK(sink.flush()->empty());
      CHECK((::fcntl(pipe.fd[1], F_GETFL) & O_NONBLOCK) == 0);
      CHECK(fake.stats.bytes_written == lines.size());
      CHECK(fake.stats.events_written == 7);
    }
    pipe.close_writer();
    reader.join();
    CHECK(got == lines);
  }
}

TEST_CASE("a descriptor that is non-blocking already is written to just as well") {
  Pipe pipe;
  ::fcntl(pipe.fd[1], F_SETFL, O_NONBLOCK);
  FakeRuntime fake;
  const std::string lines = lines_of(1'000'000);
  std::string got;
  std::thread reader([&] { got = read_all(pipe.fd[0], milliseconds(1)); });
  {
    StreamSink sink(pipe.fd[1], false, "stdout", {}, fake.runtime);
    CHECK(sink.write({}, lines, 1));
  }
  pipe.close_writer();
  reader.join();
  CHECK(got == lines);
}

TEST_CASE("a reader that goes away is kind sink_gone") {
  for (const bool socket : {false, true}) {
    Pipe pipe(socket);
    FakeRuntime fake;
    StreamSink sink(pipe.fd[1], false, "stdout", {}, fake.runtime);
    std::thread reader([&] {
      std::this_thread::sleep_for(milliseconds(30));
      pipe.close_reader();
    });
    const auto got = sink.write({}, lines_of(3'000'000), 1);
    reader.join();
    REQUIRE(!got);
    CHECK(got.error().kind == ErrorKind::sink_gone);
  }
}

TEST_CASE("after a stop request a blocked write ends when the drain time is over") {
  Pipe pipe;
  FakeRuntime fake;
  SinkOptions options;
  options.drain = milliseconds(80);
  StreamSink sink(pipe.fd[1], false, "stdout", options, fake.runtime);
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(30));
    fake.stop.request("signal");
  });
  const auto begin = steady_clock::now();
  const auto got = sink.write({}, lines_of(1'000'000), 1);
  const auto took = steady_clock::now() - begin;
  stopper.join();
  REQUIRE(!got);
  CHECK(got.error().kind == ErrorKind::cancelled);
  CHECK(took >= milliseconds(100));
  CHECK(took < milliseconds(2000));
}

TEST_CASE("a reader that wakes up within the drain time still gets everything") {
  Pipe pipe;
  FakeRuntime fake;
  fake.stop.request("signal");
  auto sink = std::make_unique<StreamSink>(pipe.fd[1], false, "stdout", SinkOptions{}, fake.runtime);
  const std::string lines = lines_of(500'000);
  std::string got;
  std::thread reader([&] {
    std::this_thread::sleep_for(milliseconds(50));
    got = read_all(pipe.fd[0], milliseconds(0));
  });
  CHECK(sink->write({}, lines, 1));
  pipe.close_writer();
  sink.reset();  // it holds a description of its own; the reader sees the end when that goes, too
  reader.join();
  CHECK(got == lines);
}

TEST_CASE("/dev/null takes everything, /dev/full is a full disk with a way out") {
  FakeRuntime fake;
  StreamSink null(::open("/dev/null", O_WRONLY), true, "/dev/null", {}, fake.runtime);
  CHECK(null.write({}, lines_of(1'000'000), 1));
  CHECK(null.flush());
  StreamSink full(::open("/dev/full", O_WRONLY), true, "stdout", {}, fake.runtime);
  const auto got = full.write({}, "x\n", 1);
  REQUIRE(!got);
  CHECK(got.error().kind == ErrorKind::sink);
  CHECK(!got.error().hint.empty());
}

TEST_CASE("stdout in a file: a line that was cut by an error is taken back") {
  std::signal(SIGXFSZ, SIG_IGN);
  char path[] = "/tmp/cdc-stream-XXXXXX";
  const int fd = ::mkstemp(path);
  REQUIRE(fd >= 0);
  FakeRuntime fake;
  StreamSink sink(fd, true, "stdout", {}, fake.runtime);
  REQUIRE(sink.write({}, "whole\n", 1));
  // The limit of the file's size stands for a full disk.
  struct Limit {
    rlimit old{};
    explicit Limit(rlim_t bytes) {
      ::getrlimit(RLIMIT_FSIZE, &old);
      rlimit now = old;
      now.rlim_cur = bytes;
      ::setrlimit(RLIMIT_FSIZE, &now);
    }
    ~Limit() { ::setrlimit(RLIMIT_FSIZE, &old); }
  };
  {
    const Limit limit(15);
    const auto got = sink.write({}, "second\nthird line\n", 2);
    REQUIRE(!got);
    CHECK(got.error().kind == ErrorKind::sink);
  }
  char data[64];
  const int again = ::open(path, O_RDONLY);
  const ssize_t n = ::read(again, data, sizeof data);
  ::close(again);
  ::unlink(path);
  CHECK(std::string(data, static_cast<std::size_t>(n)) == "whole\nsecond\n");
}

TEST_CASE("what lies in a pipe unread is not delivered") {
  Pipe pipe;
  FakeRuntime fake;
  StreamSink sink(pipe.fd[1], false, "stdout", SinkOptions{}, fake.runtime);
  REQUIRE(sink.write({}, "one\n", 1));
  SUBCASE("the reader stands still") { CHECK(sink.taken().value() == false); }
  SUBCASE("the reader takes it while we wait") {
    std::thread reader([&] {
      char block[16];
      std::this_thread::sleep_for(milliseconds(50));
      CHECK(::read(pipe.fd[0], block, sizeof block) == 4);
    });
    CHECK(sink.taken().value() == true);
    reader.join();
  }
  SUBCASE("the reader takes a part and goes") {
    char block[2];
    REQUIRE(::read(pipe.fd[0], block, sizeof block) == 2);
    pipe.close_reader();
    CHECK(sink.taken().error().kind == ErrorKind::sink_gone);
  }
  SUBCASE("the reader takes all and goes") {
    char block[16];
    REQUIRE(::read(pipe.fd[0], block, sizeof block) == 4);
    pipe.close_reader();
    CHECK(sink.taken().value() == true);
  }
}

}  // namespace cdc::testing
