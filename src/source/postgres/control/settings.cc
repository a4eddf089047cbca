// Reads the properties; translates JDBC driver options to libpq keywords.
#include "source/postgres/control/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "text/list.h"

namespace cdc::pg {
namespace {

struct Keyword {
  const char* property;
  const char* libpq;
};
constexpr Keyword kKeywords[] = {
    {"database.hostname", "host"},
    {"database.port", "port"},
    {"database.user", "user"},
    {"database.password", "password"},
    {"database.dbname", "dbname"},
    {"database.sslmode", "sslmode"},
    {"database.sslcert", "sslcert"},
    {"database.sslkey", "sslkey"},
    {"database.sslpassword", "sslpassword"},
    {"database.sslrootcert", "sslrootcert"},
};

// JDBC's name, libpq's keyword. libpq's own names stand for themselves.
struct DriverName {
  std::string_view jdbc, libpq;
};
constexpr DriverName kDriver[] = {
    {"connectTimeout", "connect_timeout"},
    {"loginTimeout", "connect_timeout"},
    {"gssEncMode", "gssencmode"},
    {"kerberosServerName", "krbsrvname"},
    {"channelBinding", "channel_binding"},
    {"targetServerType", "target_session_attrs"},
    {"sslMode", "sslmode"},
    {"sslNegotiation", "sslnegotiation"},
    {"connect_timeout", "connect_timeout"},
    {"options", "options"},
    {"gssencmode", "gssencmode"},
    {"gsslib", "gsslib"},
    {"krbsrvname", "krbsrvname"},
    {"channel_binding", "channel_binding"},
    {"target_session_attrs", "target_session_attrs"},
    {"tcp_user_timeout", "tcp_user_timeout"},
    {"keepalives_idle", "keepalives_idle"},
    {"keepalives_interval", "keepalives_interval"},
    {"keepalives_count", "keepalives_count"},
    {"hostaddr", "hostaddr"},
    {"passfile", "passfile"},
    {"service", "service"},
    {"sslcrl", "sslcrl"},
    {"sslcrldir", "sslcrldir"},
    {"sslsni", "sslsni"},
    {"sslcompression", "sslcompression"},
    {"ssl_min_protocol_version", "ssl_min_protocol_version"},
    {"ssl_max_protocol_version", "ssl_max_protocol_version"},
    {"requirepeer", "requirepeer"},
};

// targetServerType of JDBC against target_session_attrs of libpq.
constexpr std::pair<std::string_view, std::string_view> kTargets[] = {
    {"primary", "primary"},
    {"master", "primary"},
    {"secondary", "standby"},
    {"slave", "standby"},
    {"preferSecondary", "prefer-standby"},
    {"preferSlave", "prefer-standby"},
    {"preferPrimary", "any"},
};

// A peer that vanished without a word is noticed after about two minutes.
constexpr std::pair<const char*, const char*> kKeepalive[] = {
    {"keepalives", "1"}, {"keepalives_idle", "60"}, {"keepalives_interval", "10"}, {"keepalives_count", "6"}};

void set(ConnectOptions& options, std::string_view keyword, std::string value) {
  for (auto& [key, old] : options.keywords) {
    if (key == keyword) {
      old = std::move(value);
      return;
    }
  }
  options.keywords.emplace_back(keyword, std::move(value));
}

Result<void> add_driver_option(ConnectOptions& options, const ConfigEntry& entry) {
  const std::string name =
      entry.parts.empty() ? entry.name.substr(entry.name.find('.') + 1) : entry.parts.front();
  const std::string_view keyword = driver_keyword(name);
  if (keyword.empty()) {
    options.warnings.push_back(
        fmt::format("{} has no meaning without the Java driver and is ignored", entry.name));
    return {};
  }
  if (keyword == "connect_timeout") {
    int seconds = 0;
    const auto [end, error] =
        std::from_chars(entry.value.data(), entry.value.data() + entry.value.size(), seconds);
    if (error != std::errc() || end != entry.value.data() + entry.value.size() || seconds < 0)
      return fail(ErrorKind::usage,
                  fmt::format("{}: {}={} is no number of seconds", entry.origin, entry.name, entry.value));
    options.connect_timeout =
        std::chrono::seconds(seconds);  // ours: libpq's counts in its blocking calls only
    return {};
  }
  std::string value = entry.value;
  if (name == "targetServerType")
    for (const auto& [jdbc, libpq] : kTargets)
      if (jdbc == value) value = libpq;
  set(options, keyword, std::move(value));
  return {};
}

template <class T, std::size_t N>
T choice(const std::array<std::pair<std::string_view, T>, N>& values, std::string_view text) {
  for (const auto& [name, value] : values)
    if (name == text) return value;
  return values.front().second;
}

constexpr std::array<std::pair<std::string_view, PublicationMode>, 4> kModes{{
    {"all_tables", PublicationMode::all_tables},
    {"filtered", PublicationMode::filtered},
    {"no_tables", PublicationMode::no_tables},
    {"disabled", PublicationMode::disabled},
}};
constexpr std::array<std::pair<std::string_view, MismatchStrategy>, 4> kStrategies{{
    {"no_validation", MismatchStrategy::no_validation},
    {"trust_offset", MismatchStrategy::trust_offset},
    {"trust_slot", MismatchStrategy::trust_slot},
    {"trust_greater_lsn", MismatchStrategy::trust_greater_lsn},
}};

// What is skipped of c, u, d, t; unset when the user did not say so or skips nothing (PG-PUB-04).
std::optional<std::string> explicit_skips(const Config& config) {
  if (!config.is_set("skipped.operations")) return std::nullopt;
  const auto skipped = config.list("skipped.operations");
  std::string out;
  for (const char op : std::string_view("cudt"))
    if (std::find(skipped.begin(), skipped.end(), std::string(1, op)) != skipped.end()) out += op;
  return out.empty() ? std::nullopt : std::optional(out);
}

// PG-DBUF-02: with debug-mode on the plugin sends text for people. The server reads the value as a boolean.
Result<void> check_stream_params(const ControlSettings& settings) {
  if (settings.publishes()) return {};
  for (const std::string& pair : text::split_semicolons(settings.stream_params)) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || text::trim(std::string_view(pair).substr(0, equals)) != "debug-mode")
      continue;
    const std::string_view value = text::trim(std::string_view(pair).substr(equals + 1));
    constexpr std::array<std::string_view, 4> kOff{"false", "off", "no", "0"};
    if (std::find(kOff.begin(), kOff.end(), value) != kOff.end()) continue;
    return fail(ErrorKind::usage,
                fmt::format("slot.stream.params: with debug-mode={} the plugin {} sends text that no program "
                            "can read",
                            value, settings.slot.plugin),
                "take debug-mode out of slot.stream.params");
  }
  return {};
}

