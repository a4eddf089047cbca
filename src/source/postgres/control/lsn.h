// Lsn: a position in PostgreSQL's write-ahead log. In SQL it is written X/X (hexadecimal), in events
// and offsets as the decimal 64-bit number. 0 is what the server calls invalid.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cdc::pg {

using Lsn = std::uint64_t;

// "16/B374D848" -> 0x16B374D848. Total: anything but 1-8 hex digits, a slash, 1-8 hex digits is nullopt.
std::optional<Lsn> parse_lsn(std::string_view text);
std::string format_lsn(Lsn lsn);  // upper-case, no leading zeros: "0/197AE50"

}  // namespace cdc::pg
