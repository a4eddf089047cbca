// ReplicationLink: the replication connection while it streams. Takes messages off the wire, answers
// keepalives, sends status updates with what may be confirmed (PG-LIBPQ-09..17, PG-FLUSH-03). Knows
// nothing of what the messages mean. One thread owns it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/error.h"
#include "cdc/runtime.h"
#include "source/postgres/confirmations.h"
#include "source/postgres/control/connection.h"
#include "source/postgres/control/lsn.h"

namespace cdc::pg {

enum class TimeoutAction : std::uint8_t { fail, warn, ignore };

struct LinkSettings {
  milliseconds status_interval{10'000};
  milliseconds send_timeout{30'000};  // lsn.flush.timeout.ms
  TimeoutAction timeout_action = TimeoutAction::fail;
  milliseconds silence_limit{
      60'000};           // no message at all for so long, though asked for one: the server is gone
  bool confirms = true;  // false: lsn.flush.mode=manual
};

struct WalMessage {
  enum class Kind : std::uint8_t { data, keepalive };
  Kind kind = Kind::data;
  Lsn start = 0;                  // data: position of the message; 0 for some (PG-TRAP-DEC-03)
  Lsn server_end = 0;             // where the server stands
  std::int64_t send_time_us = 0;  // the server's clock, since 1970
  bool reply_wanted = false;
  std::string_view payload;  // data; lives until the next call
};

enum class LinkStep : std::uint8_t {
  message,
  idle,   // nothing is there at the moment
  ended,  // the server ended the stream
};

class ReplicationLink {
 public:
  ReplicationLink(Connection connection, LinkSettings settings, Confirmations& confirmations,
                  Runtime& runtime);
  ~ReplicationLink();
  ReplicationLink(const ReplicationLink&) = delete;
  ReplicationLink& operator=(const ReplicationLink&) = delete;

  // START_REPLICATION.
  Result<void> start(std::string_view command, std::string_view attempted);

  // The next message, without blocking. Answers to keepalives that want one are sent at once.
  Result<LinkStep> next(WalMessage& message);
  // How often bytes were taken from the socket: messages between two changes of it came together.
  std::uint64_t reads() const { return reads_; }
  // After `idle`: takes what the socket holds; false: it holds nothing. Where messages arrive fast, waits
  // a moment for more to gather first (coalesced reads).
  Result<bool> read_pending();
  // Sleeps until there may be a message, a confirmation, a status update due, stop, or `longest`.
  Result<void> wait(milliseconds longest);
  // Sends a status update when a confirmation or the interval asks for it. Cheap when nothing is due.
  // Nothing is confirmed meanwhile: not yet known to be the server's own history.
  void hold_confirmations(bool hold) { held_ = hold; }
  Result<void> keep_alive();
  Result<void> send_status(bool ask_reply);
  // The same from within a push that waits for the sink: at most once a second, nothing is read. False: it
  // was too early.
  bool keep_alive_blocked();
  // Ends the connection under a server that waits for us in order to shut down, while we wait for the sink.
  // What was received stays; afterwards the connection is lost.
  void cut();

  Lsn confirmed() const { return confirmed_; }  // told to the server as flushed
  // How many keepalives in a row wanted a reply at once (PG-FAIL-14).
  unsigned storm() const { return storm_; }
  // Orderly end: last status, CopyDone, up to a few seconds for the rest (PG-LIBPQ-16).
  void end();

 private:
  using Clock = std::chrono::steady_clock;
  Result<LinkStep> take(char* data, std::size_t size, WalMessage& message);
  Result<LinkStep> copy_ended();
  Result<void> consume();
  std::optional<Error> pending_error();
  Error lost_error();
  Lsn confirmable() const;
  void free_buffer();

  Connection connection_;
  LinkSettings settings_;
  Confirmations& confirmations_;
  Runtime& runtime_;
  char* buffer_ = nullptr;  // of libpq; what the last message points into
  Lsn written_ = 0;
  Lsn confirmed_ = 0;
  bool received_ = false;
  bool held_ = false;
  bool streaming_ = false;
  unsigned storm_ = 0;
  std::uint64_t reads_ = 0;
  Clock::time_point last_status_{}, last_message_{}, storm_began_{};
  bool pinged_ = false;
};

}  // namespace cdc::pg
