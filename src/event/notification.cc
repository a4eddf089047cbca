// Texts and schemas of notifications.
#include "event/notification.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <random>

#include "event/envelope.h"
#include "json/json_text.h"

namespace cdc {
namespace {

SchemaPtr text_map() {
  auto map = std::make_shared<Schema>();
  map->type = Type::map;
  map->optional = true;
  map->keys = make(Type::string, false);
  map->values = make(Type::string, false);
  return map;
}

void append_member(Buffer& out, std::string_view lead, std::string_view text) {
  out.append(lead);
  json::append_string(out, text);
}

}  // namespace

std::string random_uuid() {
  static std::mutex mutex;
  static std::mt19937_64 random{std::random_device{}()};
  std::lock_guard lock(mutex);
  const std::uint64_t a = (random() & ~0xF000ULL) | 0x4000ULL;
  const std::uint64_t b = (random() >> 2) | (std::uint64_t{2} << 62);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", a >> 32, a >> 16 & 0xFFFF, a & 0xFFFF, b >> 48,
                     b & 0xFFFFFFFFFFFF);
}

Notifier::Notifier(EventRoom& room) : room_(room), topic_(room.config.text("notification.sink.topic.name")) {
  const auto channels = room.config.list("notification.enabled.channels");
  const auto has = [&](const char* name) {
    return std::find(channels.begin(), channels.end(), name) != channels.end();
  };
  to_sink_ = has("sink");
  to_log_ = has("log");
  if (!to_sink_) return;
  destination_ = room.destinations.intern(topic_).number;
  // Names of these two are never adjusted (CORE-NOT-02).
  key_type_ = struct_of("io.debezium.connector.common.NotificationKey", 1, false,
                        {{"id", make(Type::string, false)}});
  value_type_ = struct_of("io.debezium.connector.common.Notification", 1, false,
                          {{"id", make(Type::string, false)},
                           {"type", make(Type::string, false)},
                           {"aggregate_type", make(Type::string, false)},
                           {"additional_data", text_map()},
                           {"timestamp", make(Type::int64, false)}});
  key_schema_ = schema_text(*key_type_);
  value_schema_ = schema_text(*value_type_);
}

Result<void> Notifier::send(const Notification& notification, const PositionWriter* position,
                            BatchWriter& writer) {
  if (!on()) return {};
  const std::string id = notification.id.empty() ? random_uuid() : notification.id;
  const std::int64_t ms = now_ns() / 1'000'000;
  if (to_log_) log(notification, id, ms);
  return to_sink_ ? write(notification, id, ms, position, writer) : Result<void>{};
}

void Notifier::send_to_log(const Notification& notification) const {
  if (to_log_) log(notification, random_uuid(), now_ns() / 1'000'000);
}

Result<void> Notifier::write(const Notification& notification, std::string_view id, std::int64_t ms,
                             const PositionWriter* position, BatchWriter& writer) {
  key_.clear();
  append_member(key_, "{\"id\":", id);
  key_.push('}');
  value_.clear();
  append_member(value_, "{\"id\":", id);
  append_member(value_, ",\"type\":", notification.type);
  append_member(value_, ",\"aggregate_type\":", notification.aggregate);
  append_member(value_, ",\"additional_data\":{\"connector_name\":", room_.options.prefix);
  for (const auto& [name, text] : notification.data) {
    value_.push(',');
    json::append_string(value_, name);
    append_member(value_, ":", text);
  }
  value_.append("},\"timestamp\":");
  json::append_int(value_, ms);
  value_.push('}');

  Event event;
  event.kind = RecordKind::notification;
  event.topic = topic_;
  event.destination = destination_;
  event.key = key_.view();
  event.key_schema = key_schema_;
  event.key_type = key_type_.get();
  const std::array<std::string_view, 1> pieces{value_.view()};
  event.value = pieces;
  event.value_schema = value_schema_;
  event.value_type = value_type_.get();
  event.position = room_.options.wants_offset ? position : nullptr;
  return writer.emit(event);
}

void Notifier::log(const Notification& notification, std::string_view id, std::int64_t ms) const {
  std::string data = "connector_name=" + room_.options.prefix;
  for (const auto& [name, text] : notification.data) data += fmt::format(", {}={}", name, text);
  room_.runtime.log.write(
      Level::info, "notification",
      fmt::format("[Notification Service]  {{id='{}', aggregateType='{}', type='{}', additionalData={{{}}}, "
                  "timestamp={}}}",
                  id, notification.aggregate, notification.type, data, ms),
      {{"type", std::string(notification.type)}, {"aggregate_type", std::string(notification.aggregate)}});
}

}  // namespace cdc
