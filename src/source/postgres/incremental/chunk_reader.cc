// Reading structure, chunks and marks.
#include "source/postgres/incremental/chunk_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "filter/collection_filter.h"
#include "source/postgres/control/quote.h"
#include "source/postgres/pgoutput/copy_text.h"

namespace cdc::pg {
namespace {

constexpr std::string_view kReadOnly = "25006";
constexpr milliseconds kNotYetVisible{1};

constexpr Oid kFirstUserOid = 16384;  // FirstNormalObjectId: types below never change

// How the state keeps keys of a type; all others as text.
struct KeptAs {
  std::string_view type_name, kept_as;
};
constexpr KeptAs kKeptAs[] = {
    {"INT2", "int32"},   {"INT4", "int32"},      {"SERIAL", "int32"},   {"SMALLSERIAL", "int32"},
    {"INT8", "int64"},   {"BIGSERIAL", "int64"}, {"FLOAT4", "float32"}, {"FLOAT8", "float64"},
    {"BOOL", "boolean"}, {"BYTEA", "bytes"},     {"UUID", "uuid"},      {"NUMERIC", "decimal"},
    {"DATE", "date"},
};

KeyTexts texts_of(const ChunkKey& key) {
  KeyTexts texts;
  for (const KeyPart& part : key) texts.push_back(part.text);
  return texts;
}

// "schema.table", as it is written in signal.data.collection.
TableId table_named(const std::string& collection) {
  const std::size_t dot = collection.find('.');
  if (dot == std::string::npos) return {{}, "public", collection};
  return {{}, collection.substr(0, dot), collection.substr(dot + 1)};
}

}  // namespace

std::string PgChunkReader::attempted() const {
  return fmt::format("reading a chunk of {}", dotted(description_.id));
}

Result<std::vector<TableId>> PgChunkReader::tables() {
  TableFilter filter{[this](const TableId& id) { return parts_.rules.collections().captured(id); },
                     parts_.settings.ignore_builtin};
  filter.sizes = false;
  CDC_TRY(known_, read_tables(parts_.general, filter));
  std::vector<TableId> ids;
  for (const TableRow& row : known_) ids.push_back(row.id);
  return ids;
}

// By its oid as seen last; when the table is gone or was not seen, the catalog is asked again.
Result<std::optional<TableDetail>> PgChunkReader::find(const std::string& collection) {
  for (const bool again : {false, true}) {
    if (again) CDC_CHECK(tables());
    const auto row = std::find_if(known_.begin(), known_.end(), [&](const TableRow& known) {
      return collection_id(known.id) == collection;
    });
    if (row == known_.end()) continue;
    CDC_TRY(auto detail, read_detail(parts_.general, row->oid));
    if (detail && collection_id(detail->id) == collection) return detail;
  }
  return std::nullopt;
}

Result<TableHandle> PgChunkReader::open(const std::string& collection, const std::string& also,
                                        ChangeSink& sink) {
  CDC_TRY(const auto detail, find(collection));
  if (!detail) return TableHandle();
  CDC_CHECK(describe(*detail, also));
  std::vector<Oid> all, changeable;
  for (const ColumnDescription& column : description_.columns) {
    all.push_back(column.type);
    if (column.type >= kFirstUserOid && parts_.types.find(column.type) != nullptr)
      changeable.push_back(column.type);
  }
  if (!changeable.empty()) {
    CDC_TRY(auto rows, read_types(parts_.general, changeable));
    for (auto& row : rows) parts_.types.add(std::move(row));
  }
  CDC_TRY([[maybe_unused]] const auto unknown, complete_types(parts_.general, parts_.types, all));
  built_ = build_shape(
      parts_.types, description_,
      {parts_.settings.modes, parts_.settings.key_decimal_form, parts_.settings.header_decimal_form});
  return sink.table(built_.shape);
}

// PG-INC-04: what the stream does not carry is not in the chunk either.
Result<void> PgChunkReader::describe(const TableDetail& detail, const std::string& also) {
  oid_ = detail.oid;
  description_ = {};
  description_.id = detail.id;
  description_.phase = Phase::stream;
  std::vector<std::string> all;
  for (const ColumnRow& column : detail.columns) all.push_back(column.name);
  for (const std::int16_t attnum : detail.key.columns)
    if (const ColumnRow* column = detail.column(attnum)) description_.key.push_back(column->name);
  CDC_TRY(const auto wanted, parts_.rules.columns_to_read(detail.id, all, description_.key));
  CDC_TRY(const auto generated, streamed_generated(detail));
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const ColumnRow& column : detail.columns) {
    if (!has(wanted, column.name) && column.name != also) continue;
    const bool is_generated = column.generated != '\0';
    if (is_generated && !has(generated, column.name)) continue;
    description_.columns.push_back(
        {column.name, column.type, column.typmod, column.not_null, is_generated, column.default_expression});
  }
  return {};
}

