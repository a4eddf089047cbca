// Transaction metadata (CORE-TX): counters over the open transaction, the `transaction` block of data
// events, the texts of BEGIN and END records, and what of it is kept in the offset.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cdc/buffer.h"
#include "cdc/schema.h"

namespace cdc {

class TransactionTracker {
 public:
  // From a stored offset: continues the counters of a transaction that a stop interrupted.
  void restore(std::string_view offset_json);

  bool is_open(std::string_view group) const { return open_ && group_ == group; }
  bool open() const { return open_; }
  void begin(std::string_view group);
  // Counts an event of a collection and appends the block
  // {"id":..,"total_order":..,"data_collection_order":..}.
  void count(std::string_view collection, std::string_view id, Buffer& block);
  // Appends the value of a BEGIN / END record.
  void append_begin(std::string_view id, std::int64_t ts_ms, Buffer& out) const;
  void append_end(std::string_view id, std::int64_t ts_ms, Buffer& out) const;
  void end();
  // Members of the offset, each with a comma in front; nothing when no transaction was seen.
  void append_offset(std::string& offset) const;

 private:
  struct Count {
    std::string collection;
    std::uint64_t events = 0;
  };
  bool open_ = false;
  std::string group_;
  std::uint64_t total_ = 0;
  std::vector<Count> counts_;  // in order of first appearance
};

SchemaPtr transaction_key_type();
SchemaPtr transaction_value_type();

}  // namespace cdc
