// PgSourceBlock: the `source` member of an event (spec 3.2) and the transaction id. Rendered in pieces:
// what stays for a transaction is written once and copied, per message only the LSN's digits are new.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/buffer.h"
#include "cdc/change_sink.h"
#include "cdc/schema.h"
#include "source/postgres/control/lsn.h"

namespace cdc::pg {

struct SourceNames {
  std::string version = "3.6.1.Final";
  std::string server;  // topic.prefix
  std::string database;
  bool null_for_streaming = false;  // `snapshot` prints null on streamed events (CORE-JSON-09)
};

class PgSourceBlock final : public SourceBlock {
 public:
  explicit PgSourceBlock(SourceNames names);

  // What holds for the messages to come. Each setter costs only what depends on it.
  void set_time(std::int64_t us);
  void set_transaction(std::optional<std::uint64_t> id);  // xid; unset: outside a transaction
  void set_commit(std::optional<Lsn> lsn);                // of the transaction before (sequence)
  // After a restart inside a transaction whose predecessor is not known the position reached stands in,
  // as in Debezium; not for rows that lie at that very position (the rest of a COPY).
  void set_stand_in_commit(Lsn lsn);
  void set_lsn(Lsn lsn);  // of the message
  void set_xmin(std::optional<std::uint64_t> xmin);
  void set_origin(std::string_view name, Lsn lsn);
  void clear_origin();

  void append(Buffer& out, const TableId& table, SnapshotMarker marker) const override;
  std::int64_t timestamp_us() const override { return time_us_; }
  void append_transaction_id(Buffer& out) const override;  // 771:26722000, without quotes (PG-TX-01)
  std::string_view transaction_group() const override { return group_; }
  std::string place() const override;

 private:
  void render_tail();
  void append_incremental(Buffer& out, const TableId& table) const;
  void join(const TableId& table, SnapshotMarker marker) const;

  SourceNames names_;
  std::string head_;      // {"version":...,"name":"acme","ts_ms":
  std::string database_;  // ,"db":"store","sequence":
  std::int64_t time_us_ = 0;
  std::optional<std::uint64_t> transaction_;
  std::optional<std::uint64_t> xmin_;
  std::optional<Lsn> stand_in_;
  std::string origin_json_ = "null", origin_lsn_ = "null";
  std::string begin_;   // head_ + milliseconds + ,"snapshot":
  std::string commit_;  // "[\"123\",\" or "[null,\"
  std::string times_;   // \"]","ts_us":...,"ts_ns":...,"schema":
  std::string id_;      // ,"txId":771,"lsn":
  std::string tail_;    // ,"xmin":null,"origin":null,"origin_lsn":null}
  std::string group_;   // 771
  // The pieces around the two positions, put together once for the rows of a transaction in one table.
  mutable Buffer front_, middle_;
  mutable std::string joined_schema_, joined_table_;
  mutable SnapshotMarker joined_marker_ = SnapshotMarker::streaming;
  mutable bool joined_ = false;
  char lsn_[24] = {};
  std::size_t lsn_size_ = 0;
  Lsn lsn_front_ = 0;  // its digits but the last four
};

// The schema of the block: io.debezium.connector.postgresql.Source.
SchemaPtr source_block_schema();

}  // namespace cdc::pg