bool streams(const Config& config) {
  const std::string& mode = config.text("snapshot.mode");
  if (mode == "initial_only") return false;
  if (mode == "configuration_based") return config.boolean("snapshot.mode.configuration.based.start.stream");
  return true;
}

}  // namespace

bool valid_slot_name(std::string_view name) {
  return !name.empty() && name.size() <= 63 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

std::string_view driver_keyword(std::string_view jdbc_name) {
  for (const auto& row : kDriver)
    if (row.jdbc == jdbc_name) return row.libpq;
  return {};
}

Result<ConnectOptions> connect_options(const Config& config) {
  ConnectOptions options;
  for (const auto& [property, keyword] : kKeywords) {
    const std::string& value = config.text(property);
    // libpq's own sources (environment, service file) decide what nobody set.
    if (!value.empty() && (config.is_set(property) || std::string_view(property) == "database.port"))
      set(options, keyword, value);
  }
  if (config.boolean("database.tcpKeepAlive"))
    for (const auto& [keyword, value] : kKeepalive) set(options, keyword, value);
  else
    set(options, "keepalives", "0");
  for (const auto& entry : config.entries_matching("driver.<option>"))
    CDC_CHECK(add_driver_option(options, entry));
  options.password_command = config.text("database.password.command");
  options.initial_statements = config.list("database.initial.statements");
  options.query_timeout = config.milliseconds("database.query.timeout.ms");
  return options;
}

Result<ControlSettings> control_settings(const Config& config) {
  ControlSettings out;
  CDC_TRY(out.connect, connect_options(config));

  out.slot.name = config.text("slot.name");
  if (!valid_slot_name(out.slot.name))
    return fail(
        ErrorKind::usage,
        fmt::format(
            "slot.name={}: Valid replication slot name must contain only digits, lowercase characters and "
            "underscores with length <= 63",
            out.slot.name),
        "choose such a name");
  out.slot.plugin = config.text("plugin.name");
  out.slot.drop_on_stop = config.boolean("slot.drop.on.stop");
  out.slot.failover = config.boolean("slot.failover");
  out.slot.read_only = config.boolean("read.only");
  out.slot.max_retries = static_cast<int>(config.integer("slot.max.retries"));
  out.slot.retry_delay = config.milliseconds("slot.retry.delay.ms");
  out.slot.create_timeout = config.milliseconds("internal.create.slot.command.timeout");

  out.publication.name = config.text("publication.name");
  out.publication.mode = choice(kModes, config.text("publication.autocreate.mode"));
  out.publication.via_root = config.boolean("publish.via.partition.root");
  out.publication.skipped = explicit_skips(config);
  out.publication.ddl_timeout = out.slot.create_timeout;

  out.streams = streams(config);
  out.mismatch = choice(kStrategies, config.text("offset.mismatch.strategy"));
  out.check_position = config.boolean("internal.log.position.check.enable");
  out.manual_flush = config.text("lsn.flush.mode") == "manual";
  out.status_interval = config.milliseconds("status.update.interval.ms");
  out.stream_params = config.text("slot.stream.params");
  CDC_CHECK(check_stream_params(out));
  return out;
}

}  // namespace cdc::pg