// Generated columns that the stream brings: of a publication none before 18, of decoderbufs the stored ones.
Result<std::vector<std::string>> PgChunkReader::streamed_generated(const TableDetail& detail) {
  std::vector<std::string> names;
  const bool any = std::any_of(detail.columns.begin(), detail.columns.end(),
                               [](const ColumnRow& column) { return column.generated != '\0'; });
  if (!parts_.settings.control.publishes()) {
    for (const ColumnRow& column : detail.columns)
      if (column.generated == 's') names.push_back(column.name);
    return names;
  }
  if (!any || parts_.facts.version < 180000) return names;
  const std::string sql = fmt::format(
      "SELECT pg_catalog.unnest(attnames) FROM pg_catalog.pg_publication_tables WHERE pubname = {} AND "
      "schemaname = {} AND tablename = {}",
      quote_literal(parts_.publication), quote_literal(detail.id.schema), quote_literal(detail.id.table));
  CDC_TRY(const Rows rows,
          parts_.general.exec(sql, fmt::format("reading what is published of {}", dotted(detail.id))));
  for (std::size_t row = 0; row < rows.size(); ++row) names.push_back(rows.string(row, 0));
  return names;
}

std::vector<KeyColumn> PgChunkReader::key_columns(std::span<const std::size_t> key) const {
  std::vector<KeyColumn> columns;
  for (const std::size_t column : key) {
    const ColumnDescription& described = description_.columns[built_.cells[column]];
    columns.push_back({described.name, !described.not_null});
  }
  return columns;
}

KeyPart PgChunkReader::key_part(std::size_t column, std::optional<std::string_view> text) const {
  KeyPart part;
  const std::string& type = built_.shape.columns[column].type_name;
  for (const KeptAs& row : kKeptAs)
    if (row.type_name == type) part.type = row.kept_as;
  if (!text) return part;
  if (part.type == "boolean")
    part.text = *text == "t" ? "true" : "false";
  else
    part.text = std::string(*text);
  return part;
}

Result<bool> PgChunkReader::is_unique(std::span<const std::size_t> key) {
  std::string names;
  for (const KeyColumn& column : key_columns(key))
    names += (names.empty() ? "" : ", ") + quote_literal(column.name);
  const std::string sql = fmt::format(
      "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid = {} AND i.indisunique AND "
      "i.indisvalid AND i.indpred IS NULL "
      "AND i.indexprs IS NULL AND (SELECT pg_catalog.array_agg(a.attname::pg_catalog.text) FROM "
      "pg_catalog.pg_attribute a WHERE a.attrelid = "
      "i.indrelid AND a.attnum = ANY (i.indkey)) <@ ARRAY[{}]::pg_catalog.text[])",
      oid_, names);
  CDC_TRY(const Rows rows,
          parts_.general.exec(sql, fmt::format("reading the indexes of {}", dotted(description_.id))));
  return rows.flag(0, 0);
}

Result<std::optional<ChunkKey>> PgChunkReader::maximum_key(std::span<const std::size_t> key,
                                                           std::string_view condition) {
  const auto columns = key_columns(key);
  CDC_TRY(const Rows rows,
          parts_.general.exec(maximum_sql(description_.id, columns, condition),
                              fmt::format("asking for the last key of {}", dotted(description_.id))));
  if (rows.empty()) return std::nullopt;
  ChunkKey maximum;
  for (std::size_t i = 0; i < key.size(); ++i) maximum.push_back(key_part(key[i], rows.get(0, i)));
  return maximum;
}

