// What the tests of the transforms share: tables and events made by hand, a chain out of properties, and
// lines as `--format record` writes them.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/runtime.h"
#include "event/compiled_table.h"
#include "event/event.h"
#include "event/row_encoder.h"
#include "event/table_compiler.h"
#include "json/json_text.h"
#include "transform/transforms.h"

namespace cdc::test {

class SilentLog : public Log {
 public:
  bool enabled(Level) const override { return false; }
  void write(Level, std::string_view, std::string_view message, std::initializer_list<Member>) override {
    lines.emplace_back(message);
  }
  void warn_once(std::string_view, std::string_view message) override { lines.emplace_back(message); }
  std::vector<std::string> lines;
};

inline std::uint32_t raw(const CodecState*, std::string_view text, Buffer& out) {
  out.append(text);
  return encoded::ok;
}
inline std::uint32_t quoted(const CodecState*, std::string_view text, Buffer& out) {
  json::append_string(out, text);
  return encoded::ok;
}

// Values of columns of other types than text are written as JSON.
inline ColumnShape column(std::string name, SchemaPtr schema) {
  ColumnShape c;
  c.name = std::move(name);
  c.nullable = schema->optional;
  c.codec.encode = schema->type == Type::string ? quoted : raw;
  c.codec.fallback_json = schema->type == Type::string ? "\"\"" : "0";
  c.codec.schema = std::move(schema);
  return c;
}
inline ColumnShape column(std::string name, Type type, bool nullable = true) {
  return column(std::move(name), make(type, nullable));
}

inline SchemaPtr with_default(Type type, bool nullable, std::string json) {
  Schema s;
  s.type = type;
  s.optional = nullable;
  s.default_json = std::move(json);
  return std::make_shared<const Schema>(std::move(s));
}

using Properties = std::vector<std::pair<std::string, std::string>>;
using Row = std::vector<std::optional<std::string>>;

inline Config configuration(const Properties& properties) {
  ConfigInput input;
  input.settings = {"topic.prefix=cdc", "database.dbname=golden"};
  for (const auto& [name, value] : properties) input.settings.push_back(name + "=" + value);
  return load_config(input).value();
}

class Bench {
 public:
  explicit Bench(const Properties& properties)
      : config(configuration(properties)), options(event_options(config)), runtime{log, stop, stats} {
    Schema snapshot;
    snapshot.optional = true;
    snapshot.default_json = "\"false\"";
    source_type = struct_of("io.debezium.connector.postgresql.Source", 1, false,
                            {{"snapshot", std::make_shared<const Schema>(snapshot)},
                             {"table", make(Type::string, false)},
                             {"lsn", make(Type::int64, true)}});
    compiler = TableCompiler::make(config, options, source_type, destinations, log).value();
    auto made = make_transforms(config, destinations, runtime);
    REQUIRE_MESSAGE(made.has_value(), (made ? std::string() : made.error().message));
    if (*made) chain = (*made)();
    table({column("id", Type::int32, false), column("v", Type::string)});
  }

  void table(std::vector<ColumnShape> columns, const std::string& name = "t") {
    TableShape shape;
    shape.id = {"", "public", name};
    shape.columns = std::move(columns);
    shape.key = {0};
    handle = compiler->compile(std::move(shape)).value();
    source = "{\"snapshot\":\"false\",\"table\":\"" + name + "\",\"lsn\":77}";
  }

