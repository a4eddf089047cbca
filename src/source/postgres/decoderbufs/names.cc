// Unquoting of names.
#include "source/postgres/decoderbufs/names.h"

namespace cdc::pg::decoderbufs {
namespace {

// Takes one name from the front of `text`, up to a point outside quotes or the end.
std::optional<std::string> take_name(std::string_view& text) {
  std::string name;
  if (!text.starts_with('"')) {
    const std::size_t point = text.find('.');
    name = text.substr(0, point);
    text.remove_prefix(name.size());
    return name;
  }
  text.remove_prefix(1);
  for (;;) {
    const std::size_t quote = text.find('"');
    if (quote == std::string_view::npos) return std::nullopt;
    name += text.substr(0, quote);
    text.remove_prefix(quote + 1);
    if (!text.starts_with('"')) return name;
    name += '"';
    text.remove_prefix(1);
  }
}

}  // namespace

std::optional<std::string> unquote_name(std::string_view name) {
  if (!name.starts_with('"')) return std::string(name);
  auto taken = take_name(name);
  if (!name.empty()) return std::nullopt;
  return taken;
}

std::optional<TableId> table_id(std::string_view qualified) {
  const auto schema = take_name(qualified);
  if (!schema || !qualified.starts_with('.')) return std::nullopt;
  qualified.remove_prefix(1);
  const auto table = take_name(qualified);
  if (!table || table->empty() || !qualified.empty()) return std::nullopt;
  return TableId{{}, *schema, *table};
}

}  // namespace cdc::pg::decoderbufs
