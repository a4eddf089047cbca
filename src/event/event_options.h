// The configuration of the event room, resolved once: what prints where, which rules are on.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "cdc/config.h"
#include "cdc/error.h"
#include "event/naming.h"

namespace cdc {

enum class FailureMode : std::uint8_t { fail, warn, skip };

struct EventOptions {
  std::string prefix;     // topic.prefix
  std::string database;   // {database} of path templates where table ids carry none
  std::string connector;  // "postgresql"
  bool key_schemas = false, value_schemas = false, header_schemas = false;
  // *.converter.replace.null.with.default
  bool key_null_to_default = false, value_null_to_default = false, header_null_to_default = false;
  bool tombstones = true;
  bool skip_create = false, skip_update = false, skip_delete = false, skip_truncate = true;
  bool skip_unchanged = false;  // skip.messages.without.change
  bool transaction_metadata = false;
  bool extended_headers = false;  // CORE-HDR-03
  bool schema_comments = false;
  FailureMode converting = FailureMode::warn;
  FailureMode processing = FailureMode::fail;
  std::chrono::milliseconds heartbeat{0};
  NameAdjustment schema_names = NameAdjustment::none;
  NameAdjustment field_names = NameAdjustment::none;
  std::string binary_mode = "bytes";  // of message contents
  bool wants_offset = false;          // the format prints the offset of each record

  bool skips(char op) const {
    return (op == 'c' && skip_create) || (op == 'u' && skip_update) || (op == 'd' && skip_delete) ||
           (op == 't' && skip_truncate);
  }
};

EventOptions event_options(const Config& config);

}  // namespace cdc
