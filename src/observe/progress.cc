// Putting the status line together: segments in order of importance, as many as fit.
#include "observe/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace cdc::observe {
namespace {

constexpr unsigned kBarColumns = 20;

std::string bar(double share, bool utf8) {
  const auto full = static_cast<unsigned>(share * kBarColumns);
  std::string text = utf8 ? "" : "[";
  for (unsigned i = 0; i < kBarColumns; ++i) {
    if (utf8) {
      text += i < full ? "█" : "░";
    } else {
      text += i < full ? '#' : '.';
    }
  }
  return utf8 ? text : text + "]";
}

unsigned columns(std::string_view utf8) {
  return static_cast<unsigned>(
      std::count_if(utf8.begin(), utf8.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<std::string> snapshot_segments(const ProgressView& v, bool utf8) {
  std::vector<std::string> segments{"snapshot"};
  if (v.rows_estimated > 0) {
    // The estimate comes from the server's statistics: 99 % is as sure as it gets before the end.
    const double share = std::min(static_cast<double>(v.rows) / static_cast<double>(v.rows_estimated), 0.99);
    segments.push_back(fmt::format("{:2.0f}% {}", share * 100, bar(share, utf8)));
    segments.push_back(
        fmt::format("{} of ~{} rows", grouped(v.rows), short_count(static_cast<double>(v.rows_estimated))));
  } else {
    segments.push_back(grouped(v.rows) + " rows");
  }
  segments.push_back(short_count(v.per_second) + "/s");
  if (v.rows_estimated > v.rows && v.per_second >= 1) {
    const double left = static_cast<double>(v.rows_estimated - v.rows) / v.per_second;
    if (left < 1e7)
      segments.push_back("eta " + clock_time(std::chrono::seconds(static_cast<std::int64_t>(left) + 1)));
  }
  if (v.tables_total > 1) segments.push_back(fmt::format("tables {}/{}", v.tables_done, v.tables_total));
  segments.push_back(short_bytes(v.bytes));
  return segments;
}

std::vector<std::string> streaming_segments(const ProgressView& v) {
  std::vector<std::string> segments{v.phase == Phase::stopping ? "stopping" : "streaming"};
  segments.push_back(grouped(v.events) + (v.events == 1 ? " event" : " events"));
  segments.push_back(short_count(v.per_second) + "/s");
  if (v.lag_ms) segments.push_back(fmt::format("lag {:.1f} s", static_cast<double>(*v.lag_ms) / 1000));
  segments.push_back(short_bytes(v.bytes));
  return segments;
}

}  // namespace

void RateMeter::add(std::uint64_t count, Clock::time_point now) {
  points_[next_] = {count, now};
  next_ = (next_ + 1) % points_.size();
  used_ = std::min(used_ + 1, points_.size());
}

double RateMeter::per_second() const {
  if (used_ < 2) return 0;
  const Point& newest = points_[(next_ + points_.size() - 1) % points_.size()];
  const Point& oldest = points_[(next_ + points_.size() - used_) % points_.size()];
  const double seconds = std::chrono::duration<double>(newest.when - oldest.when).count();
  if (seconds <= 0 || newest.count <= oldest.count) return 0;
  return static_cast<double>(newest.count - oldest.count) / seconds;
}

std::string progress_line(const ProgressView& view, unsigned width, bool utf8) {
  std::vector<std::string> segments;
  switch (view.phase) {
    case Phase::starting:
      segments = {"connecting"};
      break;
    case Phase::reconnecting:
      segments = {"connection lost, trying again"};
      break;
    case Phase::snapshot:
      segments = snapshot_segments(view, utf8);
      break;
    case Phase::streaming:
    case Phase::stopping:
      segments = streaming_segments(view);
      break;
  }
  std::string line;
  for (const std::string& segment : segments) {
    const std::string longer = line.empty() ? segment : line + "  " + segment;
    if (columns(longer) > width) break;
    line = longer;
  }
  return line;
}

std::string grouped(std::uint64_t n) {
  std::string digits = fmt::format_int(n).str();
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string short_count(double n) {
  constexpr std::array kUnits{std::string_view(""), std::string_view("k"), std::string_view("M"),
                              std::string_view("G"), std::string_view("T")};
  std::size_t unit = 0;
  while (n >= 999.95 && unit + 1 < kUnits.size()) n /= 1000, ++unit;
  return unit == 0 ? fmt::format("{:.0f}", n) : fmt::format("{:.1f}{}", n, kUnits[unit]);
}

std::string short_bytes(std::uint64_t n) {
  const std::string count = short_count(static_cast<double>(n));
  const bool has_unit = count.back() > '9';
  return has_unit ? fmt::format("{} {}B", count.substr(0, count.size() - 1), count.back()) : count + " B";
}

std::string clock_time(std::chrono::seconds time) {
  const auto s = time.count();
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

ProgressView Progress::look(RateMeter::Clock::time_point now) {
  ProgressView v;
  v.phase = facts_.phase.load();
  if (v.phase != std::exchange(last_phase_, v.phase)) rate_.reset();
  v.rows = stats_.rows_scanned.load();
  v.rows_estimated = stats_.rows_estimated.load();
  v.tables_done = stats_.tables_done.load();
  v.tables_total = stats_.tables_total.load();
  v.events = stats_.events.load();
  v.bytes = stats_.bytes_written.load();
  rate_.add(v.phase == Phase::snapshot ? v.rows : v.events, now);
  v.per_second = rate_.per_second();
  const std::int64_t seen = stats_.last_event_ms.load(), source = stats_.last_source_ms.load();
  if (seen != 0 && source != 0) v.lag_ms = std::max<std::int64_t>(seen - source, 0);
  return v;
}

}  // namespace cdc::observe
