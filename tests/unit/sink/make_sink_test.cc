// Which sink an --output gives, and real files on a real disk.
#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "fake_runtime.h"
#include "sink/make_sink.h"

namespace cdc::testing {
namespace {

struct Folder {
  std::string path;
  Folder() {
    char name[] = "/tmp/cdc-sink-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string read(const std::string& name) const {
    std::ifstream in(path + "/" + name);
    std::stringstream out;
    out << in.rdbuf();
    return out.str();
  }
};

SinkOptions to(std::string output) {
  SinkOptions options;
  options.output = std::move(output);
  return options;
}

}  // namespace

TEST_CASE("wrong outputs are refused before anything is written") {
  FakeRuntime fake;
  Folder folder;
  const auto kind = [&](const SinkOptions& options) {
    const auto got = make_sink(options, fake.runtime);
    return got ? ErrorKind::internal : got.error().kind;
  };
  CHECK(kind(to(folder.path)) == ErrorKind::usage);
  CHECK(kind(to("fifo:")) == ErrorKind::usage);
  CHECK(kind(to("{tabel}")) == ErrorKind::usage);
  for (const char* output : {"-", "/dev/null", "fifo:/tmp/x"}) {
    SinkOptions options = to(output);
    options.rotate_events = 1;
    CHECK(kind(options) == ErrorKind::usage);
  }
}

TEST_CASE("stdout and devices are streams, paths are files") {
  FakeRuntime fake;
  Folder folder;
  for (const char* output : {"-", "/dev/stdout", "/dev/null", "fifo:/tmp/x"})
    CHECK(!(*make_sink(to(output), fake.runtime))->is_files());
  CHECK((*make_sink(to(folder.path + "/x"), fake.runtime))->is_files());
  ::mkfifo((folder.path + "/p").c_str(), 0600);
  CHECK(!(*make_sink(to(folder.path + "/p"), fake.runtime))->is_files());
}

TEST_CASE("files on a real disk: folders are made, tails cut, numbers gone on with") {
  FakeRuntime fake;
  Folder folder;
  SinkOptions options = to(folder.path + "/a/{schema}/{table}.ndjson");
  options.rotate_events = 2;
  const Destination dest{0, "t", "db", "pub/lic", "t"};
  std::vector<FilePosition> files;
  {
    auto sink = *make_sink(options, fake.runtime);
    REQUIRE(sink->open({}));
    REQUIRE(sink->write(dest, "1\n2\n3\n", 3));
    files = *sink->flush();
    REQUIRE(sink->committed());
    REQUIRE(sink->write(dest, "lost\n", 1));
    // dies here
  }
  CHECK(folder.read("a/pub%2Flic/t.000001.ndjson") == "1\n2\n");
  {
    auto sink = *make_sink(options, fake.runtime);
    REQUIRE(sink->open(files));
    REQUIRE(sink->write(dest, "4\n5\n", 2));
    files = *sink->close();
    REQUIRE(sink->committed());
  }
  CHECK(folder.read("a/pub%2Flic/t.000002.ndjson") == "3\n4\n");
  CHECK(folder.read("a/pub%2Flic/t.000003.ndjson") == "5\n");
}

TEST_CASE("a folder without write permission is named, with the way out") {
  if (::geteuid() == 0) return;  // root may write everywhere
  FakeRuntime fake;
  Folder folder;
  ::chmod(folder.path.c_str(), 0500);
  auto sink = *make_sink(to(folder.path + "/x.ndjson"), fake.runtime);
  REQUIRE(sink->open({}));
  REQUIRE(sink->write({}, "a\n", 1));
  const auto got = sink->flush();
  REQUIRE(!got);
  CHECK(got.error().message.find("/x.ndjson") != std::string::npos);
  ::chmod(folder.path.c_str(), 0700);
}

}  // namespace cdc::testing
