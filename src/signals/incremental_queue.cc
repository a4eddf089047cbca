// Signals that start, stop, pause and resume incremental snapshots.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "cdc/wall_clock.h"
#include "filter/collection_filter.h"
#include "signals/incremental.h"
#include "text/regex.h"

namespace cdc {
namespace {

using text::Regex;

Result<bool> matches(const std::string& pattern, const std::string& name,
                     Regex::Case letters = Regex::Case::sensitive) {
  CDC_TRY(const auto regex, Regex::compile(pattern, letters));
  return regex.matches(name);
}

// CORE-INC-02: what an item stands for, without what is there already; itself when it matches nothing.
Result<std::vector<std::string>> expand(const std::vector<std::string>& items,
                                        const std::vector<TableId>& tables) {
  std::vector<std::string> known;
  for (const TableId& id : tables) known.push_back(collection_id(id));
  std::sort(known.begin(), known.end(), utf16_less);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& item : items) {
    bool matched = false;
    for (const std::string& name : known) {
      CDC_TRY(const bool meant, matches(item, name));
      if (!meant) continue;
      matched = true;
      add(name);
    }
    if (!matched) add(item);
  }
  return names;
}

// The first condition that names the collection.
Result<const AdditionalCondition*> condition_for(const SnapshotOrder& order, const std::string& collection) {
  for (const AdditionalCondition& condition : order.conditions) {
    CDC_TRY(const bool meant, matches(condition.collection, collection, Regex::Case::insensitive));
    if (meant) return &condition;
  }
  return nullptr;
}

}  // namespace

std::string IncrementalSnapshot::obstacle() const {
  if (reader_ == nullptr) return "this source has no incremental snapshots";
  if (!options_.read_only && options_.signal_collection.empty())
    return "incremental snapshots need signal.data.collection for their watermarks, or read.only=true";
  return {};
}

Result<void> IncrementalSnapshot::execute(const SnapshotOrder& order, const std::string& id,
                                          StreamOutput& out) {
  if (order.old_condition)
    runtime_.log.warn(
        "signal execute-snapshot: \"additional-condition\" is not looked at any more: use "
        "\"additional-conditions\"");
  CDC_TRY(const std::vector<TableId> tables, reader_->tables());
  const bool was_running = running();
  CDC_TRY(const std::vector<std::string> names, expand(order.collections, tables));
  std::vector<QueuedCollection> asked;
  std::set<const AdditionalCondition*> used;
  for (const std::string& name : names) {
    CDC_TRY(const AdditionalCondition* condition, condition_for(order, name));
    asked.push_back({name, condition == nullptr ? "" : condition->filter, order.surrogate_key});
    used.insert(condition);
  }
  for (const AdditionalCondition& condition : order.conditions)
    if (!used.contains(&condition))
      runtime_.log.warn(
          fmt::format("signal '{}' (execute-snapshot): its condition for {} is that of no table it asks for",
                      id, condition.collection));
  state_.queue.insert(state_.queue.end(), asked.begin(), asked.end());
  state_.correlation_id = id.empty() ? std::nullopt : std::optional(id);
  if (was_running) return {};
  runtime_.stats.details.begin_snapshot();
  CDC_CHECK(notify("STARTED", out, {{"data_collections", listed()}}));
  runtime_.log.write(Level::info, "incremental_snapshot_started",
                     fmt::format("incremental snapshot of {}", listed()), {{"tables", listed()}});
  return read_chunk(out);
}

Result<void> IncrementalSnapshot::stop(const SnapshotOrder& order, StreamOutput& out) {
  if (!running()) {
    runtime_.log.info("signal stop-snapshot: no incremental snapshot is running");
    return {};
  }
  stops_.push_back({order.collections});
  return paused_ && !waiting_ ? apply_stops(out) : Result<void>{};
}

Result<void> IncrementalSnapshot::pause(StreamOutput& out) {
  if (!running() || paused_) return {};
  set_paused(true);
  return notify("PAUSED", out, {{"data_collections", listed()}});
}

Result<void> IncrementalSnapshot::resume(StreamOutput& out) {
  if (!running() || !paused_) return {};
  set_paused(false);
  CDC_CHECK(notify("RESUMED", out, {{"data_collections", listed()}}));
  return waiting_ ? Result<void>{} : read_chunk(out);  // an open window goes on by itself
}

void IncrementalSnapshot::set_paused(bool paused) {
  if (std::exchange(paused_, paused) == paused) return;
  const std::int64_t now = wall_clock_ms();
  runtime_.stats.details.change([&](RunDetails::Facts& facts) {
    if (!paused) facts.paused_ms += now - facts.paused_since_ms;
    facts.paused = paused;
    facts.paused_since_ms = paused ? now : 0;
  });
}

// CORE-INC-15: what is queued goes first, the collection being read last.
Result<void> IncrementalSnapshot::apply_stops(StreamOutput& out) {
  for (const StopOrder& order : std::exchange(stops_, {})) {
    if (!running()) break;
    const auto wanted = [&](const QueuedCollection& collection) -> Result<bool> {
      for (const std::string& pattern : order.patterns) {
        CDC_TRY(const bool meant, matches(pattern, collection.id));
        if (meant) return true;
      }
      return order.patterns.empty();
    };
    std::string stopped;
    const auto add = [&](const QueuedCollection& collection) {
      stopped += (stopped.empty() ? "" : ",") + collection.id;
    };
    const QueuedCollection first = state_.queue.front();
    for (auto at = std::next(state_.queue.begin()); at != state_.queue.end();) {
      CDC_TRY(const bool meant, wanted(*at));
      if (!meant) {
        ++at;
        continue;
      }
      add(*at);
      at = state_.queue.erase(at);
    }
    CDC_TRY(const bool first_meant, wanted(first));
    if (first_meant) {
      add(first);
      state_.next_collection();
      scanned_ = 0;
    }
    if (stopped.empty()) {
      runtime_.log.warn("signal stop-snapshot: none of its collections is queued");
      continue;
    }
    if (!running()) {
      runtime_.stats.details.change([](RunDetails::Facts& facts) { facts.aborted = true; });
      CDC_CHECK(end_of_queue(out));
    }
    CDC_CHECK(notify("ABORTED", out, {{"data_collections", stopped}}));
  }
  return {};
}

}  // namespace cdc
