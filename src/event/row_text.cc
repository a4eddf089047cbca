// Keys and values in messages.
#include "event/row_text.h"

#include <fmt/format.h>

namespace cdc {

std::string_view message_part(std::string_view value) {
  constexpr std::size_t kMost = 40;
  if (value.size() <= kMost) return value;
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
  return value.substr(0, cut);
}

std::string key_text(const TableShape& shape, std::span<const std::size_t> key, std::span<const Cell> row) {
  std::string text;
  for (const std::size_t column : key) {
    const Cell& cell = row[column];
    const std::string_view part = message_part(cell.data);
    text += fmt::format("{}{}={}{}", text.empty() ? "" : ", ", shape.columns[column].name,
                        cell.kind == Cell::Kind::value ? part : "NULL",
                        part.size() < cell.data.size() ? "..." : "");
  }
  return text;
}

}  // namespace cdc
