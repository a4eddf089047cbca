// Finding, making and altering the publication.
#include "source/postgres/control/publication.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "source/postgres/control/quote.h"
#include "source/postgres/control/replica_identity.h"

namespace cdc::pg {
namespace {

struct Operation {
  char letter;
  std::string_view word;
};
constexpr Operation kOperations[] = {{'c', "insert"}, {'u', "update"}, {'d', "delete"}, {'t', "truncate"}};

constexpr std::size_t kNamesShown = 20;  // in one warning

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) out += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kNamesShown) out += fmt::format(" and {} more", names.size() - kNamesShown);
  return out;
}

std::vector<TableRow> publishable(std::span<const TableRow> tables) {
  std::vector<TableRow> out;
  for (const TableRow& t : tables)
    if (t.published_kind()) out.push_back(t);
  std::sort(out.begin(), out.end(), [](const TableRow& a, const TableRow& b) { return a.id < b.id; });
  return out;
}

std::string table_list(std::span<const TableRow> tables) {
  std::string out;
  for (const TableRow& t : tables) out += (out.empty() ? "" : ", ") + quote_table(t.id);
  return out;
}

// What pg_publication_tables would show of a list of tables: partitioned ones as their leaves, or the other
// way round with publish_via_partition_root (PG-PUB-07).
constexpr std::string_view kTree = R"(
WITH RECURSIVE want(oid) AS (SELECT w.oid FROM pg_catalog.unnest({0}::pg_catalog.oid[]) AS w(oid)),
tree(oid, root) AS (
  SELECT want.oid, want.oid FROM want
  UNION
  SELECT h.inhrelid, tree.root FROM tree
  JOIN pg_catalog.pg_class p ON p.oid = tree.oid AND p.relkind = 'p'
  JOIN pg_catalog.pg_inherits h ON h.inhparent = p.oid)
SELECT DISTINCT {1}
FROM tree JOIN pg_catalog.pg_class c ON c.oid = tree.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE {2}
ORDER BY {1})";
constexpr std::string_view kLeaves = "c.relkind = 'r'";
constexpr std::string_view kRoots =
    "tree.oid = tree.root AND NOT EXISTS (SELECT 1 FROM tree t WHERE t.oid = tree.oid AND t.root <> "
    "tree.oid)";

Result<std::set<TableId>> expanded(Connection& connection, std::span<const TableRow> tables, bool via_root) {
  std::vector<Oid> oids;
  for (const TableRow& t : tables) oids.push_back(t.oid);
  CDC_TRY(const Rows rows, connection.exec(fmt::format(kTree, oid_array(oids), "n.nspname, c.relname",
                                                       via_root ? kRoots : kLeaves),
                                           "reading partitions"));
  std::set<TableId> out;
  for (std::size_t r = 0; r < rows.size(); ++r) out.insert({{}, rows.string(r, 0), rows.string(r, 1)});
  return out;
}

Error ddl_error(Error error, const std::string& sql, const ServerFacts& facts,
                const PublicationSettings& settings) {
  if (error.sqlstate == "57014" || error.sqlstate == "55P03") {
    return Error{ErrorKind::refused,
                 "Creation of publication failed: query to create/update publication timed out, please make "
                 "sure that there are no "
                 "maintenance activities going on the database end",
                 "look for locks in pg_stat_activity", std::move(error.sqlstate), false};
  }
  if (error.sqlstate != "42501") return error;
  error.message = fmt::format("{}: {}", error.message, sql.substr(0, 200));
  if (!facts.may_create) {
    error.hint = fmt::format(
        "GRANT CREATE ON DATABASE {} TO {}, or create publication '{}' yourself and set "
        "publication.autocreate.mode=disabled",
        quote_ident(facts.database), quote_ident(facts.user), settings.name);
    if (settings.mode == PublicationMode::all_tables)
      error.hint += "; FOR ALL TABLES needs a superuser: or use publication.autocreate.mode=filtered";
  } else if (settings.mode == PublicationMode::all_tables) {
    error.hint =
        "FOR ALL TABLES needs a superuser: create the publication as one, or use "
        "publication.autocreate.mode=filtered";
  } else {
    error.hint = fmt::format(
        "only the owner of a table may publish it: make a group role that owns the tables, and grant it to "
        "the old owner and to {}",
        quote_ident(facts.user));
  }
  return error;
}

