// Named pipes whose readers go and come (OP-04), and what of it counts as delivered (PG-18).
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "fake_runtime.h"
#include "sink/fifo_sink.h"

namespace cdc::testing {
namespace {

using std::chrono::milliseconds;

struct Fifo {
  std::string folder, path;
  FakeRuntime fake;
  SinkOptions options;
  Fifo() {
    std::signal(SIGPIPE, SIG_IGN);
    char name[] = "/tmp/cdc-fifo-XXXXXX";
    folder = ::mkdtemp(name);
    path = folder + "/p";
    options.drain = milliseconds(100);
  }
  ~Fifo() { std::filesystem::remove_all(folder); }
  std::unique_ptr<FifoSink> open() {
    auto sink = std::make_unique<FifoSink>(path, options, fake.runtime);
    REQUIRE(sink->open({}));
    return sink;
  }
};

std::string line(int i) { return "{\"n\":" + std::to_string(i) + "}\n"; }
std::string lines(int from, int to) {
  std::string out;
  for (int i = from; i < to; ++i) out += line(i);
  return out;
}

std::string read_bytes(int fd, std::size_t most) {
  std::string out;
  while (out.size() < most) {
    char block[4096];
    const ssize_t n = ::read(fd, block, std::min(sizeof block, most - out.size()));
    if (n <= 0) break;
    out.append(block, static_cast<std::size_t>(n));
  }
  return out;
}

}  // namespace

TEST_CASE("a named pipe is made when missing, for its owner only; a file in its place is refused") {
  Fifo f;
  f.open();
  struct stat st {};
  REQUIRE(::stat(f.path.c_str(), &st) == 0);
  CHECK(S_ISFIFO(st.st_mode));
  CHECK((st.st_mode & 077) == 0);
  FifoSink other(f.folder, f.options, f.fake.runtime);
  CHECK(other.open({}).error().kind == ErrorKind::usage);
}

TEST_CASE("waits for a reader without blocking a stop request") {
  Fifo f;
  auto sink = f.open();
  std::thread stopper([&] {
    std::this_thread::sleep_for(milliseconds(60));
    f.fake.stop.request("signal");
  });
  const auto got = sink->write({}, line(1), 1);
  stopper.join();
  REQUIRE(!got);
  CHECK(got.error().kind == ErrorKind::cancelled);
  CHECK(f.fake.log.has("waiting for a reader"));
}

TEST_CASE("OP-04: readers that go and come get every line; the line that was cut is sent again") {
  Fifo f;
  auto sink = f.open();
  const int total = 40'000;
  std::string delivered;
  std::thread reader([&] {
    // Each reader takes some odd number of bytes and goes; the last one takes all.
    for (const std::size_t most : {17UL, 4'099UL, 70'001UL, 100'003UL, 10'000'000UL}) {
      const int fd = ::open(f.path.c_str(), O_RDONLY);
      const std::string got = read_bytes(fd, most);
      ::close(fd);
      // A line that a reader has only in part is nothing.
      delivered += got.substr(0, got.rfind('\n') + 1);
      std::this_thread::sleep_for(milliseconds(20));
    }
  });
  for (int i = 0; i < total; i += 500) {
    REQUIRE(sink->write({}, lines(i, i + 500), 500));
    if (i % 4000 == 0) REQUIRE(sink->flush());
  }
  REQUIRE(sink->close());
  sink.reset();
  reader.join();
  CHECK(delivered == lines(0, total));
}

TEST_CASE("PG-18: nothing counts as delivered that the reader has not taken out of the pipe") {
  Fifo f;
  auto sink = f.open();
  const int reader = ::open(f.path.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(sink->write({}, lines(0, 10), 10));
  f.fake.stop.request("signal");
  CHECK(sink->flush().error().kind == ErrorKind::cancelled);
  CHECK(read_bytes(reader, 10'000) == lines(0, 10));
  CHECK(sink->flush());
  ::close(reader);
}

TEST_CASE("a line longer than the pipe survives its reader, too") {
  Fifo f;
  auto sink = f.open();
  const std::string big = "{\"big\":\"" + std::string(500'000, 'x') + "\"}\n";
  std::string delivered;
  std::thread reader([&] {
    for (const std::size_t most : {300'000UL, 400'000UL, 10'000'000UL}) {
      const int fd = ::open(f.path.c_str(), O_RDONLY);
      const std::string got = read_bytes(fd, most);
      ::close(fd);
      delivered += got.substr(0, got.rfind('\n') + 1);
      std::this_thread::sleep_for(milliseconds(20));
    }
  });
  REQUIRE(sink->write({}, line(1) + big, 2));
  REQUIRE(sink->write({}, line(2), 1));
  REQUIRE(sink->flush());
  sink.reset();
  reader.join();
  CHECK(delivered == line(1) + big + line(2));
}

}  // namespace cdc::testing
