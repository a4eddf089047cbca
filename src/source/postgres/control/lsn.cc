// Text of log positions.
#include "source/postgres/control/lsn.h"

#include <fmt/format.h>

#include <charconv>

namespace cdc::pg {
namespace {
std::optional<std::uint32_t> half(std::string_view hex) {
  if (hex.empty() || hex.size() > 8) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), value, 16);
  if (error != std::errc() || end != hex.data() + hex.size()) return std::nullopt;
  return value;
}
}  // namespace

std::optional<Lsn> parse_lsn(std::string_view text) {
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto high = half(text.substr(0, slash));
  const auto low = half(text.substr(slash + 1));
  if (!high || !low) return std::nullopt;
  return (Lsn{*high} << 32) | *low;
}

std::string format_lsn(Lsn lsn) { return fmt::format("{:X}/{:X}", lsn >> 32, lsn & 0xFFFFFFFFU); }

}  // namespace cdc::pg