// One transaction, with a limit of its own that ends with it (PG-PUB-08).
Result<void> run_ddl(Connection& connection, const std::string& sql, const ServerFacts& facts,
                     const PublicationSettings& settings) {
  auto done = connection.exec(
      fmt::format("SET LOCAL statement_timeout = {}; {}", settings.ddl_timeout.count(), sql),
      fmt::format("creating or updating publication '{}'", settings.name),
      settings.ddl_timeout.count() == 0 ? milliseconds(0) : settings.ddl_timeout + milliseconds(5'000));
  if (!done) return tl::unexpected(ddl_error(std::move(done).error(), sql, facts, settings));
  return {};
}

Error refused(std::string message, std::string hint) {
  return Error{ErrorKind::refused, std::move(message), std::move(hint), {}, false};
}

Error absent_error(const PublicationSettings& settings, std::string_view why) {
  return refused(fmt::format("{} (publication '{}')", why, settings.name),
                 fmt::format("CREATE PUBLICATION {} FOR TABLE ...; before the slot is made",
                             quote_ident(settings.name)));
}

bool publishes_changes(const PublicationSettings& settings) {
  const auto& skipped = settings.skipped;
  return !skipped || skipped->find('u') == std::string::npos || skipped->find('d') == std::string::npos;
}

Result<void> warn_of_keyless(Connection& connection, PublicationOutcome& outcome) {
  CDC_TRY(const auto keyless, tables_without_identity(connection));
  std::vector<std::string> names;
  for (const TableId& id : keyless) names.push_back(dotted(id));
  if (!names.empty())
    outcome.warnings.push_back(
        fmt::format("publication {} is for all tables: the server now refuses UPDATE and DELETE on tables "
                    "without primary key and replica identity: {} "
                    "(ALTER TABLE ... REPLICA IDENTITY FULL, or publication.autocreate.mode=filtered)",
                    outcome.name, joined(names)));
  return {};
}

}  // namespace

std::string Publication::operations() const {
  const bool on[] = {inserts, updates, deletes, truncates};
  std::string out;
  for (std::size_t i = 0; i < std::size(kOperations); ++i)
    if (on[i]) out += (out.empty() ? "" : ",") + std::string(kOperations[i].word);
  return out;
}

Result<std::optional<Publication>> find_publication(Connection& connection, const std::string& name) {
  const int version = connection.server_version();
  CDC_TRY(const Rows rows,
          connection.exec(
              fmt::format(
                  "SELECT p.pubname, p.puballtables, p.pubinsert, p.pubupdate, p.pubdelete, {}, {}, {} "
                  "FROM pg_catalog.pg_publication p WHERE p.pubname = {}",
                  version >= 110000 ? "p.pubtruncate" : "false", version >= 130000 ? "p.pubviaroot" : "false",
                  version >= 180000 ? "p.pubgencols = 's'" : "false", quote_literal(name)),
              fmt::format("looking for publication '{}'", name)));
  if (rows.empty()) return std::nullopt;
  Publication p;
  p.name = rows.string(0, 0);
  p.all_tables = rows.flag(0, 1);
  p.inserts = rows.flag(0, 2);
  p.updates = rows.flag(0, 3);
  p.deletes = rows.flag(0, 4);
  p.truncates = rows.flag(0, 5);
  p.via_root = rows.flag(0, 6);
  p.generated_stored = rows.flag(0, 7);
  return p;
}

Result<std::vector<PublishedTable>> published_tables(Connection& connection, const std::string& name) {
  // attnames lists every column where there is no column list, so what is missing is asked for.
  constexpr std::string_view lists = R"(t.rowfilter,
       (SELECT pg_catalog.string_agg(a.attname, ', ' ORDER BY a.attnum)
        FROM pg_catalog.pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
          AND NOT (a.attname = ANY (t.attnames))
          AND EXISTS (SELECT 1 FROM pg_catalog.pg_publication_rel r
                      JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid
                      WHERE p.pubname = t.pubname AND r.prattrs IS NOT NULL)))";
  CDC_TRY(const Rows rows,
          connection.exec(
              fmt::format("SELECT t.schemaname, t.tablename, {} FROM pg_catalog.pg_publication_tables t "
                          "JOIN pg_catalog.pg_namespace n ON n.nspname = t.schemaname "
                          "JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename "
                          "WHERE t.pubname = {}",
                          connection.server_version() >= 150000 ? lists : "NULL, NULL", quote_literal(name)),
              fmt::format("reading the tables of publication '{}'", name)));
  std::vector<PublishedTable> out;
  for (std::size_t r = 0; r < rows.size(); ++r)
    out.push_back({{{}, rows.string(r, 0), rows.string(r, 1)}, rows.string(r, 3), rows.string(r, 2)});
  return out;
}

