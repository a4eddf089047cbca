// One record on its way to the bytes of a line: everything is text that lies in somebody's buffer and
// stays valid while the record is handed on. What formats and transforms see of the event room.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/buffer.h"
#include "cdc/change_sink.h"
#include "cdc/error.h"
#include "cdc/position.h"
#include "cdc/schema.h"

namespace cdc {

// A row as JSON: the object's text and where each value stands in it.
struct EncodedRow {
  struct Slice {
    std::size_t begin = 0, end = 0;
  };
  Buffer text;                         // {"id":1,"name":"x"}; empty: there is no row (prints null)
  std::vector<Slice> values;           // by column of CompiledTable::columns()
  std::vector<std::uint32_t> outcome;  // what each encoder reported; see `varied`
  bool varied = false;    // the record's schema must differ from the table's (null in a required field, ...)
  bool troubled = false;  // a value could not be expressed (event.converting.failure.handling.mode)

  void clear() { text.clear(), varied = troubled = false; }
  bool present() const { return !text.empty(); }
  std::string_view value(std::size_t i) const { return text.view(values[i].begin, values[i].end); }
  std::string_view json() const { return present() ? text.view() : std::string_view("null"); }
};

struct EventHeader {
  std::string_view name;
  std::string_view schema;  // JSON text of the value's schema
  const Schema* type = nullptr;
  std::string_view value;  // JSON text
};

// The parts of a data event's envelope, for whoever needs to look inside; null for other records.
struct ChangeParts {
  const CompiledTable* table = nullptr;
  Op op = Op::read;
  const EncodedRow* before = nullptr;
  const EncodedRow* after = nullptr;
  std::string_view source;       // JSON object
  std::string_view transaction;  // JSON object or "null"
  std::int64_t ts_ns = 0;        // build time, since 1970
};

enum class RecordKind : std::uint8_t {
  data,
  tombstone,
  message,
  heartbeat,
  transaction,
  notification,
  schema_change
};

struct Event {
  RecordKind kind = RecordKind::data;
  std::string_view topic;
  std::uint32_t destination = 0;
  int partition = -1;           // -1: none
  std::string_view key;         // JSON payload; empty: null key without schema
  std::string_view key_schema;  // JSON text
  const Schema* key_type = nullptr;
  std::span<const std::string_view>
      value;  // JSON payload in pieces; empty: null value without schema (tombstone)
  std::string_view value_schema;
  const Schema* value_type = nullptr;
  std::span<const EventHeader> headers;
  const ChangeParts* change = nullptr;       // data events only
  const PositionWriter* position = nullptr;  // for formats that print the offset
};

// Event -> lines. Implemented by the format room; one object a reader thread.
class RecordFormat {
 public:
  virtual ~RecordFormat() = default;
  // Appends whole lines (each with its \n) and returns how many: 0 when the format does not print such a
  // record.
  virtual Result<unsigned> append(Buffer& out, const Event& event) = 0;
};

// Event -> Event(s): the compiled chain of transforms. Implemented by the transform room.
class RecordTransform {
 public:
  virtual ~RecordTransform() = default;
  // Calls `next` for what comes of the event (nothing when it is dropped).
  using Next = std::function<Result<void>(const Event&)>;
  virtual Result<void> apply(const Event& event, const Next& next) = 0;
};

}  // namespace cdc
