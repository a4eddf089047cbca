// Streaming with retries (CORE-ERR-01 .. 03): what is queued stays queued, and the source goes on
// right behind it.
#include "capture/stream_run.h"

#include <fmt/format.h>

#include "capture/snapshot_run.h"
#include "event/stream_events.h"
#include "signals/signal_desk.h"

namespace cdc {
namespace {

Result<void> reconnect(Session& session, const std::optional<std::string>& offset) {
  session.source.replace(session.type.make(session.config, session.runtime));
  CDC_TRY(const SourceDescription description, session.source->connect(true));
  std::ignore = description;
  if (offset) {
    CDC_TRY(const PositionState position, session.source->check_position(*offset));
    if (!position.available) return fail(ErrorKind::position_lost, position.problem, position.hint);
  }
  StartOptions start;
  start.offset = offset;
  return session.source->prepare(start);
}

Result<void> tell_skipped(StreamOutput& out) {
  Notification skipped;
  skipped.aggregate = notify::initial;
  skipped.type = "SKIPPED";
  return out.write_notification(skipped);
}

}  // namespace

Result<void> run_stream(Session& session, std::optional<std::string> offset, bool after_snapshot) {
  CDC_TRY(auto writer, StreamEvents::make(session.room, offset.value_or("")));
  const auto desk = SignalDesk::make(session.room, offset.value_or(""));
  if (desk != nullptr) {
    desk->on_blocking([&session](const std::vector<OnDemandTable>& tables, StreamOutput& out) {
      return run_blocking_snapshot(session, tables, out);
    });
    writer->set_observer(desk.get());
  }
  if (!after_snapshot) CDC_CHECK(tell_skipped(writer->output()));
  CDC_TRY(Retry retry, Retry::make(session.config));
  session.runtime.stats.streaming = true;
  const StreamBounds bounds{session.options.until};
  while (true) {
    const auto events = session.runtime.stats.events.load();
    if (desk != nullptr) desk->attach(session.source->chunks());
    writer->set_rows(session.source->rows());
    Result<void> done = session.source->stream(offset, bounds, *writer);
    if (done) {
      auto flushed = writer->flush(true);
      session.runtime.stats.streaming = false;
      return flushed;
    }
    // Complete changes before the failure go out, whatever failed.
    if (done.error().kind != ErrorKind::sink && done.error().kind != ErrorKind::sink_gone)
      std::ignore = writer->flush(true);
    if (session.runtime.stats.events.load() > events) retry.reset();
    while (true) {
      if (!retry.worth(done.error()) || session.runtime.stop.requested()) {
        session.runtime.stats.streaming = false;
        if (session.runtime.stop.requested() && retry.worth(done.error())) return {};
        return done;
      }
      if (!retry.more()) {
        session.runtime.stats.streaming = false;
        done.error().message += fmt::format(" (given up after {} tries, errors.max.retries)", retry.tries());
        return done;
      }
      if (Checkpoint now = writer->checkpoint(); !now.offset.empty()) offset = std::move(now.offset);
      session.runtime.log.write(Level::warn, "reconnecting", done.error().message,
                                {{"try", std::to_string(retry.tries() + 1)}});
      if (retry.wait(session.runtime.stop)) continue;
      writer->set_position_writer(nullptr);
      done = reconnect(session, offset);
      if (done) break;
    }
  }
}

}  // namespace cdc
