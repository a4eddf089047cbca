// Replica identities: set by configuration (PG-RI-03), told (PG-RI-04), and warned about where a key or an
// application's UPDATE would suffer (PG-KEY-04, PG-RI-05).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdc/error.h"
#include "cdc/runtime.h"
#include "source/postgres/control/catalog.h"
#include "source/postgres/control/connection.h"

namespace cdc::pg {

// One entry of replica.identity.autoset.values.
struct IdentityRule {
  std::string tables;  // regex on schema.table
  char kind = 'd';     // d f n i
  std::string index;   // of i
};
Result<std::vector<IdentityRule>> parse_identity_rules(const std::vector<std::string>& entries);

// Whole-name match by the rules of the filters (the regex engine is not this folder's).
using NameMatch = std::function<bool(const std::string& regex, const std::string& name)>;

struct IdentityChange {
  Oid table = 0;
  std::string sql;
};
struct IdentityPlan {
  std::vector<IdentityChange> changes;  // ALTER TABLE statements to run
  std::vector<std::string> errors;  // tables left as they are: two rules match, the index is missing or unfit
};
// Needs the catalog for index rules only.
Result<IdentityPlan> plan_identities(Connection& general, const std::vector<IdentityRule>& rules,
                                     std::span<const TableRow> captured, const NameMatch& matches);
// Runs the changes; a refusal (42501) is logged and the rest goes on. True when something was changed, so
// that table rows have to be read again.
Result<bool> apply_identities(Connection& general, const IdentityPlan& plan, Log& log);

// "REPLICA IDENTITY DEFAULT: updates carry no before unless the key changes, deletes carry the key" ...
std::string identity_note(const TableRow& table);

// The key columns that an old row does not carry; empty: covered. `key`: names, in key order.
std::vector<std::string> uncovered_key(const TableDetail& table, std::span<const std::string> key);
// PG-KEY-04, for the log; nullopt: the key is covered, or there is none. `from_message_key`: the key comes
// from message.key.columns.
std::optional<std::string> key_warning(const TableDetail& table, std::span<const std::string> key,
                                       bool from_message_key);

// PG-RI-05: tables of an all-tables publication whose UPDATE and DELETE the server will refuse.
Result<std::vector<TableId>> tables_without_identity(Connection& general);

}  // namespace cdc::pg
