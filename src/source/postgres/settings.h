// SourceSettings: everything the PostgreSQL source takes from the configuration, read and checked once.
// What controls the server itself (slot, publication, connections) is control/settings.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cdc/config.h"
#include "cdc/error.h"
#include "source/postgres/control/settings.h"
#include "source/postgres/replication_link.h"
#include "source/postgres/source_block.h"
#include "source/postgres/types/type_modes.h"

namespace cdc::pg {

enum class OnFault : std::uint8_t { fail, warn, skip };

struct SourceSettings {
  ControlSettings control;
  SourceNames names;
  TypeModes modes;  // without the money format, which the server tells
  DecimalForm key_decimal_form = DecimalForm::base64, header_decimal_form = DecimalForm::base64;
  LinkSettings link;
  milliseconds xmin_interval{0};     // 0: never fetched
  OnFault on_fault = OnFault::fail;  // event.processing.failure.handling.mode

  bool tolerates_missing = false;  // schema.refresh.mode=columns_diff_exclude_unchanged_toast

  bool ignore_builtin = true;
  std::string isolation;  // snapshot.isolation.mode
  bool shared_locks = false;
  milliseconds lock_timeout{10'000};
  unsigned threads_multiplier = 1;
  bool parallel_by_table = false;  // legacy.snapshot.max.threads

  static Result<SourceSettings> read(const Config& config);
};

}  // namespace cdc::pg
