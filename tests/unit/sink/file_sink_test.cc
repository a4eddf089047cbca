// What the file sink does besides never losing a line: names, rotation, errors, descriptors.
#include <doctest/doctest.h>

#include "file_run.h"

namespace cdc::testing {
namespace {

std::vector<std::string> names(const MemoryFs& fs) {
  std::vector<std::string> out;
  for (const auto& [path, data] : fs.all()) out.push_back(path);
  return out;
}
const Destination kOne{0, "cdc.public.one", "db", "public", "one"};

}  // namespace

TEST_CASE("without rotation a file has its final name from the first commit on, and grows in place") {
  FileRun run;
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "a\n", 1));
  run.files = *(*sink)->flush();
  CHECK(names(fs) == std::vector<std::string>{"/out/changes.ndjson.new"});
  REQUIRE((*sink)->committed());
  CHECK(names(fs) == std::vector<std::string>{"/out/changes.ndjson"});
  REQUIRE((*sink)->write(kOne, "b\n", 1));
  run.files = *(*sink)->flush();
  CHECK(fs.data("/out/changes.ndjson") == "a\nb\n");
  REQUIRE(run.files.size() == 1);
  CHECK(run.files[0].length == 4);
  CHECK(run.files[0].lines == 2);
  CHECK(run.fake.stats.events_written == 2);
  CHECK(run.fake.stats.bytes_written == 4);
}

TEST_CASE("--rotate-events gives files of exactly so many lines, which appear when they are committed") {
  FileRun run;
  run.options.rotate_events = 5;
  run.lines = 12;
  run.batch = 12;
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE(run.write(**sink, 0, 12));
  run.files = *(*sink)->flush();
  CHECK(run.files.size() == 3);
  CHECK(names(fs) == std::vector<std::string>{"/out/changes.000001.ndjson.part",
                                              "/out/changes.000002.ndjson.part",
                                              "/out/changes.000003.ndjson.part"});
  REQUIRE((*sink)->committed());
  CHECK(fs.data("/out/changes.000001.ndjson") ==
        FileRun::line(0) + FileRun::line(1) + FileRun::line(2) + FileRun::line(3) + FileRun::line(4));
  CHECK(fs.has("/out/changes.000002.ndjson"));
  CHECK(fs.has("/out/changes.000003.ndjson.part"));
  CHECK((*sink)->flush()->size() == 1);
  run.files = *(*sink)->close();
  REQUIRE((*sink)->committed());
  CHECK(fs.data("/out/changes.000003.ndjson") == FileRun::line(10) + FileRun::line(11));
  sink->reset();

  // The next run goes on with the next number, also when the finished files were taken away.
  fs.remove("/out/changes.000003.ndjson");
  run.lines = 13;
  run.done = 12;
  REQUIRE(run.run(fs));
  CHECK(fs.data("/out/changes.000004.ndjson") == FileRun::line(12));
}

TEST_CASE(
    "--rotate-size ends a file before the line that would be too much; a longer line has a file of its own") {
  FileRun run;
  run.options.rotate_size = 10;
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "1234\n1234\n1\n123456789012345\n12\n", 5));
  REQUIRE((*sink)->flush());
  REQUIRE((*sink)->committed());
  CHECK(fs.data("/out/changes.000001.ndjson") == "1234\n1234\n");
  CHECK(fs.data("/out/changes.000002.ndjson") == "1\n");
  CHECK(fs.data("/out/changes.000003.ndjson") == "123456789012345\n");
  CHECK(fs.data("/out/changes.000004.ndjson.part") == "12\n");
}

TEST_CASE("--rotate-time ends an idle file at the next flush; a clock that goes back ends none in a hurry") {
  FileRun run;
  run.options.rotate_time = std::chrono::milliseconds(1000);
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "a\n", 1));
  run.now -= 5000;
  REQUIRE((*sink)->flush());
  REQUIRE((*sink)->committed());
  CHECK(fs.has("/out/changes.000001.ndjson.part"));
  run.now += 6001;
  REQUIRE((*sink)->flush());
  REQUIRE((*sink)->committed());
  CHECK(fs.has("/out/changes.000001.ndjson"));
}

