// The publication: found, created or brought up to date as publication.autocreate.mode says (PG-PUB-*),
// and what to tell the user about captured tables that it does not carry. pgoutput only.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cdc/runtime.h"
#include "source/postgres/control/catalog.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/server.h"
#include "source/postgres/control/settings.h"

namespace cdc::pg {

struct Publication {
  std::string name;
  bool all_tables = false;
  bool via_root = false;  // publish_via_partition_root
  bool inserts = true, updates = true, deletes = true, truncates = true;
  bool generated_stored = false;   // 18+: publish_generated_columns = stored
  std::string operations() const;  // "insert, update, ..."
};

struct PublishedTable {
  TableId id;                       // a leaf or a root, as pg_publication_tables has it
  std::string unpublished_columns;  // left out by a column list (15+): "a, b"; empty: none
  std::string row_filter;           // (15+); empty: none
};

Result<std::optional<Publication>> find_publication(Connection& connection, const std::string& name);
Result<std::vector<PublishedTable>> published_tables(Connection& connection, const std::string& name);

// Statements that make or change a publication; pure, in the order in which to run them.
std::string create_publication_sql(const PublicationSettings& settings, std::span<const TableRow> tables);
std::vector<std::string> alter_publication_sql(const std::string& name, std::span<const TableRow> tables,
                                               const std::optional<std::string>& skipped);
// "insert,update,delete,truncate" without what is skipped; nullopt: nothing to say in WITH (PG-PUB-04).
std::optional<std::string> publish_option(const std::optional<std::string>& skipped);

struct PublicationOutcome {
  std::string name;                     // as it stands on the server (PG-PUB-10)
  bool exists = false;                  // false only after a dry run that would create it
  std::vector<std::string> statements;  // run, or with `dry` what would be run
  std::vector<std::string> warnings;    // to say once
};

// Checks and makes the publication; `captured` are the captured tables, signal table included. To be
// called before the slot is made (PG-PUB-01/02). With `dry` nothing is changed.
Result<PublicationOutcome> ensure_publication(Connection& connection, const ServerFacts& facts,
                                              const PublicationSettings& settings,
                                              std::span<const TableRow> captured, bool dry);

// A leaf partition that stands below a captured partitioned table.
struct PartitionLeaf {
  Oid root = 0;  // the captured table
  TableId id;
};
Result<std::vector<PartitionLeaf>> partition_leaves(Connection& connection,
                                                    std::span<const TableRow> captured);

// PG-PUB-11/12, PG-SNAP-08, PG-STR-08: what of the captured tables the publication does not bring.
// `published` may be empty for a publication of all tables.
std::vector<std::string> publication_warnings(const Publication& publication,
                                              std::span<const PublishedTable> published,
                                              std::span<const TableRow> captured,
                                              std::span<const PartitionLeaf> leaves);
// One warning for each captured table that is not streamed, not read as a whole, or read twice (unlogged,
// row security, partitions beside their root, inheritance).
std::vector<std::string> table_warnings(std::span<const TableRow> captured, const ServerFacts& facts);

// Value of the option publication_names: an identifier list, so the name is quoted inside (the caller
// still wraps it in quote_literal).
std::string publication_names(const std::string& name);

}  // namespace cdc::pg
