// A log that remembers, codecs and tables made by hand: what the tests of the event room share.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/change_sink.h"
#include "cdc/runtime.h"
#include "event/event_room.h"
#include "json/json_text.h"

namespace cdc::test {

class MemoryLog : public Log {
 public:
  bool enabled(Level) const override { return true; }
  void write(Level, std::string_view event, std::string_view message,
             std::initializer_list<Member>) override {
    std::lock_guard lock(mutex);
    lines.emplace_back(std::string(event) + ": " + std::string(message));
  }
  void warn_once(std::string_view, std::string_view message) override {
    std::lock_guard lock(mutex);
    lines.emplace_back("once: " + std::string(message));
  }
  bool has(std::string_view part) const {
    for (const std::string& line : lines)
      if (line.find(part) != std::string::npos) return true;
    return false;
  }
  std::vector<std::string> lines;
  std::mutex mutex;
};

inline std::uint32_t encode_raw(const CodecState*, std::string_view text, Buffer& out) {
  out.append(text);
  return encoded::ok;
}
inline std::uint32_t encode_text(const CodecState*, std::string_view text, Buffer& out) {
  json::append_string(out, text);
  return encoded::ok;
}
// "bad" has no form; everything else is written as it is.
inline std::uint32_t encode_picky(const CodecState*, std::string_view text, Buffer& out) {
  if (text == "bad") return encoded::failed;
  out.append(text);
  return encoded::ok;
}

inline ColumnShape column(std::string name, Type type, bool nullable, EncodeFn encode = encode_raw) {
  ColumnShape c;
  c.name = std::move(name);
  c.nullable = nullable;
  c.codec.encode = type == Type::string && encode == encode_raw ? encode_text : encode;
  c.codec.schema = make(type, nullable);
  c.codec.fallback_json = type == Type::string ? "\"\"" : "0";
  c.is_character = type == Type::string;
  c.type_name = type == Type::string ? "TEXT" : "INT4";
  return c;
}

inline Cell value(std::string_view text) { return {Cell::Kind::value, text}; }
inline Cell null() { return {Cell::Kind::null, {}}; }
inline Cell absent() { return {Cell::Kind::absent, {}}; }

// A source block that prints only what a test wants to see.
class PlainBlock : public SourceBlock {
 public:
  void append(Buffer& out, const TableId&, SnapshotMarker marker) const override {
    static constexpr std::string_view kNames[] = {"streaming", "first", "first_in",   "true",
                                                  "last_in",   "last",  "incremental"};
    out.append("{\"snapshot\":\"");
    out.append(kNames[static_cast<std::size_t>(marker)]);
    out.append("\"}");
  }
  std::int64_t timestamp_us() const override { return 1'000'000; }
  void append_transaction_id(Buffer& out) const override { out.append(id); }
  std::string_view transaction_group() const override { return group; }
  std::string place() const override { return "100"; }
  std::string id = "7:100", group = "7";
};

class FixedPosition : public PositionWriter {
 public:
  Checkpoint checkpoint() const override { return {offset, 1}; }
  std::string offset = "{\"lsn\":1}";
};

// The lines of the format under test: `topic key value-pieces`, without times.
class ShortFormat : public RecordFormat {
 public:
  Result<unsigned> append(Buffer& out, const Event& event) override {
    out.append(event.topic);
    out.push(' ');
    out.append(event.key.empty() ? std::string_view("null") : event.key);
    for (const EventHeader& h : event.headers) {
      out.append(" ");
      out.append(h.name);
      out.append("=");
      out.append(h.value);
    }
    out.push(' ');
    if (event.value.empty()) out.append("tombstone");
    std::string all;
    for (const std::string_view piece : event.value) all += piece;
    if (event.change != nullptr) all = all.substr(0, all.find(",\"ts_ms\":"));
    out.append(all);
    out.push('\n');
    return 1u;
  }
};

// Everything a reader needs, with a queue that tests empty by hand.
struct Room {
  explicit Room(std::initializer_list<std::pair<std::string_view, std::string_view>> properties = {})
      : config(config_of(properties).value()),
        runtime{log, stop, stats},
        queue({100000, 64u << 20}, runtime) {
    room = std::make_unique<EventRoom>(config, event_options(config), destinations, queue, runtime);
    room->tables =
        TableCompiler::make(config, room->options, struct_of("Source", 1, false, {}), destinations, log)
            .value();
    room->make_format = [] { return Result<std::unique_ptr<RecordFormat>>(std::make_unique<ShortFormat>()); };
  }
  std::string lines() {
    std::string all;
    while (auto batch = queue.pop(std::chrono::milliseconds(0))) all += batch->bytes.view();
    return all;
  }
  MemoryLog log;
  StopToken stop;
  Stats stats;
  Config config;
  Runtime runtime;
  Destinations destinations;
  BatchQueue queue;
  std::unique_ptr<EventRoom> room;
};

inline TableShape people() {
  TableShape shape;
  shape.id = {"", "public", "people"};
  shape.columns = {column("id", Type::int32, false), column("name", Type::string, false),
                   column("age", Type::int32, true)};
  shape.key = {0};
  return shape;
}

}  // namespace cdc::test
