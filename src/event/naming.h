// Names of topics and schemas (CORE-NAME): strategies, sanitizing, Avro adjustment. Pure functions of
// their options; lengths and characters are counted in UTF-16 units as Java does (CORE-SCOPE-04).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/config.h"
#include "cdc/error.h"
#include "cdc/table.h"

namespace cdc {

enum class NameAdjustment : std::uint8_t { none, avro, avro_unicode };

std::string adjust_schema_name(NameAdjustment mode, std::string_view name);
std::string adjust_field_name(NameAdjustment mode, std::string_view name);

// Everything outside [._\-A-Za-z0-9] becomes `_`, cut at 249, `.` and `..` avoided (CORE-NAME-03).
std::string sanitize_topic(std::string_view name);
// `_` counts as invalid as well, and each invalid unit becomes `_u...` (CORE-NAME-04).
std::string sanitize_topic_unicode(std::string_view name);

// What a regex strategy adds to the keys of all tables (CORE-NAME-05).
struct KeyDiscriminator {
  std::string field;
  std::string value;
};

class TopicNaming {
 public:
  static Result<TopicNaming> make(const Config& config);
  ~TopicNaming();
  TopicNaming(TopicNaming&&) noexcept;

  std::string data_topic(const TableId& id) const;
  std::optional<KeyDiscriminator> key_discriminator(const TableId& id) const;
  std::string schema_change_topic() const;
  std::string transaction_topic() const;
  std::string heartbeat_topic() const;
  std::string message_topic() const;  // PostgreSQL logical messages: the dot is fixed (PG-MSG-01)

 private:
  struct Impl;
  explicit TopicNaming(std::unique_ptr<Impl> impl);
  std::string plain_topic(const TableId& id) const;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cdc
