// A little capture for tests of the file sink: numbered lines, a flush and a commit per batch, and a state
// that survives what the disk does not.
#pragma once

#include <zstd.h>

#include <string>
#include <vector>

#include "fake_runtime.h"
#include "memory_fs.h"
#include "sink/file_sink.h"

namespace cdc::testing {

struct FileRun {
  std::string output = "/out/changes.ndjson";
  SinkOptions options;
  std::size_t tables = 1;
  std::size_t lines = 40;
  std::size_t batch = 7;
  std::int64_t now = 1'700'000'000'000;
  std::int64_t step = 0;  // of the clock, per batch

  // The state: what survives.
  std::vector<FilePosition> files;
  std::size_t done = 0;

  static std::string line(std::size_t i) {
    return "{\"n\":" + std::to_string(i) + ",\"pad\":\"" + std::string(i % 13, 'x') + "\"}\n";
  }
  Destination destination(std::size_t table) const {
    const std::string name = "t" + std::to_string(table);
    return {static_cast<std::uint32_t>(table), "cdc.public." + name, "db", "public", name};
  }

  Result<std::unique_ptr<FileSink>> open(MemoryFs& fs) {
    CDC_TRY(PathTemplate name, PathTemplate::parse(output, options.rotates(), "/home/me"));
    auto sink =
        std::make_unique<FileSink>(std::move(name), options, fake.runtime, fs, [this] { return now; });
    CDC_CHECK(sink->open(files));
    return sink;
  }

  Result<void> write(Sink& sink, std::size_t from, std::size_t to) {
    for (std::size_t t = 0; t < tables; ++t) {
      std::string block;
      std::uint64_t count = 0;
      for (std::size_t i = from; i < to; ++i)
        if (i % tables == t) block += line(i), ++count;
      if (count != 0) CDC_CHECK(sink.write(destination(t), block, count));
    }
    return {};
  }

  Result<void> commit(MemoryFs& fs, Sink& sink, std::vector<FilePosition> positions, std::size_t at) {
    if (!fs.operation()) return fail(ErrorKind::sink, "the state died");
    files = std::move(positions);
    done = at;
    if (!fs.operation()) return fail(ErrorKind::sink, "died behind the state");
    return sink.committed();
  }

  // From where the state stands to the end; an error where the disk died.
  Result<void> run(MemoryFs& fs, std::size_t until = static_cast<std::size_t>(-1)) {
    CDC_TRY(auto sink, open(fs));
    // A snapshot that the state knows to be complete is not gone on with: the next one is another.
    if (options.mode == FileMode::resume && !files.empty() && files[0].finished) return {};
    const std::size_t end = std::min(lines, until);
    while (done < end) {
      const std::size_t to = std::min(done + batch, end);
      CDC_CHECK(write(*sink, done, to));
      CDC_TRY(auto positions, sink->flush());
      CDC_CHECK(commit(fs, *sink, std::move(positions), to));
      now += step;
    }
    CDC_TRY(auto positions, sink->close());
    return commit(fs, *sink, std::move(positions), done);
  }

  std::string expected(std::size_t table) const {
    std::string out;
    for (std::size_t i = 0; i < lines; ++i)
      if (i % tables == table) out += line(i);
    return out;
  }

  FakeRuntime fake;
};

inline std::string unzstd(const std::string& data) {
  std::string out(1 << 20, '\0');
  const std::size_t n = ZSTD_decompress(out.data(), out.size(), data.data(), data.size());
  if (ZSTD_isError(n) != 0) return "not zstd";
  out.resize(n);
  return out;
}

}  // namespace cdc::testing
