// Which log event means what to those who watch, and how often each of them looks.
#include "observe/observer.h"

#include <array>

#include "cdc/wall_clock.h"

namespace cdc::observe {
namespace {

using namespace std::chrono_literals;

constexpr auto kProgressPeriod = 200ms;
constexpr auto kServicePeriod = 5000ms;

struct PhaseRow {
  std::string_view event;
  Phase phase;
};
constexpr std::array kPhases{
    PhaseRow{"starting", Phase::starting},   PhaseRow{"snapshot_started", Phase::snapshot},
    PhaseRow{"streaming", Phase::streaming}, PhaseRow{"reconnecting", Phase::reconnecting},
    PhaseRow{"stopped", Phase::stopping},    PhaseRow{"failed", Phase::stopping},
};

struct PhaseName {
  Phase phase;
  std::string_view name;
  bool healthy;
};
constexpr std::array kPhaseNames{
    PhaseName{Phase::starting, "starting", true},   PhaseName{Phase::snapshot, "snapshot", true},
    PhaseName{Phase::streaming, "streaming", true}, PhaseName{Phase::reconnecting, "reconnecting", false},
    PhaseName{Phase::stopping, "stopping", false},
};

}  // namespace

Observer::Observer(ObserverOptions options, Console& console, RunLog& log, const Stats& stats)
    : options_(std::move(options)), console_(console), log_(log), stats_(stats), progress_(stats, facts_) {
  log_.listen([this](std::string_view event, std::string_view) { note(event); });
}

Observer::~Observer() {
  finish();
  log_.listen({});
}

Result<void> Observer::start() {
  if (!options_.metrics_listen.empty()) {
    CDC_TRY(server_, MetricsServer::start(options_.metrics_listen,
                                          [this](std::string_view path) { return page(path); }));
  }
  if (!options_.metrics_file.empty()) {
    CDC_CHECK(write_metrics_file(options_.metrics_file, prometheus_text(sample())));
    ticker_.every(options_.metrics_file_every, [this] { write_file(); });
  }
  if (options_.progress && console_.is_terminal())
    ticker_.every(kProgressPeriod, [this] { show_progress(); });
  if (options_.stats_every) ticker_.every(*options_.stats_every, [this] { print_stats(); });
  if (service_manager_.present()) ticker_.every(kServicePeriod, [this] { tell_service_manager(); });
  if (const auto period = service_manager_.watchdog_period())
    ticker_.every(*period, [this] { service_manager_.alive(); });
  ticker_.start();
  return {};
}

void Observer::finish() {
  if (std::exchange(finished_, true)) return;
  ticker_.stop();
  server_.reset();
  console_.set_status({});
  if (options_.stats_every) print_stats();
  if (!options_.metrics_file.empty()) write_file();
}

void Observer::note(std::string_view event) {
  for (const PhaseRow& row : kPhases)
    if (row.event == event) facts_.phase = row.phase;
  if (event == "snapshot_started") {
    facts_.snapshot_started_ms = wall_clock_ms();
    facts_.snapshot_ended_ms = 0;
  } else if (event == "snapshot_completed") {
    facts_.snapshot_ended_ms = wall_clock_ms();
    facts_.snapshot_completed = true;
    // A blocking one: the stream goes on without saying so.
    if (stats_.streaming) facts_.phase = Phase::streaming;
  } else if (event == "streaming" && facts_.snapshot_started_ms == 0) {
    facts_.snapshot_skipped = true;
  } else if (event == "stopped" || event == "failed") {
    service_manager_.stopping();
  }
  const bool serves = event == "streaming" || (options_.snapshot_only && event == "snapshot_started");
  if (serves && !ready_.exchange(true)) service_manager_.ready();
}

void Observer::show_progress() {
  const ProgressView view = progress_.look(RateMeter::Clock::now());
  console_.set_status(progress_line(view, console_.width() - 1, console_.is_utf8()));
}

void Observer::print_stats() { console_.print(stats_line(sample())); }

void Observer::write_file() {
  if (const auto written = write_metrics_file(options_.metrics_file, prometheus_text(sample())); !written)
    log_.warn_once("metrics-file", written.error().message);
}

void Observer::tell_service_manager() {
  // A start that reads a big snapshot first may take hours: the manager is told to be patient.
  if (!ready_) service_manager_.extend_timeout(kServicePeriod * 6);
  service_manager_.status(progress_line(progress_.look(RateMeter::Clock::now()), 200, false));
}

HttpPage Observer::page(std::string_view path) const {
  if (path == "/metrics") return {200, "text/plain; version=0.0.4; charset=utf-8", prometheus_text(sample())};
  if (path != "/healthz") return {404, "text/plain", "there are /metrics and /healthz\n"};
  const Phase phase = facts_.phase.load();
  for (const PhaseName& row : kPhaseNames)
    if (row.phase == phase)
      return {row.healthy ? 200 : 503, "application/json",
              "{\"status\":\"" + std::string(row.name) + "\"}\n"};
  return {503, "application/json", "{}\n"};
}

Sample Observer::sample() const { return {stats_, facts_, options_.labels, wall_clock_ms()}; }

}  // namespace cdc::observe
