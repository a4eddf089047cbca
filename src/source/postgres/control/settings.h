// The properties that control a PostgreSQL server (spec 5.1), read from the configuration once. The
// rest of the folder takes these structs and never sees Config.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "source/postgres/control/connection.h"

namespace cdc::pg {

enum class PublicationMode : std::uint8_t { all_tables, filtered, no_tables, disabled };

struct PublicationSettings {
  std::string name = "dbz_publication";
  PublicationMode mode = PublicationMode::all_tables;
  bool via_root = false;
  // Operations out of "cudt" that the user set explicitly in skipped.operations; unset: not set.
  std::optional<std::string> skipped;
  milliseconds ddl_timeout{90'000};
};

struct SlotSettings {
  std::string name = "debezium";
  std::string plugin = "pgoutput";
  bool drop_on_stop = false;
  bool failover = false;
  bool read_only = false;
  int max_retries = 6;
  milliseconds retry_delay{10'000};
  milliseconds create_timeout{90'000};
};

enum class MismatchStrategy : std::uint8_t { no_validation, trust_offset, trust_slot, trust_greater_lsn };

struct ControlSettings {
  ConnectOptions connect;
  PublicationSettings publication;
  SlotSettings slot;
  bool streams = true;  // false: initial_only, and configuration_based without streaming
  bool publishes() const { return slot.plugin == "pgoutput"; }
  MismatchStrategy mismatch = MismatchStrategy::no_validation;
  bool check_position = true;  // internal.log.position.check.enable
  bool manual_flush = false;   // lsn.flush.mode=manual
  milliseconds status_interval{10'000};
  std::string stream_params;  // slot.stream.params, as written
};

// Errors: usage (slot name, sslmode files, ...). What cannot be honoured goes to connect.warnings.
Result<ControlSettings> control_settings(const Config& config);
Result<ConnectOptions> connect_options(const Config& config);

// PG-SLOT-01: [a-z0-9_]{1,63}
bool valid_slot_name(std::string_view name);

// `driver.*` of JDBC to libpq (5.1): the libpq keyword, or "" when there is none.
std::string_view driver_keyword(std::string_view jdbc_name);

}  // namespace cdc::pg
