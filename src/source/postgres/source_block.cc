// Rendering of the source block. No allocation per message once the strings have grown.
#include "source/postgres/source_block.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <iterator>

#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc::pg {
namespace {

constexpr std::string_view marker_json(SnapshotMarker marker) {
  switch (marker) {
    case SnapshotMarker::streaming:
      return "\"false\"";
    case SnapshotMarker::first:
      return "\"first\"";
    case SnapshotMarker::first_in_data_collection:
      return "\"first_in_data_collection\"";
    case SnapshotMarker::middle:
      return "\"true\"";
    case SnapshotMarker::last_in_data_collection:
      return "\"last_in_data_collection\"";
    case SnapshotMarker::last:
      return "\"last\"";
    case SnapshotMarker::incremental:
      return "\"incremental\"";
  }
  return "\"false\"";
}

constexpr Lsn kTenThousand = 10'000;

// Rounds down, so that a time before 1970 keeps its millisecond.
std::int64_t milliseconds_of(std::int64_t us) { return us / 1000 - (us % 1000 < 0 ? 1 : 0); }

template <class... Args>
void render(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  out.clear();
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

}  // namespace

PgSourceBlock::PgSourceBlock(SourceNames names)
    : names_(std::move(names)),
      head_(fmt::format(R"({{"version":{},"connector":"postgresql","name":{},"ts_ms":)",
                        json::quote(names_.version), json::quote(names_.server))),
      database_(fmt::format(R"(,"db":{},"sequence":)", json::quote(names_.database))) {
  set_time(0);
  set_transaction({});
  set_commit({});
  set_lsn(0);
  render_tail();
}

void PgSourceBlock::set_time(std::int64_t us) {
  time_us_ = us;
  joined_ = false;
  render(begin_, R"({}{},"snapshot":)", head_, milliseconds_of(us));
  // As Java multiplies: wraps around for times that no clock shows.
  const auto ns = static_cast<std::int64_t>(static_cast<std::uint64_t>(us) * 1000);
  render(times_, R"(\"]","ts_us":{},"ts_ns":{},"schema":)", us, ns);
}

void PgSourceBlock::set_transaction(std::optional<std::uint64_t> id) {
  transaction_ = id;
  joined_ = false;
  if (id) {
    render(id_, R"(,"txId":{},"lsn":)", static_cast<std::int64_t>(*id));
    render(group_, "{}", *id);
  } else {
    id_ = R"(,"txId":null,"lsn":)";
    group_.clear();
  }
}

void PgSourceBlock::set_stand_in_commit(Lsn lsn) {
  set_commit(lsn);
  stand_in_ = lsn;
}

void PgSourceBlock::set_commit(std::optional<Lsn> lsn) {
  stand_in_.reset();
  joined_ = false;
  if (lsn)
    render(commit_, R"("[\"{}\",\")", static_cast<std::int64_t>(*lsn));
  else
    commit_ = R"("[null,\")";
}

void PgSourceBlock::set_lsn(Lsn lsn) {
  if (stand_in_ && *stand_in_ == lsn) set_commit({});
  const Lsn front = lsn / kTenThousand;
  if (front != 0 && front == lsn_front_) {  // rows that follow each other differ in the last digits
    auto back = static_cast<unsigned>(lsn % kTenThousand);
    for (char* digit = lsn_ + lsn_size_ - 1; digit > lsn_ + lsn_size_ - 5; --digit, back /= 10)
      *digit = static_cast<char>('0' + back % 10);
    return;
  }
  const auto [end, error] = std::to_chars(lsn_, lsn_ + sizeof lsn_, static_cast<std::int64_t>(lsn));
  lsn_size_ = error == std::errc() ? static_cast<std::size_t>(end - lsn_) : 0;
  lsn_front_ = static_cast<std::int64_t>(lsn) < 0 ? 0 : front;  // with a sign it is another number
}

std::string PgSourceBlock::place() const {
  std::int64_t lsn = 0;
  std::from_chars(lsn_, lsn_ + lsn_size_, lsn);
  const std::string at = format_lsn(static_cast<Lsn>(lsn));
  return transaction_ ? fmt::format("{}, transaction {}", at, *transaction_) : at;
}

void PgSourceBlock::set_xmin(std::optional<std::uint64_t> xmin) {
  if (xmin == xmin_) return;
  xmin_ = xmin;
  render_tail();
}

void PgSourceBlock::set_origin(std::string_view name, Lsn lsn) {
  origin_json_ = json::quote(name);
  render(origin_lsn_, "{}", static_cast<std::int64_t>(lsn));
  render_tail();
}

void PgSourceBlock::clear_origin() {
  if (origin_json_ == "null") return;
  origin_json_ = origin_lsn_ = "null";
  render_tail();
}

void PgSourceBlock::render_tail() {
  const std::string xmin = xmin_ ? std::to_string(*xmin_) : "null";
  render(tail_, R"(,"xmin":{},"origin":{},"origin_lsn":{}}})", xmin, origin_json_, origin_lsn_);
}

void PgSourceBlock::append(Buffer& out, const TableId& table, SnapshotMarker marker) const {
  if (marker == SnapshotMarker::incremental) return append_incremental(out, table);
  const std::string_view lsn(lsn_, lsn_size_);
  if (!joined_ || marker != joined_marker_ || table.table != joined_table_ || table.schema != joined_schema_)
    join(table, marker);
  out.append(front_.view());
  out.append(lsn);
  out.append(middle_.view());
  out.append(lsn);
  out.append(tail_);
}

// What is the same for all rows of a transaction in one table.
void PgSourceBlock::join(const TableId& table, SnapshotMarker marker) const {
  front_.clear();
  front_.append(begin_);
  front_.append(marker == SnapshotMarker::streaming && names_.null_for_streaming ? std::string_view("null")
                                                                                 : marker_json(marker));
  front_.append(database_);
  front_.append(commit_);
  middle_.clear();
  middle_.append(times_);
  json::append_string(middle_, table.schema);
  middle_.append(R"(,"table":)");
  json::append_string(middle_, table.table);
  middle_.append(id_);
  joined_schema_ = table.schema;
  joined_table_ = table.table;
  joined_marker_ = marker;
  joined_ = true;
}

// PG-INC-03: the time is that of writing, the position that of the stream.
void PgSourceBlock::append_incremental(Buffer& out, const TableId& table) const {
  using namespace std::chrono;
  const std::int64_t ns = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
  out.append(head_);
  json::append_int(out, ns / 1'000'000);
  out.append(R"(,"snapshot":"incremental")");
  out.append(database_);
  out.append(commit_);
  out.append({lsn_, lsn_size_});
  out.append(R"(\"]","ts_us":)");
  json::append_int(out, ns / 1'000);
  out.append(R"(,"ts_ns":)");
  json::append_int(out, ns);
  out.append(R"(,"schema":)");
  json::append_string(out, table.schema);
  out.append(R"(,"table":)");
  json::append_string(out, table.table);
  out.append(R"(,"txId":null,"lsn":null,"xmin":null,"origin":null,"origin_lsn":null})");
}

void PgSourceBlock::append_transaction_id(Buffer& out) const {
  if (!transaction_) return;
  out.append(group_);
  out.push(':');
  out.append({lsn_, lsn_size_});
}

SchemaPtr source_block_schema() {
  const auto text = [](bool optional) { return make(Type::string, optional); };
  const auto number = [](bool optional) { return make(Type::int64, optional); };
  auto snapshot = std::make_shared<Schema>();
  snapshot->type = Type::string;
  snapshot->optional = true;
  snapshot->name = "io.debezium.data.Enum";
  snapshot->version = 1;
  snapshot->parameters = {
      {"allowed", "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"}};
  snapshot->default_json = "\"false\"";
  return struct_of("io.debezium.connector.postgresql.Source", 1, false,
                   {{"version", text(false)},
                    {"connector", text(false)},
                    {"name", text(false)},
                    {"ts_ms", number(false)},
                    {"snapshot", snapshot},
                    {"db", text(false)},
                    {"sequence", text(true)},
                    {"ts_us", number(true)},
                    {"ts_ns", number(true)},
                    {"schema", text(false)},
                    {"table", text(false)},
                    {"txId", number(true)},
                    {"lsn", number(true)},
                    {"xmin", number(true)},
                    {"origin", text(true)},
                    {"origin_lsn", number(true)}});
}

}  // namespace cdc::pg
