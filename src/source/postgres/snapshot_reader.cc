// The row loop of a snapshot. Rows are split where libpq holds them; nothing is allocated per row.
#include "source/postgres/snapshot_reader.h"

#include <algorithm>

#include <fmt/format.h>
#include <libpq-fe.h>

#include "source/postgres/control/quote.h"
#include "source/postgres/key_ranges.h"
#include "source/postgres/pgoutput/copy_text.h"

namespace cdc::pg {
namespace {

constexpr std::uint64_t kCountEvery = 1024;

// Names of what a user's own SELECT gives, in order; asked without running it.
Result<std::vector<std::string>> result_columns(Connection& connection, const std::string& sql, const std::string& attempted) {
  const auto checked = [&](PGresult* result) -> Result<void> {
    if (PQresultStatus(result) == PGRES_COMMAND_OK) return {};
    const auto field = [&](int code) {
      const char* text = PQresultErrorField(result, code);
      return std::string(text == nullptr ? "" : text);
    };
    const Failure failure{field(PG_DIAG_SQLSTATE), field(PG_DIAG_MESSAGE_PRIMARY), field(PG_DIAG_MESSAGE_DETAIL),
                          field(PG_DIAG_MESSAGE_HINT)};
    PQclear(result);
    return tl::unexpected(server_error(attempted, failure, connection.subject()));
  };
  PGresult* prepared = PQprepare(connection.raw(), "", sql.c_str(), 0, nullptr);
  CDC_CHECK(checked(prepared));
  PQclear(prepared);
  PGresult* described = PQdescribePrepared(connection.raw(), "");
  CDC_CHECK(checked(described));
  std::vector<std::string> names;
  for (int i = 0; i < PQnfields(described); ++i) names.emplace_back(PQfname(described, i));
  PQclear(described);
  return names;
}

// For each column of the table: its field in the rows of the override, or -1.
std::vector<int> match_columns(const TableDescription& table, const std::vector<std::string>& fields) {
  std::vector<int> places;
  for (const ColumnDescription& column : table.columns) {
    const auto found = std::find(fields.begin(), fields.end(), column.name);
    places.push_back(found == fields.end() ? -1 : static_cast<int>(found - fields.begin()));
  }
  return places;
}

class RowLoop {
 public:
  RowLoop(const UnitReading& reading, ChangeSink& sink, BuiltShape built, TableHandle handle)
      : reading_(reading), sink_(sink), built_(std::move(built)), handle_(std::move(handle)),
        fields_(reading.table.description.columns.size()) {}

  // Rows of an override come in another order.
  void set_fields(std::vector<int> places, std::size_t fields) { places_ = std::move(places), fields_ = fields; }

  Result<void> run() {
    CopyRow row;
    std::uint64_t count = 0;
    RowChange change;
    change.table = handle_.get();
    change.op = Op::read;
    while (!sink_.finished()) {
      CDC_TRY(const bool more, reading_.connection.next_copy_row(row));
      if (!more) break;
      // The bytes are libpq's, allocated for this row and ours until the next.
      char* data = const_cast<char*>(row.view().data());
      pgoutput::Fault fault;
      if (!pgoutput::split_copy_row(data, row.view().size(), fields_, cells_, fault)) return broken_row(fault);
      change.after = arrange();
      CDC_CHECK(sink_.row(change));
      if (++count % kCountEvery == 0) reading_.runtime.stats.rows_scanned.fetch_add(kCountEvery, std::memory_order_relaxed);
    }
    reading_.runtime.stats.rows_scanned.fetch_add(count % kCountEvery, std::memory_order_relaxed);
    return {};
  }

 private:
  std::span<const Cell> arrange() {
    if (places_.empty()) {
      if (built_.all_cells) return cells_;
      for (std::size_t i = 0; i < built_.cells.size(); ++i) cells_[i] = cells_[built_.cells[i]];
      return std::span(cells_).first(built_.cells.size());
    }
    arranged_.clear();
    for (const std::uint32_t cell : built_.cells) {
      const int place = places_[cell];
      arranged_.push_back(place < 0 ? Cell{Cell::Kind::absent, {}} : cells_[static_cast<std::size_t>(place)]);
    }
    return arranged_;
  }

  Result<void> broken_row(const pgoutput::Fault& fault) const {
    return fail(ErrorKind::corrupt, fmt::format("reading table {}: {}", dotted(reading_.planned.id), fault.what));
  }

  const UnitReading& reading_;
  ChangeSink& sink_;
  BuiltShape built_;
  TableHandle handle_;
  std::size_t fields_;
  std::vector<int> places_;
  std::vector<Cell> cells_, arranged_;
};

}  // namespace

std::string unit_sql(const SnapshotTable& table, const SnapshotUnit& unit, const std::vector<std::string>& resume_after) {
  std::vector<std::string> names;
  for (const ColumnDescription& column : table.description.columns) names.push_back(column.name);
  std::string sql = fmt::format("SELECT {} FROM {}", ident_list(names), quote_table(table.description.id));
  const std::string where = range_predicate(table.key, resume_after.empty() ? unit.lower : resume_after, unit.upper);
  if (!where.empty()) sql += " WHERE " + where;
  if (unit.ordered) sql += " ORDER BY " + ident_list(table.key);
  return sql;
}

Result<void> read_unit(const UnitReading& reading, ChangeSink& sink) {
  const std::string attempted = fmt::format("reading table {}", dotted(reading.planned.id));
  const std::string& override = reading.planned.select_override;
  BuiltShape built = build_shape(reading.types, reading.table.description, reading.options);
  CDC_TRY(TableHandle handle, sink.table(built.shape));
  RowLoop loop(reading, sink, std::move(built), std::move(handle));
  std::string select = override;
  if (override.empty()) {
    select = unit_sql(reading.table, reading.unit, reading.resume_after);
  } else {
    CDC_TRY(const auto fields, result_columns(reading.connection, override, attempted));
    loop.set_fields(match_columns(reading.table.description, fields), fields.size());
  }
  CDC_CHECK(reading.connection.begin_copy_out(fmt::format("COPY ({}) TO STDOUT", select), attempted));
  auto result = loop.run();
  if (!result || sink.finished()) reading.connection.abandon_copy();
  return result;
}

}  // namespace cdc::pg
