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

// Rows of an override at a time: few at first, then as many as make this much.
constexpr std::size_t kFirstBatch = 64, kLargestBatch = 10'240, kBatchBytes = 4 << 20;

// SQL of the user in a message: one line, not too long.
std::string shown(std::string_view sql) {
  constexpr std::size_t kLongest = 200;
  std::string line;
  for (const char c : sql) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.size() <= kLongest) return line;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U)
    --end;  // not inside a character
  return line.substr(0, end) + "...";
}

// Names of what a user's own SELECT gives, in order; asked without running it.
Result<std::vector<std::string>> result_columns(Connection& connection, const std::string& sql,
                                                const std::string& attempted) {
  const auto checked = [&](PGresult* result) -> Result<void> {
    if (PQresultStatus(result) == PGRES_COMMAND_OK) return {};
    const auto field = [&](int code) {
      const char* text = PQresultErrorField(result, code);
      return std::string(text == nullptr ? "" : text);
    };
    const Failure failure{field(PG_DIAG_SQLSTATE), field(PG_DIAG_MESSAGE_PRIMARY),
                          field(PG_DIAG_MESSAGE_DETAIL), field(PG_DIAG_MESSAGE_HINT)};
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

// From the cells of a row as it comes to a push.
class RowPusher {
 public:
  RowPusher(const UnitReading& reading, ChangeSink& sink, BuiltShape built, TableHandle handle)
      : sink_(sink), built_(std::move(built)), handle_(std::move(handle)), reading_(reading) {
    change_.table = handle_.get();
    change_.op = Op::read;
  }

  // Rows of an override come in another order; columns that it does not give are absent.
  void set_places(std::vector<int> places) { places_ = std::move(places); }
  bool finished() const { return sink_.finished(); }

  Result<void> push(std::vector<Cell>& cells) {
    if (!places_.empty()) {
      arranged_.clear();
      for (const std::uint32_t cell : built_.cells) {
        const int place = places_[cell];
        arranged_.push_back(place < 0 ? Cell{Cell::Kind::absent, {}}
                                      : cells[static_cast<std::size_t>(place)]);
      }
      change_.after = arranged_;
    } else if (built_.all_cells) {
      change_.after = cells;
    } else {
      for (std::size_t i = 0; i < built_.cells.size(); ++i) cells[i] = cells[built_.cells[i]];
      change_.after = std::span(cells).first(built_.cells.size());
    }
    return sink_.row(change_);
  }

  Error broken_row(const pgoutput::Fault& fault) const {
    return Error{ErrorKind::corrupt,
                 fmt::format("reading table {}: {}", dotted(reading_.planned.id), fault.what),
                 {},
                 {},
                 false};
  }

 private:
  ChangeSink& sink_;
  BuiltShape built_;
  TableHandle handle_;
  const UnitReading& reading_;
  RowChange change_;
  std::vector<int> places_;
  std::vector<Cell> arranged_;
};

// The usual way: rows stream by, and are split where libpq holds them.
Result<void> copy_rows(const UnitReading& reading, RowPusher& rows, const std::string& attempted) {
  Connection& connection = reading.connection;
  const std::string select = unit_sql(reading.table, reading.unit, reading.resume_after);
  CDC_CHECK(connection.begin_copy_out(fmt::format("COPY ({}) TO STDOUT", select), attempted));
  const std::size_t columns = reading.table.description.columns.size();
  CopyRow row;
  std::vector<Cell> cells;
  while (!rows.finished()) {
    CDC_TRY(const bool more, connection.next_copy_row(row));
    if (!more) return {};
    // The bytes are libpq's, allocated for this row and ours until the next.
    char* data = const_cast<char*>(row.view().data());
    pgoutput::Fault fault;
    if (!pgoutput::split_copy_row(data, row.view().size(), columns, cells, fault))
      return tl::unexpected(rows.broken_row(fault));
    CDC_CHECK(rows.push(cells));
  }
  return {};
}

// A user's own SELECT is read by a cursor: a statement that fails gives no row of its batch, so that rows of
// the table before it keep the markers of an unfinished snapshot (CORE-SNAP-14).
Result<void> cursor_rows(const UnitReading& reading, RowPusher& rows, const std::string& attempted) {
  Connection& connection = reading.connection;
  const std::string& select = reading.planned.select_override;
  CDC_TRY(const auto fields, result_columns(connection, select, attempted));
  rows.set_places(match_columns(reading.table.description, fields));
  CDC_CHECK(connection.exec(fmt::format("DECLARE cdc_rows NO SCROLL CURSOR FOR {}", select), attempted));
  std::vector<Cell> cells(fields.size());
  for (std::size_t batch = kFirstBatch; !rows.finished();) {
    CDC_TRY(const Rows fetched, connection.exec(fmt::format("FETCH {} FROM cdc_rows", batch), attempted));
    std::size_t bytes = 1;
    for (std::size_t row = 0; row < fetched.size() && !rows.finished(); ++row) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string_view text = fetched.text(row, i);
        bytes += text.size();
        cells[i] = {fetched.is_null(row, i) ? Cell::Kind::null : Cell::Kind::value, text};
      }
      CDC_CHECK(rows.push(cells));
    }
    if (fetched.size() < batch) break;
    batch = std::clamp<std::size_t>(kBatchBytes / (bytes / fetched.size() + 1), 1, kLargestBatch);
  }
  return connection.exec("CLOSE cdc_rows", attempted).map([](const Rows&) {});
}

}  // namespace

std::string unit_sql(const SnapshotTable& table, const SnapshotUnit& unit,
                     const std::vector<std::string>& resume_after) {
  std::vector<std::string> names;
  for (const ColumnDescription& column : table.description.columns) names.push_back(column.name);
  std::string sql = fmt::format("SELECT {} FROM {}", ident_list(names), quote_table(table.description.id));
  const std::string where =
      range_predicate(table.key, resume_after.empty() ? unit.lower : resume_after, unit.upper);
  // On lines of its own: a condition may end in a comment.
  const std::string condition = table.condition.empty() ? "" : fmt::format("({}\n)", table.condition);
  if (!where.empty() || !condition.empty()) sql += " WHERE ";
  sql += where + (where.empty() || condition.empty() ? "" : " AND ") + condition;
  if (unit.ordered) sql += " ORDER BY " + ident_list(table.key);
  return sql;
}

Result<void> read_unit(const UnitReading& reading, ChangeSink& sink) {
  const PlannedTable& planned = reading.planned;
  std::string attempted = fmt::format("reading table {}", dotted(planned.id));
  // What the user wrote is shown where it may be what is wrong.
  if (!planned.select_override.empty()) attempted += fmt::format(" by {}", shown(planned.select_override));
  if (!reading.table.condition.empty()) attempted += fmt::format(" where {}", shown(reading.table.condition));
  BuiltShape built = build_shape(reading.types, reading.table.description, reading.options);
  CDC_TRY(TableHandle handle, sink.table(built.shape));
  RowPusher rows(reading, sink, std::move(built), std::move(handle));
  if (!reading.planned.select_override.empty()) return cursor_rows(reading, rows, attempted);
  auto result = copy_rows(reading, rows, attempted);
  if (!result || sink.finished()) reading.connection.abandon_copy();
  return result;
}

}  // namespace cdc::pg
