// Members of the offset. `incremental_snapshot_collections` is a text that holds JSON, as Debezium writes it;
// keys are JSON of our own (offsets import and export translate them).
#include "signals/incremental_state.h"

#include <fmt/format.h>

#include "json/json_read.h"
#include "signals/key_text.h"

namespace cdc {
namespace {

constexpr std::string_view kSent = "incremental_snapshot_primary_key",
                           kMaximum = "incremental_snapshot_maximum_key",
                           kCollections = "incremental_snapshot_collections",
                           kCorrelation = "incremental_snapshot_correlation_id";

std::string text_or_null(const std::string& text) { return text.empty() ? "null" : json::quote(text); }

std::deque<QueuedCollection> parse_queue(std::string_view value, bool& complete) {
  std::deque<QueuedCollection> queue;
  if (json::is_null(value)) return queue;
  const auto text = json::unquote(value);
  const auto elements = text ? json::elements(*text) : std::nullopt;
  if (!elements) {
    complete = false;
    return queue;
  }
  for (const std::string_view element : *elements) {
    QueuedCollection collection;
    const auto members = json::members(element);
    if (!members) {
      complete = false;
      continue;
    }
    for (const auto& [name, member] : *members) {
      const std::string read = json::unquote(member).value_or("");
      if (name == "incremental_snapshot_collections_id") collection.id = read;
      if (name == "incremental_snapshot_collections_additional_condition") collection.condition = read;
      if (name == "incremental_snapshot_collections_surrogate_key") collection.surrogate_key = read;
    }
    if (collection.id.empty())
      complete = false;
    else
      queue.push_back(std::move(collection));
  }
  return queue;
}

}  // namespace

void IncrementalState::append_offset(std::string& offset) const {
  if (!running()) return;
  std::string list = "[";
  for (const QueuedCollection& collection : queue)
    list += fmt::format(
        "{}{{\"incremental_snapshot_collections_id\":{},\"incremental_snapshot_collections_additional_"
        "condition\":{},"
        "\"incremental_snapshot_collections_surrogate_key\":{}}}",
        list.size() == 1 ? "" : ",", json::quote(collection.id), text_or_null(collection.condition),
        text_or_null(collection.surrogate_key));
  list += "]";
  offset += fmt::format(",\"{}\":{},\"{}\":{},\"{}\":{},\"{}\":{}", kSent, sent ? key_json(*sent) : "null",
                        kMaximum, maximum ? key_json(*maximum) : "null", kCollections, json::quote(list),
                        kCorrelation, correlation_id ? json::quote(*correlation_id) : "null");
}

IncrementalState IncrementalState::restore(std::string_view offset, bool* complete) {
  IncrementalState state;
  bool understood = true;
  const auto members = json::members(offset);
  if (!members) return state;
  for (const auto& [name, value] : *members) {
    if (name == kSent) state.sent = parse_key_json(value);
    if (name == kMaximum) state.maximum = parse_key_json(value);
    if (name == kCollections) state.queue = parse_queue(value, understood);
    if (name == kCorrelation) state.correlation_id = json::unquote(value);
  }
  if (complete != nullptr) *complete = understood;
  if (!state.running()) return {};
  if (state.sent && !state.maximum) state.sent.reset();
  return state;
}

}  // namespace cdc