  Result<std::string> change(Op op, const Row& before, const Row& after) {
    EncodedRow old, now;
    encode(before, old);
    encode(after, now);
    Buffer key;
    const Row& keyed = after.empty() ? before : after;
    if (!keyed.empty()) encode_key(*handle, cells(keyed), nullptr, key);
    const ChangeParts parts{handle.get(), op, &old, &now, source, "null", 1'700'000'000'123'456'789};
    const std::string op_piece = std::string(",\"op\":\"") + static_cast<char>(op) + "\",\"ts_ms\":";
    const std::array<std::string_view, 15> pieces{"{\"before\":",
                                                  old.json(),
                                                  ",\"after\":",
                                                  now.json(),
                                                  ",\"source\":",
                                                  source,
                                                  ",\"transaction\":",
                                                  "null",
                                                  op_piece,
                                                  "1700000000123",
                                                  ",\"ts_us\":",
                                                  "1700000000123456",
                                                  ",\"ts_ns\":",
                                                  "1700000000123456789",
                                                  "}"};
    Event event = common(key.view());
    event.value = pieces;
    event.value_schema = handle->value_schema;
    event.value_type = handle->value_type.get();
    event.change = &parts;
    return run(event);
  }
  std::string insert(const Row& row) { return written(change(Op::create, {}, row)); }
  std::string update(const Row& before, const Row& after) {
    return written(change(Op::update, before, after));
  }
  std::string remove(const Row& row) { return written(change(Op::remove, row, {})); }
  std::string tombstone(const Row& row) {
    EncodedRow none;
    Buffer key;
    encode_key(*handle, cells(row), nullptr, key);
    const ChangeParts parts{handle.get(), Op::remove, &none, &none, source, "null", 0};
    Event event = common(key.view());
    event.kind = RecordKind::tombstone;
    event.change = &parts;
    return written(run(event));
  }
  // A record that is no envelope.
  Result<std::string> other(RecordKind kind, const std::string& topic, const SchemaPtr& key_type,
                            std::string_view key, const SchemaPtr& value_type, std::string_view value) {
    Event event;
    event.kind = kind;
    event.topic = topic;
    event.destination = destinations.intern(topic).number;
    event.key = key;
    event.key_type = key_type.get();
    const std::string key_schema = schema_text(*key_type), value_schema = schema_text(*value_type);
    event.key_schema = key_schema;
    const std::array<std::string_view, 1> pieces{value};
    event.value = pieces;
    event.value_type = value_type.get();
    event.value_schema = value_schema;
    return run(event);
  }
  std::string heartbeat() {
    return written(other(
        RecordKind::heartbeat, "__debezium-heartbeat.cdc",
        struct_of("K", 1, false, {{"serverName", make(Type::string, false)}}), "{\"serverName\":\"cdc\"}",
        struct_of("io.debezium.connector.common.Heartbeat", 1, false, {{"ts_ms", make(Type::int64, false)}}),
        "{\"ts_ms\":5}"));
  }

  static std::string written(Result<std::string> lines) {
    REQUIRE_MESSAGE(lines.has_value(), (lines ? std::string() : lines.error().message));
    return std::move(*lines);
  }

  SilentLog log;
  StopToken stop;
  Stats stats;
  Config config;
  EventOptions options;
  Runtime runtime;
  Destinations destinations;
  SchemaPtr source_type;
  std::unique_ptr<TableCompiler> compiler;
  std::unique_ptr<RecordTransform> chain;
  TableHandle handle;
  std::string source;
  std::vector<EventHeader> headers;
  std::uint32_t last_destination = 0;

 private:
  std::vector<Cell> cells(const Row& row) const {
    std::vector<Cell> out;
    for (const auto& value : row)
      out.push_back(value ? Cell{Cell::Kind::value, *value} : Cell{Cell::Kind::null, {}});
    return out;
  }
  void encode(const Row& row, EncodedRow& out) const {
    if (!row.empty()) encode_row(*handle, cells(row), out);
  }
  Event common(std::string_view key) const {
    Event event;
    event.topic = handle->topic;
    event.destination = handle->destination;
    event.key = key;
    event.key_schema = handle->key_schema;
    event.key_type = handle->key_type.get();
    event.headers = headers;
    return event;
  }
  static void document(Buffer& out, bool schemas, std::string_view schema, std::string_view text) {
    if (text.empty() || !schemas) {
      out.append(text.empty() ? std::string_view("null") : text);
      return;
    }
    out.append("{\"schema\":");
    out.append(schema.empty() ? std::string_view("null") : schema);
    out.append(",\"payload\":");
    out.append(text);
    out.push('}');
  }
  Result<std::string> run(const Event& event) {
    Buffer out;
    const RecordTransform::Next write = [&](const Event& e) -> Result<void> {
      last_destination = e.destination;
      out.append(e.topic);
      if (e.partition >= 0) out.append("#" + std::to_string(e.partition));
      out.push(' ');
      document(out, options.key_schemas, e.key_schema, e.key);
      out.push(' ');
      std::string value;
      for (const std::string_view piece : e.value) value += piece;
      document(out, options.value_schemas, e.value_schema, value);
      for (const EventHeader& h : e.headers) {
        out.push(' ');
        out.append(h.name);
        out.push('=');
        document(out, options.header_schemas, h.schema, h.value);
      }
      return {};
    };
    CDC_CHECK(chain != nullptr ? chain->apply(event, write) : write(event));
    return std::string(out.view());
  }
};

// The message of make_transforms for a configuration that it must refuse.
inline std::string refusal(const Properties& properties) {
  const Config config = configuration(properties);
  SilentLog log;
  StopToken stop;
  Stats stats;
  Runtime runtime{log, stop, stats};
  Destinations destinations;
  const auto made = make_transforms(config, destinations, runtime);
  if (made) return "accepted";
  CHECK(made.error().kind == ErrorKind::usage);
  return made.error().message;
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace cdc::test
