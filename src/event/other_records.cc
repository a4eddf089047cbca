// Heartbeats, transaction borders, logical messages.
#include "event/other_records.h"

#include "event/envelope.h"
#include "event/transactions.h"
#include "json/json_text.h"

namespace cdc {
namespace {

// Content of a message by binary.handling.mode (PG-MSG-03).
SchemaPtr content_type(const std::string& mode) {
  return make(mode == "bytes" ? Type::bytes : Type::string, true);
}

void append_content(Buffer& out, const std::string& mode, std::string_view content) {
  if (mode == "hex")
    json::append_hex(out, content);
  else
    json::append_base64(out, content, mode == "base64-url-safe");
}

}  // namespace

OtherRecords::OtherRecords(EventRoom& room) : room_(room) {
  const EventOptions& o = room.options;
  const TopicNaming& naming = room.tables->naming();
  const auto adjusted = [&](const char* name) { return adjust_schema_name(o.schema_names, name); };
  heartbeat_ = make_kind(RecordKind::heartbeat, naming.heartbeat_topic(), 0,
                         struct_of(adjusted("io.debezium.connector.common.ServerNameKey"), 1, false,
                                   {{"serverName", make(Type::string, false)}}),
                         struct_of(adjusted("io.debezium.connector.common.Heartbeat"), 1, false,
                                   {{"ts_ms", make(Type::int64, false)}}));
  transaction_ = make_kind(RecordKind::transaction, naming.transaction_topic(), -1, transaction_key_type(),
                           transaction_value_type());
  const auto part = [&](const char* name) {
    return adjusted(("io.debezium.connector.postgresql." + std::string(name)).c_str());
  };
  message_ = make_kind(RecordKind::message, naming.message_topic(), -1,
                       struct_of(part("MessageKey"), 1, false, {{"prefix", make(Type::string, true)}}),
                       struct_of(part("MessageValue"), 1, false,
                                 {{"op", make(Type::string, false)},
                                  {"ts_ms", make(Type::int64, true)},
                                  {"source", room.tables->source_type()},
                                  {"transaction", transaction_block_type()},
                                  {"message", struct_of(part("Message"), 1, false,
                                                        {{"prefix", make(Type::string, true)},
                                                         {"content", content_type(o.binary_mode)}})}}));
}

OtherRecords::Kind OtherRecords::make_kind(RecordKind kind, std::string topic, int partition, SchemaPtr key,
                                           SchemaPtr value) {
  Kind k;
  k.kind = kind;
  k.destination = room_.destinations.intern(topic).number;
  k.topic = std::move(topic);
  k.partition = partition;
  k.key_schema = schema_text(*key);
  k.value_schema = schema_text(*value);
  k.key_type = std::move(key);
  k.value_type = std::move(value);
  return k;
}

Result<void> OtherRecords::emit(const Kind& kind, std::string_view key, std::string_view value,
                                const PositionWriter* position, BatchWriter& writer) {
  Event event;
  event.kind = kind.kind;
  event.topic = kind.topic;
  event.destination = kind.destination;
  event.partition = kind.partition;
  event.key = key;
  event.key_schema = kind.key_schema;
  event.key_type = kind.key_type.get();
  const std::array<std::string_view, 1> pieces{value};
  event.value = pieces;
  event.value_schema = kind.value_schema;
  event.value_type = kind.value_type.get();
  event.position = room_.options.wants_offset ? position : nullptr;
  return writer.emit(event);
}

Result<void> OtherRecords::heartbeat(const PositionWriter* position, BatchWriter& writer) {
  key_.clear();
  key_.append("{\"serverName\":");
  json::append_string(key_, room_.options.prefix);
  key_.push('}');
  value_.clear();
  value_.append("{\"ts_ms\":");
  json::append_int(value_, now_ns() / 1'000'000);
  value_.push('}');
  CDC_CHECK(emit(heartbeat_, key_.view(), value_.view(), position, writer));
  return room_.after_heartbeat ? room_.after_heartbeat() : Result<void>();
}

Result<void> OtherRecords::transaction(std::string_view id, std::string_view value,
                                       const PositionWriter* position, BatchWriter& writer) {
  key_.clear();
  key_.append("{\"id\":");
  json::append_string(key_, id);
  key_.push('}');
  return emit(transaction_, key_.view(), value, position, writer);
}

Result<void> OtherRecords::message(std::string_view prefix, std::string_view content, std::string_view source,
                                   std::string_view transaction, const PositionWriter* position,
                                   BatchWriter& writer) {
  key_.clear();
  key_.append("{\"prefix\":");
  json::append_string(key_, prefix);
  key_.push('}');
  value_.clear();
  value_.append("{\"op\":\"m\",\"ts_ms\":");
  json::append_int(value_, now_ns() / 1'000'000);
  value_.append(",\"source\":");
  value_.append(source);
  value_.append(",\"transaction\":");
  value_.append(transaction);
  value_.append(",\"message\":{\"prefix\":");
  json::append_string(value_, prefix);
  value_.append(",\"content\":");
  append_content(value_, room_.options.binary_mode, content);
  value_.append("}}");
  return emit(message_, key_.view(), value_.view(), position, writer);
}

}  // namespace cdc