Result<std::vector<PartitionLeaf>> partition_leaves(Connection& connection,
                                                    std::span<const TableRow> captured) {
  std::vector<Oid> roots;
  for (const TableRow& t : captured)
    if (t.kind == 'p') roots.push_back(t.oid);
  std::vector<PartitionLeaf> out;
  if (roots.empty()) return out;
  CDC_TRY(const Rows rows, connection.exec(fmt::format(kTree, oid_array(roots),
                                                       "tree.root, n.nspname, c.relname", "c.relkind = 'r'"),
                                           "reading partitions"));
  for (std::size_t r = 0; r < rows.size(); ++r)
    out.push_back({rows.oid(r, 0), {{}, rows.string(r, 1), rows.string(r, 2)}});
  return out;
}

std::optional<std::string> publish_option(const std::optional<std::string>& skipped) {
  if (!skipped || skipped->empty()) return std::nullopt;
  std::string out;
  for (const auto& [letter, word] : kOperations)
    if (skipped->find(letter) == std::string::npos) out += (out.empty() ? "" : ",") + std::string(word);
  return out;
}

std::string create_publication_sql(const PublicationSettings& settings, std::span<const TableRow> tables) {
  std::string sql = "CREATE PUBLICATION " + quote_ident(settings.name);
  if (settings.mode == PublicationMode::all_tables) sql += " FOR ALL TABLES";
  if (settings.mode == PublicationMode::filtered) sql += " FOR TABLE " + table_list(publishable(tables));
  std::vector<std::string> options;
  if (const auto operations = publish_option(settings.skipped))
    options.push_back("publish = " + quote_literal(*operations));
  if (settings.via_root) options.push_back("publish_via_partition_root = true");
  if (!options.empty()) sql += " WITH (" + joined(options) + ")";
  return sql;
}

std::vector<std::string> alter_publication_sql(const std::string& name, std::span<const TableRow> tables,
                                               const std::optional<std::string>& skipped) {
  std::vector<std::string> out;
  if (!tables.empty())
    out.push_back(
        fmt::format("ALTER PUBLICATION {} SET TABLE {}", quote_ident(name), table_list(publishable(tables))));
  if (const auto operations = publish_option(skipped))
    out.push_back(fmt::format("ALTER PUBLICATION {} SET (publish = {})", quote_ident(name),
                              quote_literal(*operations)));
  return out;
}

std::string publication_names(const std::string& name) { return quote_ident(name); }

