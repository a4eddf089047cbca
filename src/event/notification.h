// Notifications about snapshots (CORE-NOT): records on their own topic and lines in the log, as
// notification.enabled.channels says. What happened and when is decided by who sends them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/batch_writer.h"
#include "event/event_room.h"

namespace cdc {

struct Notification {
  std::string id;                                              // empty: a fresh random UUID
  std::string_view aggregate;                                  // notify::initial or notify::incremental
  std::string_view type;                                       // STARTED, IN_PROGRESS, ...
  std::vector<std::pair<std::string_view, std::string>> data;  // besides connector_name
};

namespace notify {
inline constexpr std::string_view initial = "Initial Snapshot";  // blocking ones too
inline constexpr std::string_view incremental = "Incremental Snapshot";
}  // namespace notify

// Random UUID (version 4). Any thread.
std::string random_uuid();

// One object a reader thread.
class Notifier {
 public:
  explicit Notifier(EventRoom& room);

  bool on() const { return to_sink_ || to_log_; }
  Result<void> send(const Notification& notification, const PositionWriter* position, BatchWriter& writer);
  // Only where it goes to the log.
  void send_to_log(const Notification& notification) const;

 private:
  Result<void> write(const Notification& notification, std::string_view id, std::int64_t ms,
                     const PositionWriter* position, BatchWriter& writer);
  void log(const Notification& notification, std::string_view id, std::int64_t ms) const;

  EventRoom& room_;
  bool to_sink_ = false, to_log_ = false;
  std::string topic_;
  std::uint32_t destination_ = 0;
  SchemaPtr key_type_, value_type_;
  std::string key_schema_, value_schema_;
  Buffer key_, value_;
};

}  // namespace cdc
