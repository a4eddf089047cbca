// Catalogue: which tables, columns and events are captured, and how columns and keys are shaped.
#include "config/catalogue.h"
#include "config/checks.h"

namespace cdc::config {

namespace {

using enum Kind;
using enum Disposition;

constexpr Sources with_databases = mysql | mariadb | mongodb;
constexpr Sources with_schemas = postgresql | oracle;

constexpr Property rows[] = {
    {"database.include.list", regex_list, "", "", implemented, "Databases to capture", "", with_databases},
    {"database.exclude.list", regex_list, "", "", implemented, "Databases to leave out", "", with_databases},
    {"schema.include.list", regex_list, "", "", implemented, "Schemas to capture", "", with_schemas},
    {"schema.exclude.list", regex_list, "", "", implemented, "Schemas to leave out", "", with_schemas},
    {"table.include.list", regex_list, "", "", implemented,
     "Tables to capture, as regexes of the whole name schema.table, letters of either case", "", relational},
    {"table.exclude.list", regex_list, "", "", implemented, "Tables to leave out", "", relational},
    {"table.ignore.builtin", boolean, "true", "", implemented, "Leave out the system's own tables", "",
     relational},
    {"column.include.list", regex_list, "", "", implemented,
     "Columns to write, as regexes of schema.table.column; key columns always stay in the key", "",
     relational},
    {"column.exclude.list", regex_list, "", "", implemented, "Columns to leave out", "", relational},
    {"column.mask.with.<N>.chars", regex_list, "", "", implemented,
     "Columns whose text is replaced by N asterisks", "", relational},
    {"column.mask.hash.v2.<ALG>.with.salt.<SALT>", regex_list, "", "", implemented,
     "Columns whose text is replaced by its salted hash (of the UTF-8 bytes)", "", relational},
    {"column.mask.hash.<ALG>.with.salt.<SALT>", regex_list, "", "", implemented,
     "Columns whose text is replaced by its salted hash (of Java's serialized string)", "", relational},
    {"column.truncate.to.<N>.chars", regex_list, "", "", implemented, "Columns that are cut to N characters",
     "", relational},
    {"column.propagate.source.type", regex_list, "", "", implemented,
     "Columns whose type in the database is written into the schema", "", relational},
    {"datatype.propagate.source.type", regex_list, "", "", implemented,
     "The same, chosen by the type: schema.table.TYPE", "", relational},
    {"message.key.columns", semicolons, "", "", implemented,
     "Columns that make the key: table-regex:column,column; entries separated by ;", "", relational,
     check::key_columns},
    {"include.schema.comments", boolean, "false", "", no_effect, "Column comments as doc of the schema",
     "PostgreSQL events never carry comments"},
    {"include.schema.changes", boolean, "true", "", not_yet, "Events for changes of table structure", "",
     historized},
    {"unavailable.value.placeholder", text, "__debezium_unavailable_value", "", implemented,
     "Stands for a value the log did not carry; hex:... for bytes", "", relational, check::placeholder},
    {"skipped.operations", enum_list, "t", "none|c|u|d|t|r", implemented,
     "Operations that give no events: c, u, d, t, or none", "", all_sources, check::skipped_operations},
    {"skip.messages.without.change", boolean, "false", "", implemented,
     "No event for an update that changes no written column; needs the full old row"},
    {"tombstones.on.delete", boolean, "true", "", implemented,
     "A record with a null value after each delete"},
};

}  // namespace

std::span<const Property> filter_properties() { return rows; }

}  // namespace cdc::config
