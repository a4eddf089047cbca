// Asking TimescaleDB's catalog over libpq.
#include <libpq-fe.h>

#include <fmt/format.h>

#include "cdc/hypertables.h"
#include "source/postgres/make_source.h"

namespace cdc::pg {
namespace {

constexpr const char* kQuery =
    "SELECT h.schema_name, h.table_name, a.user_view_schema, a.user_view_name FROM "
    "_timescaledb_catalog.chunk c "
    "JOIN _timescaledb_catalog.hypertable h ON c.hypertable_id = h.id "
    "LEFT JOIN _timescaledb_catalog.continuous_agg a ON a.mat_hypertable_id = h.id WHERE c.schema_name = $1 "
    "AND c.table_name = $2";

class ServerCatalog : public HypertableCatalog {
 public:
  explicit ServerCatalog(ConnectionKeywords keywords) : keywords_(std::move(keywords)) {}
  ~ServerCatalog() override { PQfinish(connection_); }

  Result<std::optional<Hypertable>> find(const std::string& schema, const std::string& table) override {
    CDC_CHECK(connect());
    const char* values[] = {schema.c_str(), table.c_str()};
    const std::unique_ptr<PGresult, void (*)(PGresult*)> rows(
        PQexecParams(connection_, kQuery, 2, nullptr, values, nullptr, nullptr, 0), PQclear);
    if (PQresultStatus(rows.get()) != PGRES_TUPLES_OK) {
      const std::string why = PQerrorMessage(connection_);
      const bool lost = PQstatus(connection_) != CONNECTION_OK;
      if (lost) close();
      return fail(lost ? ErrorKind::unreachable : ErrorKind::refused,
                  fmt::format("TimescaleDb: the catalog cannot tell what {}.{} is: {}", schema, table, why),
                  "The user needs USAGE on the schema _timescaledb_catalog and SELECT on its tables");
    }
    if (PQntuples(rows.get()) == 0) return std::optional<Hypertable>();
    const auto text = [&](int column) { return std::string(PQgetvalue(rows.get(), 0, column)); };
    if (PQgetisnull(rows.get(), 0, 2) != 0) return std::optional(Hypertable{text(0), text(1), {}, {}});
    return std::optional(Hypertable{text(2), text(3), text(0), text(1)});
  }

 private:
  Result<void> connect() {
    if (connection_ != nullptr && PQstatus(connection_) == CONNECTION_OK) return {};
    close();
    std::vector<const char*> names, values;
    for (const auto& [name, value] : keywords_) {
      names.push_back(name.c_str());
      values.push_back(value.c_str());
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
    connection_ = PQconnectdbParams(names.data(), values.data(), 0);
    if (PQstatus(connection_) == CONNECTION_OK) return {};
    const std::string why = connection_ != nullptr ? PQerrorMessage(connection_) : "out of memory";
    close();
    return fail(ErrorKind::unreachable,
                fmt::format("TimescaleDb: its own connection to the server failed: {}", why),
                "See the database.* options of the transform");
  }
  void close() {
    PQfinish(connection_);
    connection_ = nullptr;
  }

  const ConnectionKeywords keywords_;
  PGconn* connection_ = nullptr;
};

}  // namespace

std::unique_ptr<HypertableCatalog> hypertables(ConnectionKeywords keywords) {
  return std::make_unique<ServerCatalog>(std::move(keywords));
}

}  // namespace cdc::pg
