// What a message of decoderbufs means for the stream (PG-DBUF-04). It has one kind of message only, which
// names its table and describes its columns itself.
#include <fmt/format.h>

#include <optional>

#include "source/postgres/stream.h"

namespace cdc::pg {
namespace {

using decoderbufs::Fault;
using pgoutput::Kind;

std::optional<Kind> kind_of(std::int32_t op) {
  switch (op) {
    case decoderbufs::op::insert:
      return Kind::insert;
    case decoderbufs::op::update:
      return Kind::update;
    case decoderbufs::op::remove:
      return Kind::remove;
    default:
      return std::nullopt;
  }
}

}  // namespace

Result<void> Stream::on_row_message(Lsn lsn, std::string_view bytes) {
  Fault problem;
  if (!decode(bytes, message_, problem)) {
    std::string what = describe(problem, bytes);
    if (passing_) return {};
    if (in_transaction_) return fault(lsn, std::move(what), true);
    // It could be a BEGIN, without which nothing that follows can be placed: never passed over.
    return fail(ErrorKind::corrupt, fmt::format("reading the change at {}: {}", format_lsn(lsn), what));
  }
  if (withheld_) {
    const decoderbufs::RowMessage message = message_;
    CDC_CHECK(settle_withheld(lsn, kind_of(message.op).has_value()));
    message_ = message;
  }
  // The LSN of a BEGIN is that of the transaction's first record: it names the transaction as well as the
  // commit's would, which does not come before the end.
  if (message_.op == decoderbufs::op::begin) return enter(lsn, lsn, message_.commit_time_us, message_.xid);
  if (message_.op == decoderbufs::op::commit) return leave(lsn, lsn, message_.commit_time_us);
  if (held_ || passing_) return {};
  const auto kind = kind_of(message_.op);
  if (skip(kind.value_or(Kind::message), lsn)) return {};
  if (!kind) {
    runtime_.log.warn_once(fmt::format("decoderbufs operation {}", message_.op),
                           fmt::format("reading the change at {}: operation {} of the plugin decoderbufs is "
                                       "not known; such changes are passed over",
                                       format_lsn(lsn), message_.op));
    return pass_over(Kind::message, lsn);
  }
  MessageTable* table = message_tables_->find(message_.table);
  if (table == nullptr)
    return fault(lsn, fmt::format("'{}' is not the name of a table", message_.table), true);
  if (!table->captured) return pass_over(*kind, lsn);
  return on_row_of(*table, *kind, lsn, bytes);
}

Result<void> Stream::on_row_of(MessageTable& table, Kind kind, Lsn lsn, std::string_view bytes) {
  // The table has no usable replica identity: the plugin says that something changed, but not what.
  const bool empty = kind == Kind::remove ? message_.old_tuple.empty() : message_.new_tuple.empty();
  if (kind != Kind::insert && empty) return pass_over(kind, lsn);
  pgoutput::Row row;
  Fault problem;
  CDC_TRY(const bool understood, message_tables_->read(table, message_, buffers_, row, problem));
  if (!understood) return fault(lsn, describe(problem, bytes), true);
  return deliver(*table.streamed, kind, lsn, row);
}

}  // namespace cdc::pg
