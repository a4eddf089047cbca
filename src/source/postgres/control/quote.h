// Quoting for SQL and replication commands. Names are always quoted, so that case, blanks and reserved
// words need no thought.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cdc/table.h"

namespace cdc::pg {

std::string quote_ident(std::string_view name);    // a"b -> "a""b"
std::string quote_literal(std::string_view text);  // it's -> 'it''s'; needs standard_conforming_strings=on,
                                                   // which every connection of ours sets
std::string quote_table(const TableId& id);        // "schema"."table"
std::string dotted(const TableId& id);             // schema.table: what filters, signals and messages use

// Items of a quoted array constant: {1,2} -> '{1,2}' (for `= ANY (... ::oid[])`).
std::string oid_array(std::span<const std::uint32_t> oids);

}  // namespace cdc::pg
