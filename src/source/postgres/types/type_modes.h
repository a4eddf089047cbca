// The handling modes that decide what a PostgreSQL type becomes (4.2 to 4.7), and the spellings the
// configuration uses for them. Reading properties is the caller's; this room knows no property store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "source/postgres/values/binary.h"
#include "source/postgres/values/hstore.h"
#include "source/postgres/values/money.h"
#include "source/postgres/values/numeric.h"

namespace cdc::pg {

enum class TimeMode : std::uint8_t {
  adaptive,
  adaptive_time_microseconds,
  connect,
  isostring,
  microseconds,
  nanoseconds,
};
enum class DecimalMode : std::uint8_t { precise, as_double, as_string };
enum class IntervalMode : std::uint8_t { numeric, as_string };

struct TypeModes {
  TimeMode time = TimeMode::adaptive;                        // time.precision.mode
  DecimalMode decimal = DecimalMode::precise;                // decimal.handling.mode
  BinaryForm binary = BinaryForm::bytes;                     // binary.handling.mode
  HstoreForm hstore = HstoreForm::json;                      // hstore.handling.mode
  IntervalMode interval = IntervalMode::numeric;             // interval.handling.mode
  int money_fraction_digits = 2;                             // money.fraction.digits
  bool include_unknown = false;                              // include.unknown.datatypes
  std::string unavailable = "__debezium_unavailable_value";  // unavailable.value.placeholder, as bytes
  // value.converter.decimal.format. Where the key's converter has another one, a key column needs a
  // codec of its own, made with the key's form here.
  DecimalForm decimal_form = DecimalForm::base64;
  MoneyFormat money;  // learned from the server at start
};

// Property value -> mode; case and blanks around it do not matter. nullopt: no such mode.
std::optional<TimeMode> time_mode(std::string_view value);
std::optional<DecimalMode> decimal_mode(std::string_view value);
std::optional<BinaryForm> binary_mode(std::string_view value);
std::optional<HstoreForm> hstore_mode(std::string_view value);
std::optional<IntervalMode> interval_mode(std::string_view value);
std::optional<DecimalForm> decimal_format(std::string_view value);

// `unavailable.value.placeholder`: the text itself, or the bytes after `hex:`. nullopt: bad hex.
std::optional<std::string> unavailable_placeholder(std::string_view value);

}  // namespace cdc::pg
