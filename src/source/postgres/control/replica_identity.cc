// Rules, plans and texts about replica identities.
#include "source/postgres/control/replica_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

struct IdentityText {
  char kind;
  std::string_view keyword;  // of ALTER TABLE, and of the property
  std::string_view note;
};
constexpr IdentityText kTexts[] = {
    {'d', "DEFAULT", "before is null in updates unless the key changes; deletes carry the key"},
    {'i', "INDEX",
     "before is null in updates unless a column of the index changes; deletes carry the columns of the "
     "index"},
    {'f', "FULL", "before holds the whole old row"},
    {'n', "NOTHING", "updates and deletes are not captured, or refused by the server"},
};

const IdentityText& text_of(char kind) {
  for (const auto& row : kTexts)
    if (row.kind == kind) return row;
  return kTexts[0];
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())) != 0) s.remove_prefix(1);
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back())) != 0) s.remove_suffix(1);
  return s;
}

std::string upper(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

constexpr std::string_view kFitIndex = R"(
SELECT i.indisunique, i.indpred IS NOT NULL, i.indimmediate, i.indisvalid, i.indexprs IS NOT NULL,
       (SELECT pg_catalog.string_agg(a.attname, ', ') FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = i.indrelid AND a.attnum = ANY ((i.indkey::pg_catalog.int2[])[0:i.{} - 1]) AND NOT a.attnotnull),
       i.indisreplident
FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
WHERE i.indrelid = {} AND x.relname = {})";

struct IndexFitness {
  std::string problem;
  bool in_force = false;
};

Result<IndexFitness> fitness(Connection& general, Oid table, const std::string& index) {
  CDC_TRY(const Rows rows,
          general.exec(fmt::format(kFitIndex, general.server_version() >= 110000 ? "indnkeyatts" : "indnatts",
                                   table, quote_literal(index)),
                       "checking the index of a replica identity"));
  if (rows.empty()) return IndexFitness{"there is no such index on it", false};
  if (!rows.flag(0, 0)) return IndexFitness{"the index is not unique", false};
  if (rows.flag(0, 1)) return IndexFitness{"the index is partial", false};
  if (!rows.flag(0, 2)) return IndexFitness{"the index is deferrable", false};
  if (!rows.flag(0, 3)) return IndexFitness{"the index is not valid", false};
  if (rows.flag(0, 4)) return IndexFitness{"the index has an expression", false};
  if (!rows.is_null(0, 5))
    return IndexFitness{fmt::format("the index has columns that may be NULL: {}", rows.text(0, 5)), false};
  return IndexFitness{"", rows.flag(0, 6)};
}

}  // namespace

Result<std::vector<IdentityRule>> parse_identity_rules(const std::vector<std::string>& entries) {
  std::vector<IdentityRule> rules;
  for (const std::string& entry : entries) {
    const auto malformed = [&] {
      return fail(ErrorKind::usage,
                  fmt::format("replica.identity.autoset.values: '{}' has an invalid format", entry),
                  "write REGEX:IDENTITY, with IDENTITY one of DEFAULT, FULL, NOTHING, INDEX name");
    };
    const std::string_view text = trim(entry);
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return malformed();
    const std::string_view tables = text.substr(0, colon), identity = trim(text.substr(colon + 1));
    if (tables.find_first_of(" \t\n") != std::string_view::npos) return malformed();
    const auto blank = identity.find_first_of(" \t");
    const std::string keyword = upper(identity.substr(0, blank));
    const std::string_view index =
        blank == std::string_view::npos ? std::string_view() : trim(identity.substr(blank));
    const auto row = std::find_if(std::begin(kTexts), std::end(kTexts),
                                  [&](const auto& t) { return t.keyword == keyword; });
    if (row == std::end(kTexts) || (row->kind == 'i') == index.empty()) return malformed();
    rules.push_back({std::string(tables), row->kind, std::string(index)});
  }
  return rules;
}

