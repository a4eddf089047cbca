// One query, one table of what its columns are called.
#include "source/postgres/slot_gauges.h"

#include <fmt/format.h>

#include "source/postgres/control/quote.h"

namespace cdc::pg {
namespace {

constexpr int kWalStatusSince = 130000;

// What they mean stands in the manual.
constexpr std::string_view kGauges[] = {"SlotLagInBytes", "SlotRetainedInBytes", "SlotWalStatus",
                                        "SlotSafeWalSizeInBytes"};

std::string gauges_sql(const ServerFacts& facts, const std::string& slot) {
  const std::string_view now =
      facts.in_recovery
          ? "COALESCE(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())"
          : "pg_catalog.pg_current_wal_lsn()";
  return fmt::format(
      "SELECT pg_catalog.pg_wal_lsn_diff({0}, confirmed_flush_lsn)::pg_catalog.int8, "
      "pg_catalog.pg_wal_lsn_diff({0}, restart_lsn)::pg_catalog.int8, {1} "
      "FROM pg_catalog.pg_replication_slots WHERE slot_name = {2}",
      now,
      facts.version < kWalStatusSince ? "NULL, NULL"
                                      : "pg_catalog.array_position('{reserved,extended,unreserved,lost}'::pg_"
                                        "catalog.text[], wal_status) - "
                                        "1, safe_wal_size",
      quote_literal(slot));
}

}  // namespace

Result<void> measure_slot(Connection& general, const ServerFacts& facts, const std::string& slot,
                          std::chrono::milliseconds timeout, RunDetails& details) {
  CDC_TRY(const Rows rows,
          general.exec(gauges_sql(facts, slot), "asking whether the server is alive", timeout));
  if (rows.size() != 1) return {};
  details.change([&rows](RunDetails::Facts& shown) {
    for (std::size_t i = 0; i < std::size(kGauges); ++i)
      if (!rows.is_null(0, i)) shown.source.insert_or_assign(std::string(kGauges[i]), rows.integer(0, i));
  });
  return {};
}

}  // namespace cdc::pg
