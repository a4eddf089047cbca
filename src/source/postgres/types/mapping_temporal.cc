// Dates, times and intervals under `time.precision.mode` and `interval.handling.mode` (4.2, 4.5).
#include <array>

#include "source/postgres/types/mapping.h"
#include "source/postgres/types/typmod.h"
#include "source/postgres/values/interval.h"
#include "source/postgres/values/temporal.h"

namespace cdc::pg {
namespace {

struct Form {
  Type type;
  std::string_view schema_name;
  EncodeFn encode;
  std::string_view zero;  // midnight or the epoch
  std::string_view hint = {};
};

constexpr std::string_view kBeyondInt64Hint =
    "a timestamp beyond int64 microseconds (use time.precision.mode=isostring)";
constexpr std::string_view kNanosecondsHint =
    "a timestamp outside the range of time.precision.mode=nanoseconds, 1677-09-21 to 2262-04-11 "
    "(use another mode)";

constexpr Form kDate{Type::int32, "io.debezium.time.Date", encode_with<append_date>, "0"};
constexpr Form kConnectDate{Type::int32, "org.apache.kafka.connect.data.Date", encode_with<append_date>, "0"};
constexpr Form kIsoDate{Type::string, "io.debezium.time.IsoDate", encode_with<append_date_iso>,
                        "\"1970-01-01Z\""};

constexpr Form kMilliTime{Type::int32, "io.debezium.time.Time",
                          encode_as<append_time, TimeUnit::milliseconds>, "0"};
constexpr Form kConnectTime{Type::int32, "org.apache.kafka.connect.data.Time",
                            encode_as<append_time, TimeUnit::milliseconds>, "0"};
constexpr Form kMicroTime{Type::int64, "io.debezium.time.MicroTime",
                          encode_as<append_time, TimeUnit::microseconds>, "0"};
constexpr Form kNanoTime{Type::int64, "io.debezium.time.NanoTime",
                         encode_as<append_time, TimeUnit::nanoseconds>, "0"};
constexpr Form kIsoTime{Type::string, "io.debezium.time.IsoTime", encode_with<append_time_iso>,
                        "\"00:00:00Z\""};

constexpr Form kMilliTimestamp{Type::int64, "io.debezium.time.Timestamp",
                               encode_as<append_timestamp, TimeUnit::milliseconds>, "0"};
constexpr Form kConnectTimestamp{Type::int64, "org.apache.kafka.connect.data.Timestamp",
                                 encode_as<append_timestamp, TimeUnit::milliseconds>, "0"};
constexpr Form kMicroTimestamp{Type::int64, "io.debezium.time.MicroTimestamp",
                               encode_as<append_timestamp, TimeUnit::microseconds>, "0", kBeyondInt64Hint};
constexpr Form kNanoTimestamp{Type::int64, "io.debezium.time.NanoTimestamp",
                              encode_as<append_timestamp, TimeUnit::nanoseconds>, "0", kNanosecondsHint};
constexpr Form kIsoTimestamp{Type::string, "io.debezium.time.IsoTimestamp", encode_with<append_timestamp_iso>,
                             "\"1970-01-01T00:00:00Z\""};

// One row a mode, in the order of TimeMode. `short_*`: with at most three digits of the second.
struct ModeRow {
  const Form &date, &short_time, &time, &short_timestamp, &timestamp;
};
constexpr std::array<ModeRow, 6> kModes{{
    {kDate, kMilliTime, kMicroTime, kMilliTimestamp, kMicroTimestamp},  // adaptive
    {kDate, kMicroTime, kMicroTime, kMilliTimestamp, kMicroTimestamp},  // adaptive_time_microseconds
    {kConnectDate, kConnectTime, kConnectTime, kConnectTimestamp, kConnectTimestamp},  // connect
    {kIsoDate, kIsoTime, kIsoTime, kIsoTimestamp, kIsoTimestamp},                      // isostring
    {kDate, kMicroTime, kMicroTime, kMicroTimestamp, kMicroTimestamp},                 // microseconds
    {kDate, kNanoTime, kNanoTime, kNanoTimestamp, kNanoTimestamp},                     // nanoseconds
}};

const ModeRow& row_of(const TypeRequest& request) {
  return kModes[static_cast<std::size_t>(request.modes.time)];
}
bool is_short(const TypeRequest& request) { return time_precision(request.typmod).value_or(6) <= 3; }

Mapping mapping_of(const Form& form) {
  Mapping m;
  m.schema = named(form.type, std::string(form.schema_name), false);
  m.encode = form.encode;
  m.fallback_json = form.zero;
  m.no_form_hint = form.hint;
  return m;
}

struct FractionDigits final : CodecState {
  explicit FractionDigits(int count) : digits(count) {}
  int digits;
};

std::uint32_t encode_timestamptz(const CodecState* state, std::string_view text, Buffer& out) {
  const int digits = static_cast<const FractionDigits*>(state)->digits;
  return append_timestamptz(text, digits, out) ? encoded::ok : encoded::failed;
}

constexpr Form kZonedTimestamp{Type::string, "io.debezium.time.ZonedTimestamp", encode_timestamptz,
                               "\"1970-01-01T00:00:00Z\""};
constexpr Form kZonedTime{Type::string, "io.debezium.time.ZonedTime", encode_with<append_timetz>,
                          "\"00:00:00Z\""};
constexpr std::string_view kInfiniteIntervalHint = "an infinite interval has no form";
constexpr Form kMicroDuration{Type::int64, "io.debezium.time.MicroDuration", encode_with<append_interval_us>,
                              "0", kInfiniteIntervalHint};
constexpr Form kIsoInterval{Type::string, "io.debezium.time.Interval", encode_with<append_interval_iso>,
                            "\"P0Y0M0DT0H0M0S\"", kInfiniteIntervalHint};

}  // namespace

Mapping map_date(const TypeRequest& request) { return mapping_of(row_of(request).date); }
Mapping map_time(const TypeRequest& request) {
  return mapping_of(is_short(request) ? row_of(request).short_time : row_of(request).time);
}
Mapping map_timestamp(const TypeRequest& request) {
  return mapping_of(is_short(request) ? row_of(request).short_timestamp : row_of(request).timestamp);
}
Mapping map_timestamptz(const TypeRequest& request) {
  Mapping m = mapping_of(kZonedTimestamp);
  m.state = std::make_shared<FractionDigits>(time_precision(request.typmod).value_or(6));
  return m;
}
Mapping map_timetz(const TypeRequest&) { return mapping_of(kZonedTime); }
Mapping map_interval(const TypeRequest& request) {
  return mapping_of(request.modes.interval == IntervalMode::numeric ? kMicroDuration : kIsoInterval);
}

}  // namespace cdc::pg
