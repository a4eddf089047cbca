// Counting events of transactions.
#include "event/transactions.h"

#include <charconv>

#include "json/json_read.h"
#include "json/json_text.h"
#include "text/java_hash.h"

namespace cdc {
namespace {

constexpr std::string_view kOrderPrefix = "transaction_data_collection_order_";

SchemaPtr collection_count_type() {
  return struct_of(
      "event.collection", 1, true,
      {{"data_collection", make(Type::string, false)}, {"event_count", make(Type::int64, false)}});
}

}  // namespace

void TransactionTracker::restore(std::string_view offset_json) {
  const auto members = json::members(offset_json);
  if (!members) return;
  for (const auto& [name, value] : *members) {
    if (name == "transaction_id") {
      if (const auto id = json::unquote(value)) {
        open_ = true;
        group_ = *id;
      }
    } else if (name.rfind(kOrderPrefix, 0) == 0) {
      Count count{name.substr(kOrderPrefix.size()), 0};
      std::from_chars(value.data(), value.data() + value.size(), count.events);
      // The monitor of logical messages writes a Java object's hash as its name: dropped (CORE-OFF-06).
      if (count.collection.find("LogicalDecodingMessageId@") != std::string::npos) continue;
      total_ += count.events;
      counts_.push_back(std::move(count));
    }
  }
  if (!open_) end();
}

void TransactionTracker::begin(std::string_view group) {
  open_ = true;
  group_ = group;
  total_ = 0;
  counts_.clear();
}

void TransactionTracker::count(std::string_view collection, std::string_view id, Buffer& block) {
  Count* found = nullptr;
  for (Count& c : counts_)
    if (c.collection == collection) found = &c;
  if (found == nullptr) found = &counts_.emplace_back(Count{std::string(collection), 0});
  ++found->events;
  ++total_;
  block.append("{\"id\":");
  json::append_string(block, id);
  block.append(",\"total_order\":");
  json::append_uint(block, total_);
  block.append(",\"data_collection_order\":");
  json::append_uint(block, found->events);
  block.push('}');
}

void TransactionTracker::append_begin(std::string_view id, std::int64_t ts_ms, Buffer& out) const {
  out.append("{\"status\":\"BEGIN\",\"id\":");
  json::append_string(out, id);
  out.append(",\"event_count\":null,\"data_collections\":null,\"ts_ms\":");
  json::append_int(out, ts_ms);
  out.push('}');
}

void TransactionTracker::append_end(std::string_view id, std::int64_t ts_ms, Buffer& out) const {
  out.append("{\"status\":\"END\",\"id\":");
  json::append_string(out, id);
  out.append(",\"event_count\":");
  json::append_uint(out, total_);
  out.append(",\"data_collections\":[");
  std::vector<std::uint32_t> hashes;
  for (const Count& c : counts_) hashes.push_back(text::java_string_hash(c.collection));
  bool first = true;
  for (const std::size_t i : text::java_map_order(hashes)) {
    if (!first) out.push(',');
    first = false;
    out.append("{\"data_collection\":");
    json::append_string(out, counts_[i].collection);
    out.append(",\"event_count\":");
    json::append_uint(out, counts_[i].events);
    out.push('}');
  }
  out.append("],\"ts_ms\":");
  json::append_int(out, ts_ms);
  out.push('}');
}

void TransactionTracker::end() {
  open_ = false;
  group_.clear();
  total_ = 0;
  counts_.clear();
}

void TransactionTracker::append_offset(std::string& offset) const {
  if (!open_) return;
  offset += ",\"transaction_id\":" + json::quote(group_);
  for (const Count& c : counts_)
    offset += ',' + json::quote(std::string(kOrderPrefix) + c.collection) + ':' + std::to_string(c.events);
}

SchemaPtr transaction_key_type() {
  return struct_of("io.debezium.connector.common.TransactionMetadataKey", 1, false,
                   {{"id", make(Type::string, false)}});
}

SchemaPtr transaction_value_type() {
  return struct_of("io.debezium.connector.common.TransactionMetadataValue", 1, false,
                   {{"status", make(Type::string, false)},
                    {"id", make(Type::string, false)},
                    {"event_count", make(Type::int64, true)},
                    {"data_collections", array_of(collection_count_type(), true)},
                    {"ts_ms", make(Type::int64, false)}});
}

}  // namespace cdc
