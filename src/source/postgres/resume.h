// ResumeFilter: after a restart, which messages of the first transaction were delivered already
// (PG-OFF-04). Counts and compares; no search pass, no second connection.
#pragma once

#include <cstdint>
#include <optional>

#include "source/postgres/offset.h"

namespace cdc::pg {

class ResumeFilter {
 public:
  ResumeFilter() = default;  // nothing to skip
  explicit ResumeFilter(const Offset& offset);

  bool counts() const { return rule_ == Rule::count; }  // an offset of our own, not used up yet
  void begin(Lsn final_lsn, std::uint32_t xid);
  void commit();
  // For each I, U, D, T, and transactional M, in order; true: it was delivered before.
  bool skip_row(Lsn lsn);
  // The row at which Debezium stopped. It was delivered, unless others have its LSN too: an offset of
  // Debezium's does not tell them apart.
  bool last_delivered(Lsn lsn) const { return inside_ && of_row_ && rule_ == Rule::below_lsn && lsn == lsn_; }
  // From here on everything is delivered.
  void end() { rule_ = Rule::none; }
  // Tables of the TRUNCATE that skip_row just let through which were delivered before.
  std::uint64_t truncate_parts_done();
  // A logical message outside a transaction.
  bool skip_message(Lsn lsn) const { return message_lsn_ && lsn <= *message_lsn_; }

 private:
  enum class Rule : std::uint8_t { none, count, below_lsn };
  Rule rule_ = Rule::none;
  Lsn final_lsn_ = 0;      // count: the transaction, by its commit record
  std::uint32_t xid_ = 0;  // below_lsn: the transaction, by its id
  std::uint64_t count_ = 0;
  std::uint64_t parts_ = 0;
  Lsn lsn_ = 0;
  bool of_row_ = false;  // below_lsn: the offset is that of a row
  bool inside_ = false;
  std::uint64_t seen_ = 0;
  std::optional<Lsn> message_lsn_;
};

}  // namespace cdc::pg
