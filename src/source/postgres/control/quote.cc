// Quoting of names and texts in SQL.
#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {
std::string quoted(std::string_view text, char quote) {
  std::string out;
  out.reserve(text.size() + 2);
  out += quote;
  for (const char c : text) {
    if (c == quote) out += quote;
    out += c;
  }
  out += quote;
  return out;
}
}  // namespace

std::string quote_ident(std::string_view name) { return quoted(name, '"'); }
std::string quote_literal(std::string_view text) { return quoted(text, '\''); }
std::string quote_table(const TableId& id) { return quote_ident(id.schema) + "." + quote_ident(id.table); }
std::string dotted(const TableId& id) { return id.schema + "." + id.table; }

std::string oid_array(std::span<const std::uint32_t> oids) {
  std::string out = "'{";
  for (const auto oid : oids) {
    if (out.size() > 2) out += ',';
    out += std::to_string(oid);
  }
  return out + "}'";
}

}  // namespace cdc::pg
