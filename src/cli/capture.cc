// One capture: options out of the configuration, the run, its end.
#include "cli/capture.h"

#include "cli/failure.h"
#include "cli/session.h"

namespace cdc::cli {
namespace {

std::optional<std::chrono::milliseconds> limit(std::chrono::milliseconds time) {
  return time.count() > 0 ? std::optional(time) : std::nullopt;
}

void add_run_options(CaptureOptions& options, const Config& config) {
  options.resume = config.boolean("resume");
  options.dry_run = config.boolean("dry.run");
  if (options.snapshot_only) return;
  options.from = config.text("from");
  options.until = config.text("until");
  if (const auto events = config.integer("max.events"); events > 0)
    options.max_events = static_cast<std::uint64_t>(events);
  options.max_time = limit(config.milliseconds("max.time"));
  options.idle_exit = limit(config.milliseconds("idle.exit"));
}

}  // namespace

Result<int> capture(const Invocation& invocation, CaptureOptions options) {
  CDC_TRY(const std::unique_ptr<Session> session, Session::open(invocation, options.snapshot_only));
  add_run_options(options, session->config());
  const auto run = [&]() -> Result<CaptureOutcome> {
    CDC_CHECK(session->start());
    return run_capture(session->config(), options, session->runtime());
  };
  const Result<CaptureOutcome> outcome = run();
  session->finish();
  if (outcome) return 0;
  const Error& error = outcome.error();
  if (error.kind == ErrorKind::sink_gone && session->config().boolean("pipe.ok")) return 0;
  return report_failure(error, session->console(), session->log());
}

}  // namespace cdc::cli
