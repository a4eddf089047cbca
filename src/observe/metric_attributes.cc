// The tables, and how what they show is reckoned.
#include "observe/metric_attributes.h"

#include <algorithm>
#include <array>

#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc::observe {
namespace {

std::int64_t value(const std::atomic<std::uint64_t>& counter) {
  return static_cast<std::int64_t>(counter.load(std::memory_order_relaxed));
}
std::int64_t value(const std::atomic<std::int64_t>& clock) { return clock.load(std::memory_order_relaxed); }
std::int64_t at_least_zero(std::int64_t n) { return std::max<std::int64_t>(n, 0); }
std::int64_t since(std::int64_t moment, std::int64_t now) {
  return moment == 0 ? -1 : at_least_zero(now - moment);
}

std::int64_t events_seen(const View& v) {
  const std::int64_t reads = value(v.stats().reads);
  return v.context == kSnapshot ? reads : at_least_zero(value(v.stats().events) - reads);
}
std::int64_t in_streaming(const View& v, const std::atomic<std::uint64_t>& counter) {
  return v.context == kSnapshot ? 0 : value(counter);
}
// The lag when the last event was built, as Debezium has it: it does not grow while nothing happens, and is
// negative where the server's clock is ahead of ours.
std::int64_t behind_source(const View& v) {
  const std::int64_t source = value(v.stats().last_source_ms), seen = value(v.stats().last_event_ms);
  return source == 0 || seen == 0 ? -1 : seen - source;
}
std::int64_t snapshot_seconds(const View& v) {
  const std::int64_t begin = value(v.of.facts.snapshot_started_ms), end = value(v.of.facts.snapshot_ended_ms);
  return begin == 0 ? 0 : at_least_zero((end == 0 ? v.of.now_ms : end) - begin) / 1000;
}

std::int64_t paused_seconds(const View& v) {
  const std::int64_t since = v.details.paused_since_ms;
  return (v.details.paused_ms + (since == 0 ? 0 : at_least_zero(v.of.now_ms - since))) / 1000;
}
// -1: nothing was streamed, or statistics.metrics.enabled=false.
std::int64_t of_lag(const View& v, std::int64_t LagMeter::Summary::*member) {
  return v.lag ? *v.lag.*member : -1;
}

// Of the position that was stored last; empty: it has no such member.
std::string of_position(const View& v, std::string_view member) {
  const auto members = json::members(v.details.position);
  if (!members) return {};
  for (const auto& [name, value] : *members)
    if (name == member) return std::string(value);
  return {};
}
std::string quoted(const std::string& text) { return text.empty() ? text : json::quote(text); }

constexpr std::array kTextAttributes{
    TextAttribute{"LastTransactionId", kStreaming,
                  [](const View& v) { return quoted(of_position(v, "txId")); }},
    TextAttribute{"SourceEventPosition", kStreaming, [](const View& v) { return v.details.position; }},
    TextAttribute{"ChunkId", kBoth, [](const View& v) { return quoted(v.details.chunk_id); }},
    TextAttribute{"ChunkFrom", kBoth, [](const View& v) { return quoted(v.details.chunk_from); }},
    TextAttribute{"ChunkTo", kBoth, [](const View& v) { return quoted(v.details.chunk_to); }},
    TextAttribute{"TableTo", kBoth, [](const View& v) { return quoted(v.details.table_to); }},
};

constexpr std::array kTableAttributes{
    TableAttribute{"RowsScanned", kBoth, &RunDetails::Facts::rows},
    TableAttribute{"TableChunkCounts", kSnapshot, &RunDetails::Facts::chunks},
    TableAttribute{"TableChunksCompletedCounts", kSnapshot, &RunDetails::Facts::chunks_done},
};

constexpr std::array kAttributes{
    Attribute{"MilliSecondsSinceLastEvent", kBoth, Form::number,
              [](const View& v) { return since(value(v.stats().last_event_ms), v.of.now_ms); }},
    Attribute{"TotalNumberOfEventsSeen", kBoth, Form::number, events_seen},
    Attribute{"TotalNumberOfCreateEventsSeen", kBoth, Form::number,
              [](const View& v) { return in_streaming(v, v.stats().creates); }},
    Attribute{"TotalNumberOfUpdateEventsSeen", kBoth, Form::number,
              [](const View& v) { return in_streaming(v, v.stats().updates); }},
    Attribute{"TotalNumberOfDeleteEventsSeen", kBoth, Form::number,
              [](const View& v) { return in_streaming(v, v.stats().deletes); }},
    Attribute{"NumberOfEventsFiltered", kBoth, Form::number,
              [](const View& v) { return in_streaming(v, v.stats().filtered); }},
    Attribute{"NumberOfErroneousEvents", kBoth, Form::number,
              [](const View& v) { return value(v.stats().erroneous); }},
    Attribute{"CapturedTables", kBoth, Form::number,
              [](const View& v) { return value(v.stats().tables_captured); }},
    Attribute{"QueueTotalCapacity", kBoth, Form::number,
              [](const View& v) { return v.of.labels.queue_capacity_events; }},
    Attribute{"QueueRemainingCapacity", kBoth, Form::number,
              [](const View& v) {
                return at_least_zero(v.of.labels.queue_capacity_events - value(v.stats().queue_events));
              }},
    Attribute{"MaxQueueSizeInBytes", kBoth, Form::number,
              [](const View& v) { return value(v.stats().queue_capacity_bytes); }},
    Attribute{"CurrentQueueSizeInBytes", kBoth, Form::number,
              [](const View& v) { return value(v.stats().queue_bytes); }},

    Attribute{"TotalTableCount", kSnapshot, Form::number,
              [](const View& v) { return value(v.stats().tables_total); }},
    Attribute{"RemainingTableCount", kSnapshot, Form::number,
              [](const View& v) {
                return at_least_zero(value(v.stats().tables_total) - value(v.stats().tables_done));
              }},
    Attribute{"SnapshotRunning", kSnapshot, Form::truth,
              [](const View& v) { return std::int64_t{v.stats().snapshot_running.load()}; }},
    Attribute{"SnapshotCompleted", kSnapshot, Form::truth,
              [](const View& v) { return std::int64_t{v.of.facts.snapshot_completed.load()}; }},
    Attribute{"SnapshotSkipped", kSnapshot, Form::truth,
              [](const View& v) { return std::int64_t{v.of.facts.snapshot_skipped.load()}; }},
    Attribute{"SnapshotDurationInSeconds", kSnapshot, Form::number, snapshot_seconds},
    Attribute{"SnapshotPaused", kBoth, Form::truth,
              [](const View& v) { return std::int64_t{v.details.paused}; }},
    Attribute{"SnapshotPausedDurationInSeconds", kBoth, Form::number, paused_seconds},
    Attribute{"SnapshotAborted", kBoth, Form::truth,
              [](const View& v) { return std::int64_t{v.details.aborted}; }},

    Attribute{"Connected", kStreaming, Form::truth,
              [](const View& v) { return std::int64_t{v.of.facts.phase.load() == Phase::streaming}; }},
    Attribute{"MilliSecondsBehindSource", kStreaming, Form::number, behind_source},
    Attribute{"MilliSecondsBehindSourceMinValue", kStreaming, Form::number,
              [](const View& v) { return of_lag(v, &LagMeter::Summary::least); }},
    Attribute{"MilliSecondsBehindSourceMaxValue", kStreaming, Form::number,
              [](const View& v) { return of_lag(v, &LagMeter::Summary::most); }},
    Attribute{"MilliSecondsBehindSourceAverageValue", kStreaming, Form::number,
              [](const View& v) { return of_lag(v, &LagMeter::Summary::average); }},
    Attribute{"MilliSecondsBehindSourceP50", kStreaming, Form::number,
              [](const View& v) { return of_lag(v, &LagMeter::Summary::p50); }},
    Attribute{"MilliSecondsBehindSourceP95", kStreaming, Form::number,
              [](const View& v) { return of_lag(v, &LagMeter::Summary::p95); }},
    Attribute{"MilliSecondsBehindSourceP99", kStreaming, Form::number,
              [](const View& v) { return of_lag(v, &LagMeter::Summary::p99); }},
    Attribute{"NumberOfCommittedTransactions", kStreaming, Form::number,
              [](const View& v) { return value(v.stats().transactions); }},
    Attribute{"NumberOfUnchangedEventsSkipped", kStreaming, Form::number,
              [](const View& v) { return v.of.labels.skips_unchanged ? value(v.stats().unchanged) : -1; }},
};

constexpr std::array kCounters{
    Counter{"EventsWritten", "cdc_events_written_total", "Events that the output has taken",
            [](const Sample& s) { return value(s.stats.events_written); }},
    Counter{"BytesWritten", "cdc_bytes_written_total", "Bytes that the output has taken, before compression",
            [](const Sample& s) { return value(s.stats.bytes_written); }},
    Counter{"OffsetCommits", "cdc_offset_commits_total", "Offsets stored",
            [](const Sample& s) { return value(s.stats.commits); }},
    Counter{"MilliSecondsSinceLastCommit", "cdc_last_commit_age_milliseconds",
            "Time since an offset was stored; -1: none yet",
            [](const Sample& s) { return since(value(s.stats.last_commit_ms), s.now_ms); }},
    Counter{"QueueEvents", "cdc_queue_events", "Events between the reader and the writer",
            [](const Sample& s) { return value(s.stats.queue_events); }},
    Counter{"TruncateEvents", "cdc_truncate_events_total", "Truncate events seen",
            [](const Sample& s) { return value(s.stats.truncates); }},
    Counter{"MessageEvents", "cdc_message_events_total", "Logical messages seen",
            [](const Sample& s) { return value(s.stats.messages); }},
};

}  // namespace

std::span<const Attribute> attributes() { return kAttributes; }
std::span<const TableAttribute> table_attributes() { return kTableAttributes; }
std::span<const TextAttribute> text_attributes() { return kTextAttributes; }
std::span<const Counter> counters() { return kCounters; }

}  // namespace cdc::observe
