// Stream: reads the replication stream message by message and pushes what it means into the sink. Keeps
// the source block and the position in step; restarts without loss or repetition (PG-OFF-04).
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "cdc/change_sink.h"
#include "cdc/runtime.h"
#include "source/postgres/bounds.h"
#include "source/postgres/control/server.h"
#include "source/postgres/history_check.h"
#include "source/postgres/incremental/stream_point.h"
#include "source/postgres/message_tables.h"
#include "source/postgres/pgoutput/decoder.h"
#include "source/postgres/position.h"
#include "source/postgres/relations.h"
#include "source/postgres/replication_link.h"
#include "source/postgres/resume.h"
#include "source/postgres/settings.h"
#include "source/postgres/source_block.h"

namespace cdc::pg {

// The start of the stream, decided by the source.
struct StreamStart {
  Offset offset;  // what the position goes on from
  Lsn lsn = 0;    // for START_REPLICATION
  Lsn now = 0;    // where the server's log was then
  std::string publication;
  UntilBound until;
  HistoryCheck history;  // active where `lsn` lies before the offset's position
};

class Stream {
 public:
  // `general` is used for catalog queries while the stream runs; everything outlives the stream.
  Stream(const SourceSettings& settings, const ServerFacts& facts, const KeyColumns& keys,
         Connection& general, TypeCatalog& types, Confirmations& confirmations, ChangeSink& sink,
         Runtime& runtime);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Until stopped, bounded or failed. `replication` is not in a COPY yet.
  Result<void> run(Connection replication, StreamStart start);
  // Orderly end of the replication connection: what is durable by now is confirmed (PG-FAIL-10).
  void end();
  // Where it is; for those called from within a push.
  StreamPoint point() const;
  const Offset& offset() const { return position_.offset(); }

 private:
  using Clock = std::chrono::steady_clock;

  Result<void> begin(std::string_view command, const std::string& attempted);
  Result<void> loop();
  Result<void> idle();
  Result<void> tick();
  bool at_rest() const;
  bool finished() const;

  Result<void> on_message(const WalMessage& message);
  Result<void> on_keepalive(const WalMessage& message);
  Result<void> on_data(Lsn lsn, std::string_view bytes);
  Result<void> on_begin(Lsn lsn, std::string_view bytes);
  Result<void> on_commit(Lsn lsn, std::string_view bytes);
  Result<void> on_origin(std::string_view bytes);
  Result<void> on_relation(std::string_view bytes);
  Result<void> on_row(Lsn lsn, pgoutput::Kind kind, std::string_view bytes);
  Result<void> on_truncate(Lsn lsn, std::string_view bytes);
  Result<void> on_logical_message(Lsn lsn, std::string_view bytes);
  // decoderbufs: one kind of message for begin, rows and commit.
  Result<void> on_row_message(Lsn lsn, std::string_view bytes);
  Result<void> on_row_of(MessageTable& table, pgoutput::Kind kind, Lsn lsn, std::string_view bytes);

  // What both plugins mean. `name`: the LSN that tells the transaction from all others.
  Result<void> enter(Lsn lsn, Lsn name, std::int64_t commit_time_us, std::uint32_t xid);
  Result<void> leave(Lsn lsn, Lsn end_lsn, std::int64_t commit_time_us);
  // A row that was probably delivered already: only the message after it tells.
  bool withhold(const StreamedTable& table, pgoutput::Kind kind, Lsn lsn, const pgoutput::Row& row);
  Result<void> settle_withheld(Lsn lsn, bool row_follows);
  Result<void> deliver(StreamedTable& table, pgoutput::Kind kind, Lsn lsn, pgoutput::Row& row);
  bool skip(pgoutput::Kind kind, Lsn lsn);
  bool before_snapshot(Lsn lsn) const;  // of the snapshot that this stream goes on from
  Result<void> pass_over(pgoutput::Kind kind, Lsn lsn);
  Result<void> push_row(StreamedTable& table, pgoutput::Kind kind, pgoutput::Row& row);
  Result<void> push_truncate(const std::vector<Oid>& tables, Lsn lsn);
  // A message that cannot be understood: an error, or passed over (PG-FAIL-12).
  Result<void> fault(Lsn lsn, std::string what, bool counts);

  // The log is not the one that the position comes from.
  Error other_history() const;
  Result<bool> delivered_before(HistoryCheck::Step step);

  Result<void> store_position();
  Result<void> fetch_xmin();
  Result<void> check_general();

  const SourceSettings& settings_;
  const ServerFacts& facts_;
  Connection& general_;
  ChangeSink& sink_;
  Runtime& runtime_;
  Confirmations& confirmations_;
  RelationCache relations_;
  PgSourceBlock source_;
  StreamPosition position_;
  ResumeFilter resume_;
  HistoryCheck history_;
  std::array<std::uint32_t, 1024> recent_{};  // a ring of transactions that were streamed to their end
  std::size_t recent_at_ = 0;
  bool passing_ = false;  // in a transaction of which history_ says that it was delivered
  UntilBound until_;
  std::unique_ptr<ReplicationLink> link_;

  std::unique_ptr<MessageTables> message_tables_;  // decoderbufs only
  decoderbufs::RowMessage message_;
  pgoutput::RowBuffers buffers_;
  pgoutput::Relation relation_;
  pgoutput::Truncate truncate_;
  std::string_view message_bytes_;  // of the message at hand
  struct Withheld {
    pgoutput::Kind kind{};
    Lsn lsn = 0;
    std::string bytes;
  };
  std::optional<Withheld> withheld_;
  bool pushed_ = false;          // something was pushed since the last flush
  bool at_end_ = false;          // the bound is reached
  bool in_transaction_ = false;  // between B and C on the wire
  bool held_ = false;            // the snapshot before this stream holds the transaction: it is passed over
  Lsn server_end_ = 0;           // of the last keepalive outside a transaction: all before it was received
  Lsn begun_at_ = 0, backlog_end_ = 0;  // what lies between them was there before the stream began
  milliseconds turn_{1000};             // how soon the sink wants another idle turn
  Lsn stored_ = 0;                      // what the last forced store was for
  Clock::time_point last_store_{}, last_flush_{}, last_xmin_{}, last_check_{}, last_ping_{}, storm_since_{},
      started_{};
};

}  // namespace cdc::pg