Result<std::optional<ChunkKey>> PgChunkReader::read(const ChunkRequest& request, const RowCallback& row) {
  ChunkQuery query;
  query.table = description_.id;
  for (const ColumnDescription& column : description_.columns) query.columns.push_back(column.name);
  query.key = key_columns(request.key);
  query.condition = request.condition;
  query.limit = request.limit;
  KeyTexts after, upto;
  if (request.after != nullptr) after = texts_of(*request.after), query.after = &after;
  if (request.upto != nullptr) upto = texts_of(*request.upto), query.upto = &upto;
  Connection& connection = parts_.general;
  CDC_CHECK(connection.begin_copy_out(fmt::format("COPY ({}) TO STDOUT", chunk_sql(query)), attempted()));
  std::optional<ChunkKey> last;
  std::vector<Cell> cells;
  CopyRow message;
  const std::size_t columns = description_.columns.size();
  while (true) {
    CDC_TRY(const bool more, connection.next_copy_row(message));
    if (!more) return last;
    char* data = const_cast<char*>(message.view().data());  // the bytes are libpq's, ours until the next row
    pgoutput::Fault fault;
    Result<void> done;
    if (!pgoutput::split_copy_row(data, message.view().size(), columns, cells, fault)) {
      done = fail(ErrorKind::corrupt, fmt::format("{}: {}", attempted(), fault.what));
    } else {
      if (!built_.all_cells)
        for (std::size_t i = 0; i < built_.cells.size(); ++i) cells[i] = cells[built_.cells[i]];
      const auto shaped = std::span<const Cell>(cells).first(built_.cells.size());
      if (!last) last.emplace(request.key.size());
      for (std::size_t i = 0; i < request.key.size(); ++i) {
        const Cell& cell = shaped[request.key[i]];
        (*last)[i] =
            key_part(request.key[i], cell.kind == Cell::Kind::null ? std::nullopt : std::optional(cell.data));
      }
      done = row(shaped);
    }
    if (!done) {
      connection.abandon_copy();
      return tl::unexpected(std::move(done).error());
    }
  }
}

Result<void> PgChunkReader::insert_signal(const std::string& collection, std::string_view id,
                                          std::string_view type, std::string_view data) {
  const std::array<std::optional<std::string>, 3> values{std::string(id), std::string(type),
                                                         std::string(data)};
  auto written = parts_.general.exec_params(
      fmt::format("INSERT INTO {} VALUES ($1, $2, $3)", quote_table(table_named(collection))), values,
      fmt::format("writing to {}", collection));
  if (!written && written.error().sqlstate == kReadOnly)
    written.error().message += "; on a standby set read.only=true, and send signals through the file channel";
  return written.map([](const Rows&) {});
}

Result<void> PgChunkReader::delete_signal(const std::string& collection, std::string_view id) {
  const std::array<std::optional<std::string>, 1> values{std::string(id)};
  return parts_.general
      .exec_params(fmt::format("DELETE FROM {} WHERE id = $1", quote_table(table_named(collection))), values,
                   fmt::format("deleting from {}", collection))
      .map([](const Rows&) {});
}

Result<TransactionSnapshot> PgChunkReader::snapshot() {
  constexpr std::string_view kAttempted = "asking which transactions are running";
  // Its name before 13; every version knows it.
  CDC_TRY(const Rows rows, parts_.general.exec("SELECT pg_catalog.txid_current_snapshot()", kAttempted));
  const auto parsed = parse_transaction_snapshot(rows.text(0, 0));
  if (!parsed)
    return fail(ErrorKind::corrupt, fmt::format("{}: '{}' is not understood", kAttempted, rows.text(0, 0)));
  return *parsed;
}

// A commit is written to the log, and streamed, before it becomes visible: by as much as its process waits
// for its turn, or for a synchronous standby.
Result<void> PgChunkReader::settle() {
  while (true) {
    CDC_TRY(settled_, snapshot());
    const auto recent = parts_.stream().recent;
    if (std::ranges::none_of(recent, [&](std::uint32_t xid) { return running_in(settled_, xid); })) return {};
    if (parts_.runtime.stop.wait_for(kNotYetVisible))
      return fail(ErrorKind::cancelled, "stopped while waiting for a commit to become visible");
  }
}

bool PgChunkReader::unseen() { return running_in(settled_, parts_.stream().xid); }

Result<void> PgChunkReader::mark_low() {
  // One transaction of ours lies between the start of the stream and the first chunk (PG-INC-05); a standby
  // gives none.
  if (!std::exchange(consumed_, true) && !parts_.facts.in_recovery)
    CDC_CHECK(parts_.general.exec("SELECT pg_catalog.pg_current_xact_id()",
                                  "beginning a read-only incremental snapshot"));
  CDC_TRY(const TransactionSnapshot now, snapshot());
  window_.mark_low(now);
  return {};
}

Result<void> PgChunkReader::mark_high() {
  CDC_TRY(const TransactionSnapshot now, snapshot());
  CDC_TRY(const Lsn position, current_lsn(parts_.general, parts_.facts));
  window_.mark_high(now, position);
  return {};
}

bool PgChunkReader::window_open() { return window_.open(parts_.stream().xid); }

bool PgChunkReader::window_over(WindowMoment moment) {
  const StreamPoint at = parts_.stream();
  return window_.over(moment, at.xid, at.reached);
}

}  // namespace cdc::pg