TEST_CASE("numbers that are taken are left out, and no file is ever replaced") {
  FileRun run;
  run.options.rotate_events = 100;
  MemoryFs fs;
  fs.put("/out/changes.000001.ndjson", "not ours\n");
  REQUIRE(run.run(fs));
  CHECK(fs.data("/out/changes.000001.ndjson") == "not ours\n");
  CHECK(fs.data("/out/changes.000002.ndjson") == run.expected(0));
}

TEST_CASE("each commit closes a zstd frame, so that a cut file can be read") {
  FileRun run;
  run.output = "/out/x.ndjson.zst";
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "a\n", 1));
  const auto first = *(*sink)->flush();
  REQUIRE((*sink)->committed());
  REQUIRE((*sink)->write(kOne, "b\n", 1));
  REQUIRE((*sink)->flush());
  const std::string data = fs.data("/out/x.ndjson.zst");
  CHECK(unzstd(data) == "a\nb\n");
  CHECK(unzstd(data.substr(0, first[0].length)) == "a\n");
}

TEST_CASE("ten thousand tables need few descriptors") {
  FileRun run;
  run.output = "/out/{table}.ndjson";
  run.options.max_open_files = 8;
  run.options.max_buffered = 1000;
  run.tables = 500;
  run.lines = 1500;
  run.batch = 700;
  MemoryFs fs;
  REQUIRE(run.run(fs));
  CHECK(fs.most_fds <= 9);  // one more while a file is joined
  CHECK(fs.device_syncs > 0);
  for (std::size_t t = 0; t < run.tables; ++t)
    CHECK(fs.data("/out/t" + std::to_string(t) + ".ndjson") == run.expected(t));
}

TEST_CASE("a low limit of descriptors is found out and kept to") {
  FileRun run;
  run.output = "/out/{table}.ndjson";
  run.tables = 20;
  run.lines = 60;
  MemoryFs fs;
  fs.max_fds = 5;
  REQUIRE(run.run(fs));
  for (std::size_t t = 0; t < run.tables; ++t)
    CHECK(fs.data("/out/t" + std::to_string(t) + ".ndjson") == run.expected(t));
}

TEST_CASE("short and interrupted writes are gone on with") {
  FileRun run;
  MemoryFs fs;
  fs.max_write = 3;
  fs.interrupt = true;
  REQUIRE(run.run(fs));
  CHECK(fs.data("/out/changes.ndjson") == run.expected(0));
}

TEST_CASE("a full disk stops with the path and the way out; with space again every line is there once") {
  for (const std::size_t capacity : {0UL, 10UL, 100UL, 200UL, 333UL}) {
    FileRun run;
    MemoryFs fs;
    fs.capacity = capacity;
    const auto full = run.run(fs);
    REQUIRE(!full);
    CHECK(full.error().kind == ErrorKind::sink);
    CHECK(full.error().message.find("/out/changes.ndjson") != std::string::npos);
    CHECK(full.error().message.find("0 bytes free") != std::string::npos);
    CHECK(!full.error().hint.empty());
    std::mt19937 random(1);
    fs.restart(Crash::process, random);
    fs.capacity = 1 << 20;
    REQUIRE(run.run(fs));
    CHECK(fs.data("/out/changes.ndjson") == run.expected(0));
  }
}

TEST_CASE("after a failed write or sync no position is given out any more") {
  FileRun run;
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "a\n", 1));
  fs.sync_error = -EIO;
  CHECK((*sink)->flush().error().kind == ErrorKind::sink);
  fs.sync_error = 0;
  CHECK(!(*sink)->flush());
  CHECK(!(*sink)->write(kOne, "b\n", 1));
  CHECK(!(*sink)->committed());
  CHECK(!(*sink)->close());
}

TEST_CASE("--fsync close syncs finished files only, never none at all") {
  const auto syncs = [](FsyncPolicy policy) {
    FileRun run;
    run.options.fsync = policy;
    run.options.rotate_events = 20;
    MemoryFs fs;
    REQUIRE(run.run(fs));
    return fs.syncs;
  };
  CHECK(syncs(FsyncPolicy::never) == 0);
  CHECK(syncs(FsyncPolicy::close) == 2);
  CHECK(syncs(FsyncPolicy::commit) > 5);
}

