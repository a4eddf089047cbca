// money: text in the server's lc_monetary -> number under `decimal.handling.mode` (4.3).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cdc/buffer.h"
#include "source/postgres/values/numeric.h"

namespace cdc::pg {

// How the server writes money. The default is that of the C locale and en_US.
struct MoneyFormat {
  std::string group = ",";  // between groups of digits; empty: none seen
  std::string point = ".";  // before the fraction; empty: the locale has no fraction
  std::string positive_prefix = "$", positive_suffix;
  std::string negative_prefix = "-$", negative_suffix;

  // Learns it from what the server answers to
  //   SELECT 1234.5::numeric::money::text, (-1234.5)::numeric::money::text
  // nullopt when the texts show no number of that shape.
  static std::optional<MoneyFormat> learn(std::string_view positive, std::string_view negative);
};

// precise: Decimal of `fraction_digits` (`money.fraction.digits`), rounded half up.
bool append_money(std::string_view text, const MoneyFormat& format, int fraction_digits, DecimalForm form,
                  Buffer& out);
bool append_money_as_double(std::string_view text, const MoneyFormat& format, Buffer& out);
// string: the digits of the server's text.
bool append_money_as_string(std::string_view text, const MoneyFormat& format, Buffer& out);

}  // namespace cdc::pg
