// The way of a row through the house: settings of masks, keys, transforms and formats as a user might write
// them, then the row's texts as a server might send them. Every line that comes out is one JSON document (or
// two around a tab). Settings lines up to an empty one; a byte for the operation; then the cells, a line
// each.
#include <algorithm>

#include "event/event_room.h"
#include "event/stream_events.h"
#include "format/formats.h"
#include "input.h"
#include "json/json_text.h"
#include "transform/transforms.h"

using namespace cdc;
using fuzz::require;

namespace {

class Quiet : public Log {
 public:
  bool enabled(Level) const override { return false; }
  void write(Level, std::string_view, std::string_view, std::initializer_list<Member>) override {}
  void warn_once(std::string_view, std::string_view) override {}
};

class Block : public SourceBlock {
 public:
  void append(Buffer& out, const TableId&, SnapshotMarker) const override {
    out.append("{\"snapshot\":\"false\",\"table\":\"t\",\"lsn\":7}");
  }
  std::int64_t timestamp_us() const override { return 1'000'000; }
  void append_transaction_id(Buffer& out) const override { out.append("7:1"); }
  std::string_view transaction_group() const override { return "7"; }
  std::string place() const override { return "0/7"; }
};

class Position : public PositionWriter {
 public:
  Checkpoint checkpoint() const override { return {"{\"lsn\":7}", 7}; }
};

std::uint32_t encode_text(const CodecState*, std::string_view text, Buffer& out) {
  json::append_string(out, text);
  return encoded::ok;
}
std::uint32_t encode_json(const CodecState*, std::string_view text, Buffer& out) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos || text.size() > 9 ||
      (text[0] == '0' && text.size() > 1))
    return encoded::failed;
  out.append(text);
  return encoded::ok;
}
std::uint32_t encode_bytes(const CodecState*, std::string_view text, Buffer& out) {
  json::append_base64(out, text);
  return encoded::ok;
}

ColumnShape column(std::string name, Type type, bool nullable, EncodeFn encode, std::string fallback) {
  ColumnShape c;
  c.name = std::move(name);
  c.nullable = nullable;
  c.codec.encode = encode;
  c.codec.schema = make(type, nullable);
  c.codec.fallback_json = std::move(fallback);
  if (type == Type::string) c.codec.unavailable_json = "\"__debezium_unavailable_value\"";
  c.is_character = type == Type::string;
  c.type_name = type == Type::string ? "TEXT" : "INT4";
  return c;
}

TableShape shape() {
  TableShape shape;
  shape.id = {"", "public", "t"};
  shape.columns = {column("id", Type::int32, false, encode_json, "0"),
                   column("v", Type::string, true, encode_text, "\"\""),
                   column("n", Type::int64, true, encode_json, "0"),
                   column("b", Type::bytes, true, encode_bytes, "\"\"")};
  shape.key = {0};
  return shape;
}

Cell cell(std::string_view line) {
  if (line == "\\N") return {Cell::Kind::null, {}};
  if (line == "\\U") return {Cell::Kind::unavailable, {}};
  if (line == "\\A") return {Cell::Kind::absent, {}};
  return {Cell::Kind::value, line};
}

void check_lines(std::string_view bytes, bool keyed) {
  require(bytes.empty() || bytes.back() == '\n');
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = bytes.find('\n', at);
    std::string_view line = bytes.substr(at, end - at);
    at = end + 1;
    if (keyed) {
      const std::size_t tab = line.find('\t');
      require(tab != std::string_view::npos);
      require(tab == 0 || fuzz::is_json(line.substr(0, tab)));
      line.remove_prefix(tab + 1);
      if (line.empty()) continue;
    }
    require(fuzz::is_json(line));
  }
}

Result<void> run(EventRoom& room, fuzz::Input& input) {
  static const Block block;
  static const Position position;
  auto made = StreamEvents::make(room, "");
  if (!made) return tl::unexpected<Error>(made.error());
  StreamEvents& events = **made;
  events.set_source_block(&block);
  events.set_position_writer(&position);
  CDC_TRY(const TableHandle table, events.table(shape()));
  const unsigned operation = input.byte();
  std::vector<Cell> before, after;
  for (int i = 0; i < 4; ++i) after.push_back(cell(input.line()));
  for (int i = 0; i < 4; ++i) before.push_back(cell(input.line()));
  for (Cell& c : after)
    if (c.kind == Cell::Kind::absent) c.kind = Cell::Kind::null;
  if (operation % 2 == 1) CDC_CHECK(events.begin_transaction());
  RowChange change{table.get(), Op::create, {}, after, false};
  if (operation / 2 % 3 == 1)
    change.op = Op::update, change.before = before, change.before_is_whole = operation / 8 % 2 == 1;
  if (operation / 2 % 3 == 2) change.op = Op::remove, change.before = before, change.after = {};
  if (change.before_is_whole)
    for (Cell& c : before)
      if (c.kind == Cell::Kind::absent) c.kind = Cell::Kind::null;
  CDC_CHECK(events.row(change));
  if (operation / 16 % 2 == 1) CDC_CHECK(events.truncate(*table));
  if (operation / 32 % 2 == 1) CDC_CHECK(events.message("prefix", input.rest(), operation % 2 == 1));
  if (operation % 2 == 1) CDC_CHECK(events.end_transaction());
  return events.flush(true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto config = fuzz::settings(input);
  if (!config) return 0;
  Quiet log;
  StopToken stop;
  Stats stats;
  Runtime runtime{log, stop, stats};
  Destinations destinations;
  BatchQueue queue({1000, 64u << 20}, runtime);
  EventRoom room(*config, event_options(*config), destinations, queue, runtime);
  Schema source;
  auto tables = TableCompiler::make(*config, room.options,
                                    struct_of("Source", 1, false,
                                              {{"snapshot", make(Type::string, true)},
                                               {"table", make(Type::string, false)},
                                               {"lsn", make(Type::int64, true)}}),
                                    destinations, log);
  if (!tables) return 0;
  room.tables = std::move(*tables);
  room.make_format = [&config] { return make_format(*config); };
  auto transforms = make_transforms(*config, destinations, runtime);
  if (!transforms) return 0;
  room.make_transform = std::move(*transforms);
  const auto done = run(room, input);
  if (!done) require(!done.error().message.empty());
  const bool keyed = config->text("format") == "keyed";
  while (auto batch = queue.pop(std::chrono::milliseconds(0))) check_lines(batch->bytes.view(), keyed);
  return 0;
}
