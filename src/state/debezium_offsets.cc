// HashMap<byte[], byte[]> <-> offsets. The numbers of the map (load factor, threshold, buckets) are ignored
// when reading and written as Java would have them.
#include "state/debezium_offsets.h"

#include <fmt/format.h>

#include <cstdint>

#include "json/json_read.h"
#include "state/disk.h"
#include "state/java_stream.h"
#include "state/partition.h"

namespace cdc {
namespace {

using java::Node;

constexpr std::string_view kHint =
    "Give the file that offset.storage.file.filename of Debezium names, copied while Debezium is stopped";

tl::unexpected<Error> wrong(std::string what) {
  return fail(ErrorKind::corrupt, std::move(what), std::string(kHint));
}

std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

// Bytes of a byte[]; nothing for null.
Result<std::optional<std::string_view>> byte_array(const java::Stream& stream, const java::Annotation& item) {
  if (item.is_block) return wrong("has raw bytes where an array is due");
  const Node& node = stream.nodes[item.node];
  if (node.kind == Node::Kind::null) return std::nullopt;
  if (node.kind != Node::Kind::primitive_array || stream.classes[node.class_desc].name != "[B")
    return wrong("has something else than byte arrays in its map");
  return node.bytes;
}

Result<DebeziumOffset> offset_of(std::string_view key, std::optional<std::string_view> value) {
  DebeziumOffset out;
  const auto parts = json::elements(key);
  if (!parts || parts->size() != 2 || !json::members((*parts)[1]))
    return wrong(fmt::format("has a key that is none of Debezium's: {}", key));
  const auto engine = json::unquote((*parts)[0]);
  if (!engine) return wrong(fmt::format("has a key without an engine name: {}", key));
  if (json::unquote(json::quote(*engine)) != engine) return wrong("has an engine name that is no UTF-8");
  out.engine = *engine;
  out.partition = (*parts)[1];
  if (!value || json::is_null(*value)) return out;
  if (!json::members(*value))
    return wrong(fmt::format("has an offset that is no JSON object, for the key {}", key));
  out.value = *value;
  return out;
}

void put(std::string& out, std::uint64_t value, int width) {
  for (int shift = 8 * (width - 1); shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(value >> shift & 0xFF));
}

void put_utf(std::string& out, std::string_view text) {
  put(out, text.size(), 2);
  out += text;
}

// The class description of byte[] is written once and referred to afterwards; it is the second one of the
// stream, and the map itself the object between.
void put_array(std::string& out, std::string_view bytes, bool& described) {
  constexpr std::uint32_t kByteArrayHandle = 0x7E0002;
  out.push_back('\x75');
  if (std::exchange(described, true)) {
    out.push_back('\x71');
    put(out, kByteArrayHandle, 4);
  } else {
    out.push_back('\x72');
    put_utf(out, "[B");
    put(out, 0xACF317F8060854E0, 8);
    out.push_back('\x02');
    put(out, 0, 2);
    out += "\x78\x70";
  }
  put(out, bytes.size(), 4);
  out += bytes;
}

}  // namespace

Result<std::vector<DebeziumOffset>> read_debezium_offsets(std::string_view bytes) {
  if (bytes.empty()) return wrong("is empty: a crash of Debezium while it wrote leaves such a file");
  auto stream = java::parse(bytes);
  if (!stream) return wrong(std::move(stream).error().message);
  if (stream->contents.size() != 1) return wrong("holds more than one object");
  const Node& map = stream->nodes[stream->contents.front()];
  if (map.kind != Node::Kind::object || stream->classes[map.class_desc].name != "java.util.HashMap")
    return wrong("holds no java.util.HashMap");
  const auto& items = map.annotations;
  if (items.empty() || !items.front().is_block || items.front().block.size() != 8)
    return wrong("holds a map without a size");
  const std::uint64_t size = big_endian(items.front().block.substr(4));
  if (items.size() != 1 + 2 * size)
    return wrong(fmt::format("holds {} entries where its size says {}", (items.size() - 1) / 2, size));
  std::vector<DebeziumOffset> offsets;
  for (std::size_t i = 1; i < items.size(); i += 2) {
    CDC_TRY(const auto key, byte_array(*stream, items[i]));
    CDC_TRY(const auto value, byte_array(*stream, items[i + 1]));
    if (!key) return wrong("has an entry without a key");
    CDC_TRY(DebeziumOffset offset, offset_of(*key, value));
    offsets.push_back(std::move(offset));
  }
  return offsets;
}

std::string write_debezium_offsets(const std::vector<DebeziumOffset>& offsets) {
  // A HashMap doubles its buckets when it is fuller than three quarters.
  std::uint64_t buckets = 16;
  while (offsets.size() > buckets / 4 * 3) buckets *= 2;
  std::string out;
  put(out, 0xACED0005, 4);
  out += "\x73\x72";
  put_utf(out, "java.util.HashMap");
  put(out, 0x0507DAC1C31660D1, 8);
  out.push_back('\x03');
  put(out, 2, 2);
  out.push_back('F');
  put_utf(out, "loadFactor");
  out.push_back('I');
  put_utf(out, "threshold");
  out += "\x78\x70";
  put(out, 0x3F400000, 4);
  put(out, buckets / 4 * 3, 4);
  out += "\x77\x08";
  put(out, buckets, 4);
  put(out, offsets.size(), 4);
  bool described = false;
  for (const DebeziumOffset& offset : offsets) {
    put_array(out, fmt::format("[{},{}]", json::quote(offset.engine), offset.partition), described);
    if (offset.value)
      put_array(out, *offset.value, described);
    else
      out.push_back('\x70');
  }
  out.push_back('\x78');
  return out;
}

Result<void> save_debezium_offsets(const std::string& path, const std::vector<DebeziumOffset>& offsets) {
  return replace_file(path, write_debezium_offsets(offsets));
}

std::vector<DebeziumOffset> offsets_of_partition(const std::vector<DebeziumOffset>& offsets,
                                                 std::string_view partition, std::string_view engine) {
  std::vector<DebeziumOffset> out;
  const std::string wanted = canonical_json(partition);
  for (const DebeziumOffset& offset : offsets)
    if ((engine.empty() || offset.engine == engine) && canonical_json(offset.partition) == wanted)
      out.push_back(offset);
  return out;
}

}  // namespace cdc
