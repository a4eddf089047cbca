// One value against one row of the catalogue: is it of the kind, in the range, among the allowed; and
// its canonical text, which the getters read. Not here: rules between properties.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/error.h"
#include "config/catalogue.h"

namespace cdc::config {

// Canonical: true/false, plain numbers (milliseconds, bytes), the catalogue's spelling of enumerations,
// short names of classes. The error's message is what follows "The 'x' value is invalid: "; it shows
// the value unless `hide`.
Result<std::string> canonical_value(const Property& property, std::string_view value, bool hide = false);
// Canonical text of a row's default; computed once.
const std::string& canonical_fallback(const Property& property);

std::optional<std::int64_t> parse_integer(std::string_view text);
// "10", "1.5"? no: whole numbers with a unit out of ms s m h d; a bare number is of `bare` milliseconds.
std::optional<std::int64_t> parse_duration_ms(std::string_view text, std::int64_t bare);
std::optional<std::int64_t> parse_size(std::string_view text);
std::optional<bool> parse_boolean(std::string_view text);
// For messages: "pgoutput, decoderbufs", "1 to 65535", "true or false".
std::string allowed_text(const Property& property);
// Pieces of a list property, by its own separator.
Result<std::vector<std::string>> split_value(const Property& property, std::string_view value);

}  // namespace cdc::config
