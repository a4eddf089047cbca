// The file sink against a disk that dies at every single operation: after the restart every line is there
// exactly once (CORE-OFF-15).
#include <doctest/doctest.h>

#include "file_run.h"

namespace cdc::testing {
namespace {

struct Case {
  const char* name;
  void (*set)(FileRun&, MemoryFs&);
};

constexpr Case kCases[] = {
    {"in place", [](FileRun&, MemoryFs&) {}},
    {"in place behind somebody's lines",
     [](FileRun&, MemoryFs& fs) { fs.put("/out/changes.ndjson", "old\n"); }},
    {"in place behind a line without its end",
     [](FileRun&, MemoryFs& fs) { fs.put("/out/changes.ndjson", "old"); }},
    {"in the place of an older one",
     [](FileRun& run, MemoryFs& fs) {
       run.options.mode = FileMode::resume;
       fs.put("/out/changes.ndjson", "previous\n");
     }},
    {"in the place of older ones, compressed, two tables",
     [](FileRun& run, MemoryFs& fs) {
       run.options.mode = FileMode::resume;
       run.output = "/out/{table}.ndjson.zst";
       run.tables = 2;
       fs.put("/out/t0.ndjson.zst", "previous");
     }},
    {"compressed", [](FileRun& run, MemoryFs&) { run.output = "/out/changes.ndjson.zst"; }},
    {"three tables",
     [](FileRun& run, MemoryFs&) {
       run.output = "/out/{schema}/{table}.ndjson";
       run.tables = 3;
     }},
    {"three tables, one descriptor, tiny buffers",
     [](FileRun& run, MemoryFs&) {
       run.output = "/out/{table}.ndjson";
       run.tables = 3;
       run.options.max_open_files = 1;
       run.options.max_buffered = 64;
     }},
    {"rotation by events", [](FileRun& run, MemoryFs&) { run.options.rotate_events = 5; }},
    {"rotation by size", [](FileRun& run, MemoryFs&) { run.options.rotate_size = 60; }},
    {"rotation by size, two tables, compressed",
     [](FileRun& run, MemoryFs&) {
       run.output = "/out/{table}.ndjson.zst";
       run.tables = 2;
       run.options.rotate_size = 90;
     }},
    {"rotation by time",
     [](FileRun& run, MemoryFs&) {
       run.options.rotate_time = std::chrono::milliseconds(2500);
       run.step = 1000;
     }},
    {"one file a day",
     [](FileRun& run, MemoryFs&) {
       run.output = "/out/{date}/{table}.ndjson";
       run.tables = 2;
       run.step = 30'000'000;
     }},
};

// Every line of a table in the order of the file names; what was there before is left out.
std::string content(const FileRun& run, const MemoryFs& fs, std::size_t table) {
  std::string out;
  const std::string name = "t" + std::to_string(table);
  for (auto [path, data] : fs.all()) {
    if (run.tables > 1 && path.find(name) == std::string::npos) continue;
    if (path.ends_with(".zst")) data = unzstd(data);
    if (data.starts_with("old\n")) data = data.substr(4);
    out += data;
  }
  return out;
}

void check(const FileRun& run, const MemoryFs& fs) {
  for (std::size_t t = 0; t < run.tables; ++t) CHECK(content(run, fs, t) == run.expected(t));
  for (const auto& file : fs.all()) {
    CAPTURE(file.first);
    CHECK(!file.first.ends_with(".part"));
    CHECK(!file.first.ends_with(".new"));
  }
}

}  // namespace

TEST_CASE("CORE-OFF-15: files hold every line exactly once, whatever operation the disk dies at") {
  for (const Case& c : kCases) {
    for (const Crash how : {Crash::process, Crash::power, Crash::power_some}) {
      for (std::size_t at = 1;; ++at) {
        FileRun run;
        MemoryFs fs;
        c.set(run, fs);
        std::mt19937 random(static_cast<unsigned>(at));
        fs.crash_in = at;
        const auto first = run.run(fs);
        const bool died = fs.crashed;
        CAPTURE(c.name);
        CAPTURE(static_cast<int>(how));
        CAPTURE(at);
        if (died) {
          CHECK(!first);
          fs.restart(how, random);
          const auto second = run.run(fs);
          CAPTURE(second ? "" : second.error().message);
          REQUIRE(second);
        } else if (!first) {
          FAIL(first.error().message);
        }
        check(run, fs);
        if (!died) break;
      }
    }
  }
}

TEST_CASE("CORE-OFF-15: files hold every line exactly once when the disk dies again and again") {
  for (const Case& c : kCases) {
    for (const Crash how : {Crash::process, Crash::power, Crash::power_some}) {
      for (unsigned seed = 1; seed <= 40; ++seed) {
        FileRun run;
        MemoryFs fs;
        c.set(run, fs);
        run.batch = 3;
        std::mt19937 random(seed);
        CAPTURE(c.name);
        CAPTURE(static_cast<int>(how));
        CAPTURE(seed);
        for (std::size_t lives = 1;; ++lives) {
          fs.crash_in = 1 + random() % (4 + lives);
          const auto done = run.run(fs);
          if (done) break;
          if (!fs.crashed) FAIL(done.error().message);
          fs.restart(how, random);
        }
        fs.crash_in = 0;
        check(run, fs);
      }
    }
  }
}

TEST_CASE("CORE-OFF-15: an orderly end and a second run that dies before its first commit repeat nothing") {
  for (const Case& c : kCases) {
    for (std::size_t at = 1;; ++at) {
      FileRun run;
      MemoryFs fs;
      c.set(run, fs);
      if (run.options.mode != FileMode::grow) break;
      std::mt19937 random(7);
      CAPTURE(c.name);
      CAPTURE(at);
      REQUIRE(run.run(fs, 20));
      fs.restart(Crash::process, random);
      fs.crash_in = at;
      const bool finished = run.run(fs).has_value();
      if (!finished) {
        fs.restart(Crash::process, random);
        REQUIRE(run.run(fs));
      }
      check(run, fs);
      if (finished) break;
    }
  }
}

}  // namespace cdc::testing