TEST_CASE("files that somebody changed under us") {
  FileRun run;
  MemoryFs fs;
  run.lines = 10;
  REQUIRE(run.run(fs));
  const std::string path = "/out/changes.ndjson";
  const std::string whole = fs.data(path);
  run.lines = 12;
  const auto again = [&] {
    FileRun next = FileRun();
    next.files = run.files;
    next.done = run.done;
    next.lines = 12;
    return next.run(fs);
  };
  SUBCASE("shorter: refused") {
    fs.put(path, whole.substr(0, whole.size() / 2));
    const auto got = again();
    REQUIRE(!got);
    CHECK(got.error().kind == ErrorKind::sink);
    CHECK(got.error().message.find("something else has changed it") != std::string::npos);
  }
  SUBCASE("taken away after an orderly end: a new one") {
    fs.remove(path);
    REQUIRE(again());
    CHECK(fs.data(path) == FileRun::line(10) + FileRun::line(11));
  }
  SUBCASE("emptied after an orderly end: a new one") {
    fs.put(path, "");
    REQUIRE(again());
    CHECK(fs.data(path) == FileRun::line(10) + FileRun::line(11));
  }
  SUBCASE("longer after an orderly end: what was added is kept") {
    fs.put(path, whole + "mine\n");
    REQUIRE(again());
    CHECK(fs.data(path) == whole + "mine\n" + FileRun::line(10) + FileRun::line(11));
  }
  SUBCASE("missing after a crash: refused") {
    run.files[0].finished = false;
    fs.remove(path);
    const auto got = again();
    REQUIRE(!got);
    CHECK(got.error().message.find("is missing") != std::string::npos);
  }
  SUBCASE("missing, but of another --output: forgotten") {
    run.files[0].finished = false;
    run.files[0].path = run.files[0].final_path = "/out/other.ndjson";
    fs.remove(path);
    CHECK(again());
  }
}

TEST_CASE("two processes with one output: the second is refused, and leaves the first's files alone") {
  FileRun run;
  MemoryFs fs;
  SUBCASE("in place") {
    fs.put("/out/changes.ndjson.new", "theirs\n");
    fs.lock_by_other("/out/changes.ndjson.new");
    const auto got = run.run(fs);
    REQUIRE(!got);
    CHECK(got.error().kind == ErrorKind::sink);
    CHECK(fs.data("/out/changes.ndjson.new") == "theirs\n");
  }
  SUBCASE("rotating: another number") {
    run.options.rotate_events = 100;
    fs.put("/out/changes.000001.ndjson.part", "theirs\n");
    fs.lock_by_other("/out/changes.000001.ndjson.part");
    REQUIRE(run.run(fs));
    CHECK(fs.data("/out/changes.000001.ndjson.part") == "theirs\n");
    CHECK(fs.data("/out/changes.000002.ndjson") == run.expected(0));
  }
}

TEST_CASE("a file that appears under the final name while ours is finished is not replaced") {
  FileRun run;
  run.options.rotate_events = 5;
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE(run.write(**sink, 0, 5));
  run.files = *(*sink)->flush();
  fs.put("/out/changes.000001.ndjson", "foreign\n");
  const auto got = (*sink)->committed();
  REQUIRE(!got);
  CHECK(got.error().kind == ErrorKind::sink);
  CHECK(fs.data("/out/changes.000001.ndjson") == "foreign\n");
}

