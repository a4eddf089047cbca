// Joining what messages say about a table with the catalog: the message wins for names, types, typmods and
// optionality, the catalog tells keys, defaults and the replica identity.
#include "source/postgres/message_tables.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "source/postgres/decoderbufs/modifier.h"
#include "source/postgres/decoderbufs/names.h"

namespace cdc::pg {
namespace {

using decoderbufs::Datum;
using decoderbufs::Fault;
using decoderbufs::RowMessage;
using MessageTypeInfo = decoderbufs::TypeInfo;

constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();

bool decode_all(const std::vector<std::string_view>& tuple, std::vector<Datum>& datums, Fault& fault) {
  datums.resize(tuple.size());
  for (std::size_t i = 0; i < tuple.size(); ++i)
    if (!decode(tuple[i], datums[i], fault)) return false;
  return true;
}

// Does the message hold together? An insert or update must say of which types its columns are.
bool sound(const RowMessage& message, Fault& fault) {
  if (message.type_infos.size() == message.new_tuple.size()) return true;
  fault.what = message.type_infos.empty()
                   ? "it does not say of which types its columns are: the plugin on the server is too old"
                   : "it does not say of which type every column is";
  return false;
}

// What only the catalog knows. `row`: null where the column is gone from it.
void join(MessageColumn& column, const ColumnRow* row, const TableDetail* detail) {
  if (row == nullptr) {
    column.null_is_news = column.not_null;
    return;
  }
  column.left_out = row->generated == 'v';
  column.may_lack = row->storage != 'p';
  column.null_is_news = column.not_null && row->not_null_valid;
  const auto& identity = detail->identity.columns;
  column.identity = std::find(identity.begin(), identity.end(), row->attnum) != identity.end();
}

}  // namespace

MessageTable* MessageTables::find(std::string_view spelled) {
  if (last_ != nullptr && spelled == last_name_) return last_;
  auto found = tables_.find(spelled);
  if (found == tables_.end()) {
    auto id = decoderbufs::table_id(spelled);
    if (!id) return nullptr;
    auto table = std::make_unique<MessageTable>();
    table->captured = relations_.captured(*id);
    table->id = std::move(*id);
    table->number = static_cast<Oid>(tables_.size() + 1);
    found = tables_.emplace(std::string(spelled), std::move(table)).first;
  }
  last_name_ = found->first;
  return last_ = found->second.get();
}

// Finds each known column in the message; false: it has others. Where messages may lack columns, only such
// as can be stored out of line are missing.
bool MessageTables::place(const MessageTable& table, const Datums& datums) {
  if (table.streamed == nullptr) return false;
  if (datums.size() > table.columns.size() || (datums.size() < table.columns.size() && !tolerant_))
    return false;
  places_.clear();
  std::size_t next = 0;
  for (const MessageColumn& column : table.columns) {
    const bool here =
        next < datums.size() && datums[next].type == column.type && datums[next].name == column.spelled;
    if (!here && (!column.may_lack || datums.size() == table.columns.size())) return false;
    places_.push_back(here ? next++ : kNowhere);
  }
  return next == datums.size();
}

// After place(). The same bytes mean the same; others may, and are remembered then.
bool MessageTables::same_types(MessageTable& table, const TypeInfos& infos) const {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (places_[i] == kNowhere) continue;
    MessageColumn& column = table.columns[i];
    const std::string_view bytes = infos[places_[i]];
    if (!bytes.empty() && bytes == column.type_info) continue;
    MessageTypeInfo info;
    Fault fault;
    if (!decode(bytes, info, fault) || decoderbufs::typmod_of(info.modifier) != column.typmod ||
        info.optional == column.not_null)
      return false;
    column.type_info = bytes;
  }
  return true;
}

