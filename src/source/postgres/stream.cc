// The stream's loop and its housekeeping. What each message means: stream_messages.cc.
#include "source/postgres/stream.h"

#include <fmt/format.h>

#include "source/postgres/control/catalog.h"
#include "source/postgres/control/publication.h"
#include "source/postgres/control/quote.h"
#include "source/postgres/control/slot.h"
#include "source/postgres/slot_gauges.h"
#include "source/postgres/stream_command.h"

namespace cdc::pg {
namespace {

constexpr milliseconds kLongestWait{1'000};
constexpr milliseconds kBoundedPing{20};  // how often a bounded run asks where the server stands
constexpr milliseconds kCheckTimeout{10'000};
constexpr milliseconds kQuietStart{2'000};
constexpr unsigned kStorm = 50;  // keepalives in a row that want a reply (PG-FAIL-14)
constexpr milliseconds kStormLimit{3'000};
constexpr milliseconds kLongestHold{100};  // a pushed event waits no longer for its batch to fill
constexpr milliseconds kGather{2};         // batches are handed over at least so far apart
constexpr std::string_view kObjectInUse = "55006";

ShapeOptions shape_options(const SourceSettings& settings) {
  return {settings.modes, settings.key_decimal_form, settings.header_decimal_form};
}

}  // namespace

Stream::Stream(const SourceSettings& settings, const ServerFacts& facts, const KeyColumns& keys,
               Connection& general, TypeCatalog& types, Confirmations& confirmations, ChangeSink& sink,
               Runtime& runtime)
    : settings_(settings),
      facts_(facts),
      general_(general),
      sink_(sink),
      runtime_(runtime),
      confirmations_(confirmations),
      relations_(general, types, shape_options(settings), settings.ignore_builtin, keys, sink),
      source_(settings.names) {
  if (settings.control.publishes()) return;
  message_tables_ = std::make_unique<MessageTables>(
      general, relations_,
      decoderbufs::MoneyUnit{settings.modes.money, decoderbufs::MoneyUnit::digits_of(facts.money.positive)},
      settings.tolerates_missing);
}

Stream::~Stream() = default;

Result<void> Stream::run(Connection replication, StreamStart start) {
  position_ = StreamPosition(start.offset, start.lsn, facts_.system_id_text(), facts_.lasting_timeline());
  resume_ = ResumeFilter(start.offset);
  history_ = start.history;
  passing_ = false;
  until_ = start.until;
  const Offset& offset = position_.offset();
  source_.set_time(offset.ts_us);
  source_.set_xmin(offset.xmin);
  source_.set_lsn(offset.lsn.value_or(start.lsn));
  if (start.offset.own() && !start.offset.lsn_commit && offset.lsn_commit)
    source_.set_stand_in_commit(*offset.lsn_commit);
  else
    source_.set_commit(offset.lsn_commit);
  sink_.set_source_block(&source_);
  sink_.set_position_writer(&position_);

  link_ = std::make_unique<ReplicationLink>(std::move(replication), settings_.link, confirmations_, runtime_);
  link_->hold_confirmations(history_.active());
  const std::string& slot = settings_.control.slot.name;
  CDC_TRY(const StreamCommand command,
          start_replication_command(slot, start.lsn, start.publication, facts_.version,
                                    settings_.control.stream_params));
  for (const std::string& warning : command.warnings) runtime_.log.warn(warning);
  CDC_CHECK(begin(command.text,
                  fmt::format("starting to stream from slot '{}' at {}", slot, format_lsn(start.lsn))));
  sink_.set_wait_hook([this] {
    // A server that shuts down ends our other session, but waits for this one until it has sent all
    // (PG-FAIL-14).
    if (link_->keep_alive_blocked() && general_.ended_by_server()) link_->cut();
  });
  last_store_ = last_xmin_ = last_check_ = started_ = Clock::now();
  begun_at_ = start.lsn;
  backlog_end_ = start.now;

  auto result = relations_.begin();
  if (result) {
    // Said when nothing but the stream itself is waited for any more.
    runtime_.log.write(Level::info, "streaming",
                       fmt::format("streaming from slot '{}' at {}", slot, format_lsn(start.lsn)),
                       {{"position", format_lsn(start.lsn)}});
    result = loop();
  }
  sink_.set_wait_hook({});
  // What was pushed is handed over also when the connection failed; at an orderly end the position is
  // stored even when no event carries it (PG-TRAP-OFF-04).
  const bool sink_works =
      result || (result.error().kind != ErrorKind::sink && result.error().kind != ErrorKind::sink_gone);
  if (sink_works && (result || pushed_)) {
    pushed_ = false;
    auto flushed = sink_.flush(result.has_value());
    if (result && !flushed) result = std::move(flushed);
  }
  relations_.clear();
  return result;
}

// START_REPLICATION, again while somebody else holds the slot (PG-SLOT-08): after a crash that is our own
// old session, which the server has not noticed to be gone yet.
Result<void> Stream::begin(std::string_view command, const std::string& attempted) {
  const SlotSettings& slot = settings_.control.slot;
  for (int attempt = 0;; ++attempt) {
    auto started = link_->start(command, attempted);
    if (started || started.error().sqlstate != kObjectInUse) return started;
    if (attempt >= slot.max_retries) {
      CDC_TRY(const auto state, read_slot(general_, slot.name));
      return state && state->active ? tl::unexpected(slot_active_error(*state)) : started;
    }
    runtime_.log.warn(fmt::format("slot '{}' is in use; trying again in {} ms ({} of {})", slot.name,
                                  slot.retry_delay.count(), attempt + 1, slot.max_retries));
    if (runtime_.stop.wait_for(slot.retry_delay))
      return fail(ErrorKind::cancelled, "stopped while waiting for the slot");
  }
}

StreamPoint Stream::point() const {
  StreamPoint point;
  point.xid = static_cast<std::uint32_t>(position_.offset().tx_id.value_or(0));
  point.recent = recent_;
  if (!in_transaction_) point.reached = std::max(position_.reached(), server_end_);
  return point;
}

void Stream::end() {
  if (link_) link_->end();
}

bool Stream::finished() const { return at_end_ || runtime_.stop.requested() || sink_.finished(); }

Result<void> Stream::loop() {
  CDC_CHECK(fetch_xmin());
  WalMessage message;
  std::uint64_t reads = 0;
  while (!finished()) {
    CDC_TRY(const LinkStep step, link_->next(message));
    switch (step) {
      case LinkStep::message:
        if (link_->reads() != reads) {
          reads = link_->reads();
          sink_.received();
        }
        CDC_CHECK(on_message(message));
        break;
      case LinkStep::idle:
        CDC_CHECK(idle());
        break;
      case LinkStep::ended:
        return fail(ErrorKind::unreachable, "streaming changes: the server ended the stream",
                    "It is probably being shut down or restarted");
    }
  }
  return {};
}

// libpq's buffer is empty. Only when the socket is empty too is there time for anything else.
Result<void> Stream::idle() {
  CDC_CHECK(link_->keep_alive());
  CDC_TRY(const bool more, link_->read_pending());
  if (pushed_) {
    // A server that is busy sends on in a moment: handing over each little would cost more than the
    // decoding. A change that comes alone goes out at once.
    const auto held = Clock::now() - last_flush_;
    if (more && held < kLongestHold) return {};
    if (held < kGather) return link_->wait(milliseconds(1));
    pushed_ = false;
    last_flush_ = Clock::now();
    CDC_CHECK(sink_.flush(false));
  }
  if (more) return {};
  CDC_CHECK(tick());
  if (at_rest()) {
    CDC_TRY(turn_, sink_.idle());
  }
  const bool ask_often = until_.bounded() && !in_transaction_;
  CDC_CHECK(link_->wait(ask_often ? kBoundedPing : std::min(turn_, kLongestWait)));
  return {};
}

// Nothing is under way, and what the log held when the stream began was received. A server that says nothing
// for a while has nothing more to say.
bool Stream::at_rest() const {
  if (in_transaction_ || history_.active()) return false;
  return std::max({begun_at_, server_end_, position_.confirmable()}) >= backlog_end_ ||
         Clock::now() - started_ > kQuietStart;
}

Result<void> Stream::tick() {
  const auto now = Clock::now();
  if (until_.bounded() && !in_transaction_ && now - last_ping_ >= kBoundedPing) {
    last_ping_ = now;
    CDC_CHECK(link_->send_status(true));
  }
  CDC_CHECK(store_position());
  if (now - last_check_ >= settings_.link.status_interval) CDC_CHECK(check_general());
  return fetch_xmin();
}

// Keeps the slot moving although no event comes (PG-HB, user report PG-10): the position is stored and, once
// it is, confirmed. Never while anything that was received is on its way.
Result<void> Stream::store_position() {
  if (in_transaction_ || history_.active() || pushed_ || !settings_.link.confirms) return {};
  const Lsn lsn = std::max(position_.reached(), server_end_);
  const auto now = Clock::now();
  if (lsn <= stored_ || lsn <= confirmations_.durable()) return {};
  if (now - last_store_ < settings_.link.status_interval || !sink_.all_durable()) return {};
  position_.keepalive(lsn);
  last_store_ = now;
  stored_ = lsn;
  return sink_.flush(true);
}

Result<void> Stream::fetch_xmin() {
  const auto now = Clock::now();
  const bool first = !position_.offset().xmin;
  if (settings_.xmin_interval.count() == 0 || (!first && now - last_xmin_ < settings_.xmin_interval))
    return {};
  last_xmin_ = now;
  CDC_TRY(const auto slot, read_slot(general_, settings_.control.slot.name));
  if (!slot || !slot->catalog_xmin) return {};
  source_.set_xmin(*slot->catalog_xmin);
  position_.set_xmin(*slot->catalog_xmin);
  return {};
}

Error Stream::other_history() const {
  return fail(ErrorKind::position_lost,
              fmt::format("the server's log is not the one that the stored position {} comes from: what was "
                          "delivered last is not in it; this is a copy restored to an older state",
                          format_lsn(position_.confirmable())),
              std::string(kOtherHistoryHint))
      .value();
}

Result<bool> Stream::delivered_before(HistoryCheck::Step step) {
  if (step == HistoryCheck::Step::foreign) return tl::unexpected(other_history());
  link_->hold_confirmations(history_.active());
  return step == HistoryCheck::Step::pass;
}

// PG-CONN-06: a dead server is noticed even when the replication socket is silent.
Result<void> Stream::check_general() {
  last_check_ = Clock::now();
  return measure_slot(general_, facts_, settings_.control.slot.name, kCheckTimeout, runtime_.stats.details);
}

Result<void> Stream::on_keepalive(const WalMessage& message) {
  if (history_.active() && !passing_) CDC_CHECK(delivered_before(history_.reached(message.server_end)));
  if (!in_transaction_ && !passing_) server_end_ = std::max(server_end_, message.server_end);
  if (until_.wants_position(message.send_time_us)) {
    CDC_TRY(const Lsn now, current_lsn(general_, facts_));
    until_.set_position(now);
  }
  if (!in_transaction_ && !passing_ && until_.reached(message.server_end)) at_end_ = true;
  if (link_->storm() < kStorm) {
    storm_since_ = {};
    return {};
  }
  // The server waits for our confirmation in order to shut down. Confirm what can be confirmed, answer
  // for a moment more, then let go.
  const auto now = Clock::now();
  if (storm_since_ == Clock::time_point{}) {
    storm_since_ = now;
    if (pushed_) {
      pushed_ = false;
      CDC_CHECK(sink_.flush(true));
    }
    last_store_ = {};
  }
  CDC_CHECK(store_position());
  runtime_.stop.wait_for(milliseconds(5));
  if (now - storm_since_ < kStormLimit) return link_->keep_alive();
  link_->end();
  return fail(ErrorKind::unreachable, "streaming changes: the server is shutting down",
              "cdc connects again by itself where retries are allowed");
}

}  // namespace cdc::pg
