// The two forms in which attributes and counters are shown.
#include "observe/metrics.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "json/json_text.h"
#include "observe/log.h"
#include "observe/metric_attributes.h"

namespace cdc::observe {
namespace {

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

void append_json(Buffer& out, std::string_view name, std::string_view json, bool& first) {
  if (!std::exchange(first, false)) out.push(',');
  json::append_string(out, name);
  out.push(':');
  out.append(json);
}

std::string object_of(const RunDetails::ByName& numbers) {
  Buffer out;
  out.push('{');
  bool first = true;
  for (const auto& [name, number] : numbers) append_member(out, name, number, Form::number, first);
  out.push('}');
  return std::string(out.view());
}

// SlotLagInBytes -> cdc_slot_lag_in_bytes.
std::string gauge_name(std::string_view attribute) {
  std::string name = "cdc";
  for (const char c : attribute) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital) name += '_';
    name += capital ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
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
  const RunDetails::Facts details = sample.stats.details.now();
  const auto lag = sample.stats.lag.summary();
  const View view{sample, context, details, lag};
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
  for (const Attribute& a : attributes())
    if ((a.contexts & context) != 0) append_member(out, a.name, a.read(view), a.form, first);
  for (const TableAttribute& a : table_attributes())
    if ((a.contexts & context) != 0 && !(details.*(a.values)).empty())
      append_json(out, a.name, object_of(details.*(a.values)), first);
  for (const TextAttribute& a : text_attributes())
    if (const std::string text = a.read(view); (a.contexts & context) != 0 && !text.empty())
      append_json(out, a.name, text, first);
  for (const Counter& c : counters()) append_member(out, c.attribute, c.read(sample), Form::number, first);
  for (const auto& [name, number] : details.source) append_member(out, name, number, Form::number, first);
  out.append("}}\n");
  return std::string(out.view());
}

std::string prometheus_text(const Sample& sample) {
  std::string text;
  const RunDetails::Facts details = sample.stats.details.now();
  const auto lag = sample.stats.lag.summary();
  const auto each_context = [&](std::string_view name, Context contexts, const auto& print) {
    text += fmt::format("# TYPE debezium_metrics_{} gauge\n", name);
    for (const Context context : {kSnapshot, kStreaming})
      if ((contexts & context) != 0) print(context, labels(sample.labels, context_name(context)));
  };
  for (const Attribute& a : attributes())
    each_context(a.name, a.contexts, [&](Context context, const std::string& common) {
      text += fmt::format("debezium_metrics_{}{{{}}} {}\n", a.name, common,
                          a.read({sample, context, details, lag}));
    });
  for (const TableAttribute& a : table_attributes())
    each_context(a.name, a.contexts, [&](Context, const std::string& common) {
      for (const auto& [table, number] : details.*(a.values))
        text += fmt::format("debezium_metrics_{}{{{},table=\"{}\"}} {}\n", a.name, common, label_value(table),
                            number);
    });
  const std::string common = labels(sample.labels, {});
  for (const Counter& c : counters())
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0}{{{3}}} {4}\n", c.prometheus, c.help,
                        c.prometheus.ends_with("_total") ? "counter" : "gauge", common, c.read(sample));
  for (const auto& [name, number] : details.source)
    text += fmt::format("# TYPE {0} gauge\n{0}{{{1}}} {2}\n", gauge_name(name), common, number);
  text += fmt::format("# TYPE cdc_build_info gauge\ncdc_build_info{{version=\"{}\"}} 1\n",
                      label_value(sample.labels.version));
  return text;
}

Result<void> write_metrics_file(const std::string& path, const std::string& text) {
  // Where `path` is a link, what it leads to is replaced.
  std::error_code unresolved;
  std::string target = std::filesystem::weakly_canonical(path, unresolved).string();
  if (unresolved) target = path;
  // The superuser may rename over anything, /dev/stderr included.
  std::error_code unseen;
  const auto there = std::filesystem::status(target, unseen);
  if (std::filesystem::exists(there) && !std::filesystem::is_regular_file(there))
    return fail(ErrorKind::usage, fmt::format("cannot write metrics file {}: it is no regular file", path),
                "give --metrics-file a path in a writable folder");
  const std::string temporary = fmt::format("{}.{}.tmp", target, getpid());
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
  if (std::rename(temporary.c_str(), target.c_str()) != 0) return failed("rename");
  return {};
}

}  // namespace cdc::observe
