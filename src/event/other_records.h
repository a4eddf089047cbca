// Records that are no row changes: heartbeats, BEGIN/END, logical messages, notifications. Texts and
// schemas; when they are due is decided elsewhere.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "event/batch_writer.h"
#include "event/event.h"
#include "event/event_room.h"

namespace cdc {

class OtherRecords {
 public:
  explicit OtherRecords(EventRoom& room);

  Result<void> heartbeat(const PositionWriter* position, BatchWriter& writer);
  // `id` as JSON string text, `value` the JSON of CORE-TX-03.
  Result<void> transaction(std::string_view id, std::string_view value, const PositionWriter* position,
                           BatchWriter& writer);
  Result<void> message(std::string_view prefix, std::string_view content, std::string_view source,
                       std::string_view transaction, const PositionWriter* position, BatchWriter& writer);

 private:
  struct Kind {
    RecordKind kind{};
    std::string topic;
    std::uint32_t destination = 0;
    int partition = -1;
    SchemaPtr key_type, value_type;
    std::string key_schema, value_schema;
  };
  Kind make_kind(RecordKind kind, std::string topic, int partition, SchemaPtr key, SchemaPtr value);
  Result<void> emit(const Kind& kind, std::string_view key, std::string_view value,
                    const PositionWriter* position, BatchWriter& writer);

  EventRoom& room_;
  Kind heartbeat_, transaction_, message_;
  Buffer key_, value_;
};

}  // namespace cdc
