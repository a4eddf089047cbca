// The table of attributes: name, contexts, meaning, where the value comes from. A new one is one row.
#include "observe/metrics.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "json/json_text.h"
#include "observe/log.h"

namespace cdc::observe {
namespace {

enum Context : unsigned { kSnapshot = 1, kStreaming = 2, kBoth = 3 };

// A sample seen from one context: the counters of Stats run over the whole process, the attributes of
// Debezium belong to one of its two beans.
struct View {
  const Sample& of;
  Context context;
  const Stats& stats() const { return of.stats; }
};

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

enum class Form : std::uint8_t { number, truth };

struct Attribute {
  std::string_view name;
  Context contexts;
  Form form;
  std::int64_t (*read)(const View&);
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
    Attribute{"RowsScanned", kSnapshot, Form::number,
              [](const View& v) { return value(v.stats().rows_scanned); }},

    Attribute{"Connected", kStreaming, Form::truth,
              [](const View& v) { return std::int64_t{v.of.facts.phase.load() == Phase::streaming}; }},
    Attribute{"MilliSecondsBehindSource", kStreaming, Form::number, behind_source},
    Attribute{"NumberOfCommittedTransactions", kStreaming, Form::number,
              [](const View& v) { return value(v.stats().transactions); }},
    Attribute{"NumberOfUnchangedEventsSkipped", kStreaming, Form::number,
              [](const View& v) { return v.of.labels.skips_unchanged ? value(v.stats().unchanged) : -1; }},
};

// Our own counters: not part of Debezium's beans, the same in every context.
struct Counter {
  std::string_view attribute;   // in a stats line
  std::string_view prometheus;  // a counter where it ends in _total, else a gauge
  std::string_view help;
  std::int64_t (*read)(const Sample&);
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

std::string_view context_name(Context context) { return context == kSnapshot ? "snapshot" : "streaming"; }

void append_member(Buffer& out, std::string_view name, std::int64_t number, Form form, bool& first) {
  if (!std::exchange(first, false)) out.push(',');
  json::append_string(out, name);
  out.push(':');
  if (form == Form::truth) {
    json::append_bool(out, number != 0);
  } else {
    json::append_int(out, number);
  }
}

// Label values escape exactly these three (Prometheus text format).
std::string label_value(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    if (c == '\n') {
      escaped += "\\n";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

// A label name takes letters, digits and underscores; a tag of the user's may have anything.
std::string label_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && name.empty()) name += '_';
    name += letter || digit ? c : '_';
  }
  return name.empty() ? "_" : name;
}

std::string labels(const MetricsLabels& of, std::string_view context) {
  std::string text =
      fmt::format("plugin=\"{}\",name=\"{}\"", label_value(of.connector), label_value(of.server));
  if (!context.empty()) text += fmt::format(",context=\"{}\"", context);
  for (const auto& [key, tag] : of.tags) text += fmt::format(",{}=\"{}\"", label_name(key), label_value(tag));
  return text;
}

}  // namespace

std::string stats_line(const Sample& sample) {
  const Context context = sample.stats.snapshot_running.load() ? kSnapshot : kStreaming;
  Buffer out;
  out.append("{\"ts_ms\":");
  json::append_int(out, sample.now_ms);
  out.append(",\"context\":");
  json::append_string(out, context_name(context));
  out.append(",\"connector\":");
  json::append_string(out, sample.labels.connector);
  out.append(",\"server\":");
  json::append_string(out, sample.labels.server);
  out.append(",\"metrics\":{");
  bool first = true;
  for (const Attribute& a : kAttributes)
    if ((a.contexts & context) != 0) append_member(out, a.name, a.read({sample, context}), a.form, first);
  for (const Counter& c : kCounters) append_member(out, c.attribute, c.read(sample), Form::number, first);
  out.append("}}\n");
  return std::string(out.view());
}

std::string prometheus_text(const Sample& sample) {
  std::string text;
  for (const Attribute& a : kAttributes) {
    text += fmt::format("# TYPE debezium_metrics_{} gauge\n", a.name);
    for (const Context context : {kSnapshot, kStreaming})
      if ((a.contexts & context) != 0)
        text += fmt::format("debezium_metrics_{}{{{}}} {}\n", a.name,
                            labels(sample.labels, context_name(context)), a.read({sample, context}));
  }
  const std::string common = labels(sample.labels, {});
  for (const Counter& c : kCounters)
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0}{{{3}}} {4}\n", c.prometheus, c.help,
                        c.prometheus.ends_with("_total") ? "counter" : "gauge", common, c.read(sample));
  text += fmt::format("# TYPE cdc_build_info gauge\ncdc_build_info{{version=\"{}\"}} 1\n",
                      label_value(sample.labels.version));
  return text;
}

Result<void> write_metrics_file(const std::string& path, const std::string& text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path, getpid());
  const auto failed = [&](std::string_view what) {
    const int why = errno;
    ::unlink(temporary.c_str());
    return fail(ErrorKind::usage,
                fmt::format("cannot {} metrics file {}: {}", what, path, std::strerror(why)),
                "give --metrics-file a path in a writable folder");
  };
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return failed("create");
  std::string_view left = text;
  while (!left.empty()) {
    const ssize_t n = ::write(fd, left.data(), left.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      const int why = errno;
      ::close(fd);
      errno = why;
      return failed("write");
    }
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::close(fd) != 0) return failed("write");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return failed("rename");
  return {};
}

}  // namespace cdc::observe
