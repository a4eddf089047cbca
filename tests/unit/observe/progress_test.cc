// What the status line says, and how it shrinks.
#include "observe/progress.h"

#include <doctest/doctest.h>

using namespace cdc;
using namespace cdc::observe;
using namespace std::chrono_literals;

TEST_CASE("progress: a snapshot shows share, rows, rate, time left, tables, bytes (CORE-MET-06)") {
  ProgressView view;
  view.phase = Phase::snapshot;
  view.rows = 250'000, view.rows_estimated = 1'000'000, view.per_second = 125'000;
  view.tables_done = 1, view.tables_total = 4, view.bytes = 123'456'789;
  CHECK(progress_line(view, 120, false) ==
        "snapshot  25% [#####...............]  250,000 of ~1.0M rows  125.0k/s  eta 0:07  tables 1/4  123.5 "
        "MB");
  CHECK(progress_line(view, 60, false) == "snapshot  25% [#####...............]  250,000 of ~1.0M rows");
  CHECK(progress_line(view, 3, false).empty());
  CHECK(progress_line(view, 38, true) == "snapshot  25% █████░░░░░░░░░░░░░░░");
  view.rows = 2'000'000;  // the estimate was too low: never "100 %" before the end, no time left
  CHECK(progress_line(view, 120, false).starts_with("snapshot  99% ["));
  CHECK(progress_line(view, 120, false).find("eta") == std::string::npos);
  view.rows_estimated = 0;
  CHECK(progress_line(view, 120, false).starts_with("snapshot  2,000,000 rows  125.0k/s"));
}

TEST_CASE("progress: a stream shows events, rate, lag, bytes") {
  ProgressView view;
  view.phase = Phase::streaming;
  view.events = 1, view.per_second = 0.2, view.bytes = 900;
  CHECK(progress_line(view, 80, false) == "streaming  1 event  0/s  900 B");
  view.events = 12'345, view.lag_ms = 1540;
  CHECK(progress_line(view, 80, false) == "streaming  12,345 events  0/s  lag 1.5 s  900 B");
}

TEST_CASE("progress: short forms") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(1234567) == "1,234,567");
  CHECK(short_count(999) == "999");
  CHECK(short_count(999'960) == "1.0M");
  CHECK(short_bytes(1'500'000'000) == "1.5 GB");
  CHECK(short_bytes(12) == "12 B");
  CHECK(clock_time(59s) == "0:59");
  CHECK(clock_time(3723s) == "1:02:03");
}

TEST_CASE("progress: the rate is that of the last seconds") {
  RateMeter rate;
  const auto start = RateMeter::Clock::time_point{};
  CHECK(rate.per_second() == 0);
  rate.add(0, start);
  CHECK(rate.per_second() == 0);
  rate.add(100, start + 200ms);
  CHECK(rate.per_second() == doctest::Approx(500));
  for (int i = 1; i <= 60; ++i) rate.add(100, start + 200ms + i * 200ms);
  CHECK(rate.per_second() == 0);
}

TEST_CASE("progress: counting starts anew when the phase changes") {
  Stats stats;
  RunFacts facts;
  Progress progress(stats, facts);
  const auto start = RateMeter::Clock::time_point{};
  facts.phase = Phase::snapshot;
  stats.rows_scanned = 0;
  progress.look(start);
  stats.rows_scanned = 1000;
  CHECK(progress.look(start + 1s).per_second == doctest::Approx(1000));
  facts.phase = Phase::streaming;
  stats.events = 1'000'000;
  CHECK(progress.look(start + 2s).per_second == 0);
}