TEST_CASE("a snapshot's file takes the older one's place at the orderly end, not before") {
  FileRun run;
  run.options.mode = FileMode::replace;
  MemoryFs fs;
  fs.put("/out/changes.ndjson", "yesterday\n");
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "a\n", 1));
  run.files = *(*sink)->flush();
  REQUIRE((*sink)->committed());
  CHECK(fs.data("/out/changes.ndjson") == "yesterday\n");
  SUBCASE("complete") {
    run.files = *(*sink)->close();
    CHECK(fs.data("/out/changes.ndjson") == "yesterday\n");
    REQUIRE((*sink)->committed());
    CHECK(names(fs) == std::vector<std::string>{"/out/changes.ndjson"});
    CHECK(fs.data("/out/changes.ndjson") == "a\n");
    sink->reset();
    // What its reader did with it is no matter for the next night.
    SUBCASE("taken away") { fs.remove("/out/changes.ndjson"); }
    SUBCASE("grown") { fs.put("/out/changes.ndjson", "a\nb\nc\n"); }
    SUBCASE("cut") { fs.put("/out/changes.ndjson", "a"); }
    REQUIRE(run.run(fs));
    CHECK(fs.data("/out/changes.ndjson") == run.expected(0));
  }
  SUBCASE("interrupted and gone on with") {
    REQUIRE((*sink)->write(kOne, "lost\n", 1));
    REQUIRE((*sink)->flush());
    sink->reset();
    run.options.mode = FileMode::resume;
    auto next = run.open(fs);
    REQUIRE(next);
    REQUIRE((*next)->write(kOne, "b\n", 1));
    run.files = *(*next)->close();
    REQUIRE((*next)->committed());
    CHECK(fs.data("/out/changes.ndjson") == "a\nb\n");
  }
  SUBCASE("interrupted and started over") {
    sink->reset();
    auto next = run.open(fs);
    REQUIRE(next);
    CHECK(names(fs) == std::vector<std::string>{"/out/changes.ndjson"});
    REQUIRE((*next)->write(kOne, "b\n", 1));
    run.files = *(*next)->close();
    REQUIRE((*next)->committed());
    CHECK(fs.data("/out/changes.ndjson") == "b\n");
  }
}

TEST_CASE("a table that is empty now has its older file emptied; a name without one gets none") {
  FileRun run;
  run.output = "/out/{table}.ndjson";
  run.options.mode = FileMode::replace;
  MemoryFs fs;
  fs.put("/out/one.ndjson", "yesterday\n");
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "", 0));
  REQUIRE((*sink)->write({1, "cdc.public.two", "db", "public", "two"}, "", 0));
  run.files = *(*sink)->close();
  CHECK(fs.data("/out/one.ndjson") == "yesterday\n");
  REQUIRE((*sink)->committed());
  CHECK(names(fs) == std::vector<std::string>{"/out/one.ndjson"});
  CHECK(fs.data("/out/one.ndjson").empty());
}

TEST_CASE("nothing at all: the one file of a snapshot is there and empty, also as zstd") {
  FileRun run;
  run.options.mode = FileMode::replace;
  run.lines = 0;
  MemoryFs fs;
  SUBCASE("plain") {
    REQUIRE(run.run(fs));
    CHECK(fs.data("/out/changes.ndjson").empty());
  }
  SUBCASE("zstd") {
    run.output = "/out/changes.ndjson.zst";
    REQUIRE(run.run(fs));
    CHECK(!fs.data("/out/changes.ndjson.zst").empty());
    CHECK(unzstd(fs.data("/out/changes.ndjson.zst")).empty());
  }
}

TEST_CASE("a place where nothing can be written is told when the sink is opened") {
  FileRun run;
  MemoryFs fs;
  SUBCASE("the folder") {
    run.output = "/out/{table}.ndjson";
    fs.read_only.insert("/out");
  }
  SUBCASE("the file") {
    fs.put("/out/changes.ndjson", "");
    fs.read_only.insert("/out/changes.ndjson");
  }
  const auto got = run.open(fs);
  REQUIRE(!got);
  CHECK(got.error().kind == ErrorKind::sink);
}

TEST_CASE("one file a day: the day's name, and nothing in the old file after midnight") {
  FileRun run;
  run.output = "/out/{date}.ndjson";
  MemoryFs fs;
  auto sink = run.open(fs);
  REQUIRE(sink);
  REQUIRE((*sink)->write(kOne, "a\n", 1));
  run.now += 86'400'000;
  REQUIRE((*sink)->write(kOne, "b\n", 1));
  REQUIRE((*sink)->flush());
  REQUIRE((*sink)->committed());
  CHECK(fs.data("/out/2023-11-14.ndjson") == "a\n");
  CHECK(fs.data("/out/2023-11-15.ndjson") == "b\n");
}

}  // namespace cdc::testing
