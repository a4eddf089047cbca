// Configuration -> SourceSettings.
#include "source/postgres/settings.h"

#include <algorithm>

#include <fmt/format.h>

namespace cdc::pg {
namespace {

// The catalogue has checked the spelling already; nullopt here is a disagreement between two of our tables.
template <class Mode>
Result<void> take_mode(const Config& config, std::string_view property,
                       std::optional<Mode> (*read)(std::string_view), Mode& mode) {
  const auto value = read(config.text(property));
  if (!value)
    return fail(ErrorKind::usage, fmt::format("{}={} is not understood", property, config.text(property)));
  mode = *value;
  return {};
}

std::optional<std::string> placeholder(std::string_view value) { return unavailable_placeholder(value); }

Result<void> read_modes(const Config& config, SourceSettings& out) {
  TypeModes& modes = out.modes;
  CDC_CHECK(take_mode(config, "time.precision.mode", &time_mode, modes.time));
  CDC_CHECK(take_mode(config, "decimal.handling.mode", &decimal_mode, modes.decimal));
  CDC_CHECK(take_mode(config, "binary.handling.mode", &binary_mode, modes.binary));
  CDC_CHECK(take_mode(config, "hstore.handling.mode", &hstore_mode, modes.hstore));
  CDC_CHECK(take_mode(config, "interval.handling.mode", &interval_mode, modes.interval));
  CDC_CHECK(take_mode(config, "unavailable.value.placeholder", &placeholder, modes.unavailable));
  CDC_CHECK(take_mode(
      config,
      writes_cloudevents(config) ? "value.converter.json.decimal.format" : "value.converter.decimal.format",
      &decimal_format, modes.decimal_form));
  CDC_CHECK(take_mode(config, "key.converter.decimal.format", &decimal_format, out.key_decimal_form));
  CDC_CHECK(take_mode(config, "header.converter.decimal.format", &decimal_format, out.header_decimal_form));
  modes.money_fraction_digits = static_cast<int>(config.integer("money.fraction.digits"));
  modes.include_unknown = config.boolean("include.unknown.datatypes");
  return {};
}

OnFault fault_mode(const std::string& text) {
  if (text == "fail") return OnFault::fail;
  return text == "warn" ? OnFault::warn : OnFault::skip;
}

TimeoutAction timeout_action(const std::string& text) {
  if (text == "fail") return TimeoutAction::fail;
  return text == "warn" ? TimeoutAction::warn : TimeoutAction::ignore;
}

}  // namespace

Result<SourceSettings> SourceSettings::read(const Config& config) {
  SourceSettings out;
  CDC_TRY(out.control, control_settings(config));
  CDC_CHECK(read_modes(config, out));
  out.names.version = config.text("source.version.string");
  out.names.server = config.text("topic.prefix");
  out.names.database = config.text("database.dbname");
  // Unset keeps "false" although rows print null for NULL (CORE-JSON-09).
  constexpr std::string_view kNullProperty = "value.converter.replace.null.with.default";
  out.names.null_for_streaming = config.is_set(kNullProperty) && !config.boolean(kNullProperty);

  out.link.status_interval = config.milliseconds("status.update.interval.ms");
  out.link.send_timeout = config.milliseconds("lsn.flush.timeout.ms");
  out.link.timeout_action = timeout_action(config.text("lsn.flush.timeout.action"));
  out.link.confirms = !out.control.manual_flush;
  out.xmin_interval = config.milliseconds("xmin.fetch.interval.ms");
  out.on_fault = fault_mode(config.text("event.processing.failure.handling.mode"));

  out.tolerates_missing = config.text("schema.refresh.mode") == "columns_diff_exclude_unchanged_toast";
  out.ignore_builtin = config.boolean("table.ignore.builtin");
  out.isolation = config.text("snapshot.isolation.mode");
  out.shared_locks = config.text("snapshot.locking.mode") == "shared";
  out.lock_timeout = config.milliseconds("snapshot.lock.timeout.ms");
  out.threads_multiplier =
      static_cast<unsigned>(std::max<std::int64_t>(1, config.integer("snapshot.max.threads.multiplier")));
  out.parallel_by_table = config.boolean("legacy.snapshot.max.threads");
  return out;
}

}  // namespace cdc::pg
