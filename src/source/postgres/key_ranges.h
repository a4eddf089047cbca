// Cutting a table by its key: SQL texts of predicates and boundaries (CORE-PAR-02/03). Key values travel as
// the server's own texts and are compared by the server alone (PG-TRAP-INC-04). Pure but for find_boundaries.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cdc/error.h"
#include "cdc/snapshot.h"
#include "source/postgres/control/connection.h"

namespace cdc::pg {

using KeyTuple = std::vector<std::string>;

// "lower < key AND key <= upper"; an empty tuple is open, a tuple may be shorter than the key. "" when both
// are open.
std::string range_predicate(std::span<const std::string> key, const KeyTuple& lower, const KeyTuple& upper);
// `"a", "b"`
std::string ident_list(std::span<const std::string> names);

// At most `parts` - 1 ascending key tuples that cut the table into about equal parts; fewer, or none, when it
// is too small. Takes statistics where they are there, else counts.
Result<std::vector<KeyTuple>> find_boundaries(Connection& connection, const TableId& table,
                                              std::span<const std::string> key, std::uint64_t parts);

}  // namespace cdc::pg