// `infos` is empty for a delete, which brings no modifiers: then the catalog's count.
Result<bool> MessageTables::describe(MessageTable& table, const Datums& datums, const TypeInfos& infos,
                                     Fault& fault) {
  CDC_TRY(const auto oid, find_table(general_, table.id));
  std::optional<TableDetail> detail;
  if (oid) {
    CDC_TRY(detail, read_detail(general_, *oid));
  }
  TableDescription description;
  description.id = table.id;
  description.phase = Phase::stream;
  std::vector<MessageColumn> columns;
  places_.clear();
  for (std::size_t i = 0; i < datums.size(); ++i) {
    const auto name = decoderbufs::unquote_name(datums[i].name);
    MessageTypeInfo info;
    if (!name) fault.what = "a column's name is not well-formed";
    if (!name || (!infos.empty() && !decode(infos[i], info, fault))) return false;
    const ColumnRow* row = detail ? detail->column(*name) : nullptr;
    MessageColumn column;
    column.spelled = datums[i].name;
    column.type = datums[i].type;
    if (!infos.empty()) {
      column.typmod = decoderbufs::typmod_of(info.modifier);
      column.not_null = !info.optional;
      column.type_info = infos[i];
    } else if (row != nullptr) {
      column.typmod = row->type == column.type ? row->typmod : -1;
      column.not_null = row->not_null;
    }
    join(column, row, detail ? &*detail : nullptr);
    if (!column.left_out) {
      ColumnDescription described{*name, column.type, column.typmod, column.not_null, false, {}, true};
      if (row != nullptr) {
        described.generated = row->generated != '\0';
        described.default_expression = row->default_expression;
      }
      description.columns.push_back(std::move(described));
    }
    columns.push_back(std::move(column));
    places_.push_back(i);
  }
  if (detail)
    for (const std::int16_t attnum : detail->key.columns)
      if (const ColumnRow* row = detail->column(attnum)) description.key.push_back(row->name);
  table.columns = std::move(columns);
  table.full = detail && detail->identity.kind == 'f';
  table.settled = !detail;
  CDC_TRY(table.streamed,
          relations_.learn(table.number, std::move(description), detail ? &*detail : nullptr));
  return true;
}

// Whether an old row is all of the row, or what the replica identity has of it. No message says so: the
// catalog does, unless the identity was changed between the row and now. Then the row tells: a part of a
// row has NULL outside the identity, a whole one has none where NULL cannot be stored.
Result<bool> MessageTables::check_identity(MessageTable& table, const TypeInfos& infos, Fault& fault,
                                           bool& whole) {
  bool outside = false, lacks = false;
  const auto look = [&] {
    outside = lacks = false;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const MessageColumn& column = table.columns[i];
      if (places_[i] == kNowhere || column.left_out) continue;
      const bool null = old_[places_[i]].form == Datum::Form::null;
      outside = outside || (!null && !column.identity);
      lacks = lacks || (null && column.null_is_news);
    }
  };
  look();
  const bool contradicts = table.full ? lacks : outside;
  if (contradicts && !table.settled && old_.size() == table.columns.size()) {
    CDC_TRY(const bool described, describe(table, old_, infos, fault));
    if (!described) return false;
    table.settled = true;
    look();
  }
  whole = !lacks && (table.full || outside);
  return true;
}

void MessageTables::fill(const MessageTable& table, const Datums& datums, std::vector<Cell>& cells) {
  cells.clear();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].left_out) continue;
    cells.push_back(places_[i] == kNowhere ? Cell{Cell::Kind::unavailable, {}}
                                           : text_.cell(datums[places_[i]]));
  }
}

Result<bool> MessageTables::read(MessageTable& table, const RowMessage& message,
                                 pgoutput::RowBuffers& buffers, pgoutput::Row& row, Fault& fault) {
  row = {};
  if (!sound(message, fault) || !decode_all(message.new_tuple, new_, fault) ||
      !decode_all(message.old_tuple, old_, fault))
    return false;
  const bool has_old = !message.old_tuple.empty();
  const bool removal = message.op == decoderbufs::op::remove;
  if (!removal && has_old && old_.size() != new_.size()) {
    fault.what = "the old row has not as many columns as the new one";
    return false;
  }
  const Datums& describing = removal ? old_ : new_;
  const bool known = place(table, describing) && (removal || same_types(table, message.type_infos));
  if (!known) {
    CDC_TRY(const bool described, describe(table, describing, message.type_infos, fault));
    if (!described) return false;
  }
  std::size_t bytes = 0;
  for (const auto& datum : message.new_tuple) bytes += datum.size();
  for (const auto& datum : message.old_tuple) bytes += datum.size();
  text_.start(bytes, new_.size() + old_.size());
  if (has_old) {
    bool whole = false;
    CDC_TRY(const bool checked, check_identity(table, message.type_infos, fault, whole));
    if (!checked) return false;
    row.old_form = whole ? 'O' : 'K';
    fill(table, old_, buffers.old_cells);
    if (!whole)
      for (Cell& cell : buffers.old_cells)
        if (cell.kind == Cell::Kind::null) cell.kind = Cell::Kind::absent;
    row.old_cells = buffers.old_cells;
  }
  if (!removal) {
    fill(table, new_, buffers.new_cells);
    row.new_cells = buffers.new_cells;
  }
  row.relation = table.number;
  return true;
}

}  // namespace cdc::pg
