// date, time, timestamp, timestamptz and timetz (4.2; ISO texts: CORE-TYPE-06). Connect's logical
// types are the same numbers: Date is days, Time and Timestamp are milliseconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "cdc/buffer.h"

namespace cdc::pg {

enum class TimeUnit : std::uint8_t { milliseconds, microseconds, nanoseconds };

// Days since 1970-01-01, proleptic Gregorian; infinities are Debezium's two stand-ins.
bool append_date(std::string_view text, Buffer& out);
bool append_date_iso(std::string_view text, Buffer& out);

// Time since midnight; 24:00:00 is a whole day, in ISO form 00:00:00Z.
bool append_time(std::string_view text, TimeUnit unit, Buffer& out);
bool append_time_iso(std::string_view text, Buffer& out);

// Time since the epoch as if UTC, finer digits floored. False when int64 cannot hold it in that unit.
bool append_timestamp(std::string_view text, TimeUnit unit, Buffer& out);
bool append_timestamp_iso(std::string_view text, Buffer& out);

// UTC with exactly `fraction_digits` (0..6) of the second: "2026-03-01T10:20:30.120000Z".
bool append_timestamptz(std::string_view text, int fraction_digits, Buffer& out);
// Shifted to UTC modulo a day, minimal fraction: "10:20:30.5Z".
bool append_timetz(std::string_view text, Buffer& out);

// Microseconds since the epoch of a timestamp or timestamptz text (offset applied); nullopt for
// infinities, malformed text and what int64 cannot hold. For clocks and positions, not for events.
std::optional<std::int64_t> parse_timestamp_us(std::string_view text);

}  // namespace cdc::pg
