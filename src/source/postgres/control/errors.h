// From a failure of libpq or the server to an Error: one table maps SQLSTATE (and, where several
// conditions share one, an untranslated word of the message) to kind, text and hint (spec 1.3,
// PG-LIBPQ-29). Pure; no connection here.
#pragma once

#include <string>
#include <string_view>

#include "cdc/error.h"

namespace cdc::pg {

// What came back. Without `sqlstate` the failure is libpq's own (network, TLS, DNS).
struct Failure {
  std::string sqlstate;
  std::string message;  // the server's primary message, or libpq's text; may be localised
  std::string detail;
  std::string hint;  // the server's
};

// Whom and what the failure is about; fills the placeholders of the table. Never holds a secret.
struct Subject {
  std::string host;  // "db.example:5432" as the user wrote it, or a socket directory
  std::string user;
  std::string database;
  std::string object;  // table, slot or publication, where the caller knows one
};

// `attempted`: what was being done, as "creating slot 'x'" (an -ing form, no capital).
Error server_error(std::string_view attempted, const Failure& failure, const Subject& subject);

// A connection that could not be made; `text` is PQerrorMessage with verbose errors on, so that the
// SQLSTATE can be read out of it. Wrong password, unknown database, missing pg_hba.conf entry and TLS
// failures are `refused` and never retriable; everything that may heal is `unreachable`.
Error connect_error(std::string_view text, const Subject& subject, bool replication, bool needs_password);

}  // namespace cdc::pg