namespace {

// What the mode asks for when the publication exists; only `filtered` ever changes it.
Result<void> bring_up_to_date(Connection& connection, const ServerFacts& facts,
                              const PublicationSettings& settings, const Publication& publication,
                              std::span<const TableRow> wanted, PublicationOutcome& outcome) {
  if (settings.mode != PublicationMode::filtered) return {};
  if (publication.all_tables) {
    return tl::unexpected(
        refused(fmt::format("publication '{}' is FOR ALL TABLES and cannot be altered to the captured tables",
                            publication.name),
                fmt::format("DROP PUBLICATION {}, or set publication.autocreate.mode=all_tables",
                            quote_ident(publication.name))));
  }
  CDC_TRY(const auto now, published_tables(connection, publication.name));
  std::set<TableId> published;
  for (const PublishedTable& t : now) published.insert(t.id);
  CDC_TRY(const auto want, expanded(connection, wanted, publication.via_root));
  const bool same_tables = published == want;
  if (facts.in_recovery) {
    if (same_tables) return {};
    return tl::unexpected(
        refused(fmt::format("publication '{}' does not hold exactly the captured tables, and on a standby it "
                            "cannot be altered",
                            publication.name),
                fmt::format("run on the primary: {}",
                            alter_publication_sql(publication.name, wanted, std::nullopt).front())));
  }
  const auto operations = publish_option(settings.skipped);
  const bool same_operations = !operations || *operations == publication.operations();
  outcome.statements =
      alter_publication_sql(publication.name, same_tables ? std::span<const TableRow>() : wanted,
                            same_operations ? std::nullopt : settings.skipped);
  return {};
}

Result<void> plan_creation(Connection& connection, const ServerFacts& facts,
                           const PublicationSettings& settings, std::span<const TableRow> wanted,
                           PublicationOutcome& outcome) {
  // Going on without it, as Debezium does there, would fail at the first change, when the slot is already
  // made.
  if (facts.in_recovery)
    return tl::unexpected(
        absent_error(settings,
                     "the publication does not exist, and on a standby none can be made: make it on "
                     "the primary"));
  if (settings.mode == PublicationMode::disabled)
    return tl::unexpected(absent_error(
        settings, "Publication autocreation is disabled, please create one and restart the connector."));
  PublicationSettings effective = settings;
  if (settings.via_root && facts.version < 130000) {
    effective.via_root = false;
    outcome.warnings.push_back(
        "publish.via.partition.root needs PostgreSQL 13: changes come under the names of the partitions");
  }
  outcome.statements.push_back(create_publication_sql(effective, wanted));
  if (settings.mode == PublicationMode::all_tables && publishes_changes(settings))
    CDC_CHECK(warn_of_keyless(connection, outcome));
  return {};
}

}  // namespace

Result<PublicationOutcome> ensure_publication(Connection& connection, const ServerFacts& facts,
                                              const PublicationSettings& wished,
                                              std::span<const TableRow> captured, bool dry) {
  PublicationSettings settings = wished;
  if (facts.version < 110000 && settings.skipped) *settings.skipped += 't';  // 10 does not know the word
  PublicationOutcome outcome;
  outcome.name = settings.name;
  const std::vector<TableRow> wanted = publishable(captured);
  if (settings.mode == PublicationMode::filtered && wanted.empty()) {
    return tl::unexpected(
        Error{ErrorKind::refused,
              fmt::format("No table filters found for filtered publication {}", settings.name),
              "no captured table can be published: check table.include.list and the role's rights",
              {},
              false});
  }
  CDC_TRY(auto found, find_publication(connection, settings.name));
  if (!found) {
    std::string lower = settings.name;
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower != settings.name) {
      CDC_TRY(found, find_publication(connection, lower));
      if (found)
        outcome.warnings.push_back(fmt::format("there is no publication {}, but {}: that one is used",
                                               quote_ident(settings.name), lower));
    }
  }
  outcome.exists = found.has_value();
  if (found) {
    outcome.name = found->name;
    CDC_CHECK(bring_up_to_date(connection, facts, settings, *found, wanted, outcome));
  } else {
    CDC_CHECK(plan_creation(connection, facts, settings, wanted, outcome));
  }
  if (!dry) {
    for (const std::string& sql : outcome.statements) CDC_CHECK(run_ddl(connection, sql, facts, settings));
    if (!outcome.statements.empty()) {
      CDC_TRY(found, find_publication(connection, outcome.name));
      outcome.exists = found.has_value();
    }
  }
  if (found) {
    if (settings.via_root && !found->via_root)
      outcome.warnings.push_back(
          fmt::format("publication {} has publish_via_partition_root off: publish.via.partition.root=true "
                      "has no effect on it",
                      found->name));
    std::vector<PublishedTable> published;
    if (!found->all_tables) {
      CDC_TRY(published, published_tables(connection, found->name));
    }
    std::vector<PartitionLeaf> leaves;
    if (!found->via_root) {
      CDC_TRY(leaves, partition_leaves(connection, captured));
    }
    for (auto& warning : publication_warnings(*found, published, captured, leaves))
      outcome.warnings.push_back(std::move(warning));
  }
  return outcome;
}

}  // namespace cdc::pg
