// From configuration to log level, progress and metrics.
#include "cli/session.h"

#include <unistd.h>

#include "capture/file_roles.h"
#include "cli/signals.h"

namespace cdc::cli {
namespace {

// --quiet leaves warnings and errors, unless a level was asked for by name.
Level log_level(const Config& config) {
  if (config.boolean("quiet") && !config.is_set("log.level")) return Level::warn;
  return observe::parse_level(config.text("log.level")).value_or(Level::info);
}

// Events on the same terminal would run into the status line.
bool wants_progress(const Config& config) {
  const bool to_stdout = config.text("output") == "-";
  return !config.boolean("quiet") && !(to_stdout && isatty(STDOUT_FILENO) == 1) &&
         config.text("log.format") != "json";
}

observe::ObserverOptions observer_options(const Config& config, bool snapshot_only) {
  observe::ObserverOptions options;
  options.progress = wants_progress(config);
  options.snapshot_only = snapshot_only;
  if (const auto every = config.milliseconds("stats"); every.count() > 0) options.stats_every = every;
  options.metrics_file = config.text("metrics.file");
  options.metrics_listen = config.text("metrics.listen");
  options.labels.connector = config.source();
  options.labels.server = config.text("topic.prefix");
  options.labels.version = CDC_VERSION;
  options.labels.queue_capacity_events = config.integer("max.queue.size");
  options.labels.skips_unchanged = config.boolean("skip.messages.without.change");
  for (const std::string& tag : config.list("custom.metric.tags")) {
    const std::size_t equals = tag.find('=');  // the configuration's check saw to it that there is one
    options.labels.tags.emplace_back(tag.substr(0, equals), tag.substr(equals + 1));
  }
  return options;
}

}  // namespace

Session::Session(Config config, bool snapshot_only)
    : config_(std::move(config)),
      console_(STDERR_FILENO),
      log_(observe::make_log(
          log_level(config_),
          observe::parse_log_format(config_.text("log.format")).value_or(observe::LogFormat::text),
          console_)),
      runtime_{*log_, stop_, stats_},
      observer_(observer_options(config_, snapshot_only), console_, *log_, stats_) {
  stats_.lag.enable(config_.boolean("statistics.metrics.enabled"));
}

Session::~Session() { stop_signals_end(); }

Result<std::unique_ptr<Session>> Session::open(const Invocation& invocation, bool snapshot_only) {
  std::vector<ConfigProblem> problems;
  CDC_TRY(Config config, load_config(invocation.config, &problems));
  CDC_CHECK(
      check_file_roles(config, invocation.config.files));  // before the observer, which writes one of them
  std::unique_ptr<Session> session(new Session(std::move(config), snapshot_only));
  for (ConfigProblem& problem : problems) {
    if (problem.severity == ConfigProblem::Severity::warning)
      session->log().write(Level::warn, "warning", problem_line(problem), {{"property", problem.property}});
    else
      session->notices_.push_back(std::move(problem));
  }
  return session;
}

Result<void> Session::start() {
  for (const ConfigProblem& notice : notices_)
    log_->write(Level::info, "notice", problem_line(notice), {{"property", notice.property}});
  stop_on_signals(stop_);
  return observer_.start();
}

void Session::finish() {
  log_->report_repeats();
  observer_.finish();
}

}  // namespace cdc::cli