Result<IdentityPlan> plan_identities(Connection& general, const std::vector<IdentityRule>& rules,
                                     std::span<const TableRow> captured, const NameMatch& matches) {
  IdentityPlan plan;
  for (const TableRow& table : captured) {
    const std::string name = dotted(table.id);
    const IdentityRule* rule = nullptr;
    bool twice = false;
    for (const IdentityRule& r : rules) {
      if (!matches(r.tables, name)) continue;
      twice = rule != nullptr;
      rule = &r;
      if (twice) break;
    }
    if (twice) {
      plan.errors.push_back(
          fmt::format("{}: more than one entry of replica.identity.autoset.values matches; its replica "
                      "identity is left unchanged",
                      name));
      continue;
    }
    if (rule == nullptr || (rule->kind != 'i' && rule->kind == table.identity)) continue;
    std::string identity(text_of(rule->kind).keyword);
    if (rule->kind == 'i') {
      CDC_TRY(const IndexFitness fit, fitness(general, table.oid, rule->index));
      if (!fit.problem.empty()) {
        plan.errors.push_back(fmt::format("{}: the replica identity cannot be set to index {}: {}", name,
                                          rule->index, fit.problem));
        continue;
      }
      if (fit.in_force && table.identity == 'i') continue;
      identity = "USING INDEX " + quote_ident(rule->index);
    }
    plan.changes.push_back(
        {table.oid, fmt::format("ALTER TABLE {} REPLICA IDENTITY {}", quote_table(table.id), identity)});
  }
  return plan;
}

Result<bool> apply_identities(Connection& general, const IdentityPlan& plan, Log& log) {
  for (const std::string& error : plan.errors) log.write(Level::error, "warning", error);
  bool changed = false;
  for (const IdentityChange& change : plan.changes) {
    auto done = general.exec(change.sql, "setting a replica identity");
    if (done) {
      log.info(change.sql);
      changed = true;
      continue;
    }
    if (done.error().kind != ErrorKind::refused) return tl::unexpected(std::move(done).error());
    log.write(Level::error, "warning",
              fmt::format("{}: {} (only the owner of a table may set its replica identity)", change.sql,
                          done.error().message));
  }
  return changed;
}

std::string identity_note(const TableRow& table) {
  const IdentityText& text = text_of(table.identity);
  if (table.identity == 'd' && !table.has_primary_key)
    return fmt::format(
        "{}: REPLICA IDENTITY DEFAULT without a primary key: updates and deletes are not captured, or "
        "refused by the server",
        dotted(table.id));
  return fmt::format("{}: REPLICA IDENTITY {}: {}", dotted(table.id), text.keyword, text.note);
}

std::vector<std::string> uncovered_key(const TableDetail& table, std::span<const std::string> key) {
  std::vector<std::string> missing;
  if (table.identity.columns.empty()) return missing;  // no old rows at all: no delete, no key to miss
  for (const std::string& name : key) {
    const ColumnRow* column = table.column(name);
    const auto& carried = table.identity.columns;
    if (column == nullptr || std::find(carried.begin(), carried.end(), column->attnum) == carried.end())
      missing.push_back(name);
  }
  return missing;
}

std::optional<std::string> key_warning(const TableDetail& table, std::span<const std::string> key,
                                       bool from_message_key) {
  const auto missing = uncovered_key(table, key);
  if (missing.empty()) return std::nullopt;
  std::string names;
  for (const auto& name : missing) names += (names.empty() ? "" : ", ") + name;
  const char kind = table.identity.kind;
  return fmt::format(
      "{}: the replica identity ({}) does not carry the {}key column{} {}: deletes get no key (use REPLICA "
      "IDENTITY FULL{})",
      dotted(table.id),
      kind == 'i'   ? "index " + table.identity.index
      : kind == 'd' ? std::string("default")
                    : std::string("full"),
      from_message_key ? "message " : "", missing.size() > 1 ? "s" : "", names,
      from_message_key ? "" : " or an index that holds the key columns");
}

Result<std::vector<TableId>> tables_without_identity(Connection& general) {
  CDC_TRY(const Rows rows, general.exec(R"(
SELECT n.nspname, c.relname
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = 'r' AND c.relpersistence = 'p'
  AND pg_catalog.left(n.nspname::pg_catalog.text, 3) <> 'pg_' AND n.nspname <> 'information_schema'
  AND c.relreplident <> 'f'
  AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indimmediate
                  AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END)
ORDER BY 1, 2)",
                                        "looking for tables without a replica identity"));
  std::vector<TableId> out;
  for (std::size_t r = 0; r < rows.size(); ++r) out.push_back({{}, rows.string(r, 0), rows.string(r, 1)});
  return out;
}

}  // namespace cdc::pg
