// The wire of the replication connection. PQgetCopyData is called directly because the order of
// "look into libpq's buffer" and "read the socket" decides how much the server has to work (see wait).
#include "source/postgres/replication_link.h"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <thread>
#include <tuple>

#include "cdc/wall_clock.h"
#include "source/postgres/control/errors.h"
#include "source/postgres/pgoutput/bytes.h"
#include "source/postgres/pgoutput/messages.h"

namespace cdc::pg {
namespace {

using pgoutput::ByteReader;
using pgoutput::kPostgresEpochUs;

constexpr std::size_t kDataHeader = 25;               // 'w', start, end, time
constexpr int kEnoughPending = 16 * 1024;             // libpq reads so much at a time
constexpr std::chrono::microseconds kBusyFor{1'000};  // since the last bytes came
constexpr std::chrono::microseconds kLongestGather{500};
constexpr std::chrono::microseconds kLocalGather{150};  // over a Unix socket
constexpr int kRoom = 256 * 1024;  // more, and a server that is ahead sends no longer in larger packets
constexpr milliseconds kConfirmSpacing{20};  // at least so far apart while confirmations come in numbers
constexpr milliseconds kBlockedStatus{1'000};
constexpr std::string_view kAttempted = "streaming changes";

std::int64_t server_clock_now_us() { return wall_clock_us() - kPostgresEpochUs; }

Failure failure_of(const PGresult* result, PGconn* connection) {
  const auto field = [&](int code) {
    const char* text = result == nullptr ? nullptr : PQresultErrorField(result, code);
    return std::string(text == nullptr ? "" : text);
  };
  Failure failure{field(PG_DIAG_SQLSTATE), field(PG_DIAG_MESSAGE_PRIMARY), field(PG_DIAG_MESSAGE_DETAIL),
                  field(PG_DIAG_MESSAGE_HINT)};
  if (failure.message.empty()) failure.message = PQerrorMessage(connection);
  while (!failure.message.empty() && failure.message.back() == '\n') failure.message.pop_back();
  return failure;
}

// The bytes that wait in the socket.
int pending_in(int socket) {
  int pending = 0;
  return ioctl(socket, FIONREAD, &pending) == 0 ? pending : 0;
}

void set_low_water(int socket, int bytes) {
  setsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes);  // a socket without it is polled as ever
}

// Sleeps until the socket holds enough, or is short of room, or for as long as may be.
void gather(int socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_UNIX) {
    std::this_thread::sleep_for(kLocalGather);  // poll knows no low-water mark there
    return;
  }
  const timespec timeout{0, std::chrono::nanoseconds(kLongestGather).count()};
  pollfd wanted{socket, POLLIN, 0};
  set_low_water(socket, kEnoughPending);
  ppoll(&wanted, 1, &timeout, nullptr);
  set_low_water(socket, 1);  // for all that polls it elsewhere
}

void put_be64(char* to, std::uint64_t value) {
  for (int i = 7; i >= 0; --i, value >>= 8) to[i] = static_cast<char>(value & 0xFF);
}

}  // namespace

ReplicationLink::ReplicationLink(Connection connection, LinkSettings settings, Confirmations& confirmations,
                                 Runtime& runtime)
    : connection_(std::move(connection)),
      settings_(settings),
      confirmations_(confirmations),
      runtime_(runtime) {}

ReplicationLink::~ReplicationLink() { free_buffer(); }

void ReplicationLink::free_buffer() {
  if (buffer_ != nullptr) PQfreemem(buffer_);
  buffer_ = nullptr;
}

Result<void> ReplicationLink::start(std::string_view command, std::string_view attempted) {
  CDC_CHECK(connection_.begin_copy_both(command, attempted));
  // Many small packets fill the room of a socket long before their bytes do, and then the server has to wait.
  // Asking for a high mark once makes the room for it; unlike SO_RCVBUF it leaves the kernel free to make
  // more.
  set_low_water(PQsocket(connection_.raw()), kRoom);
  set_low_water(PQsocket(connection_.raw()), 1);
  streaming_ = true;
  last_status_ = last_message_ = Clock::now();
  return {};
}

Result<LinkStep> ReplicationLink::next(WalMessage& message) {
  free_buffer();
  const int size = PQgetCopyData(connection_.raw(), &buffer_, 1);
  if (size > 0) return take(buffer_, static_cast<std::size_t>(size), message);
  if (size < 0) return copy_ended();
  // With TLS a whole record may wait inside the library although the socket is empty (PG-LIBPQ-10).
  if (PQsslInUse(connection_.raw()) == 0) return LinkStep::idle;
  if (PQconsumeInput(connection_.raw()) == 0) return tl::unexpected(lost_error());
  ++reads_;
  const int again = PQgetCopyData(connection_.raw(), &buffer_, 1);
  if (again > 0) return take(buffer_, static_cast<std::size_t>(again), message);
  return again == 0 ? Result<LinkStep>(LinkStep::idle) : copy_ended();
}

Result<LinkStep> ReplicationLink::take(char* data, std::size_t size, WalMessage& message) {
  received_ = true;
  ByteReader in({data, size});
  const char kind = static_cast<char>(in.u8());
  if (kind == 'w' && size >= kDataHeader) {
    message.kind = WalMessage::Kind::data;
    message.start = in.u64();
    message.server_end = in.u64();
    message.send_time_us = static_cast<std::int64_t>(in.u64() + static_cast<std::uint64_t>(kPostgresEpochUs));
    message.reply_wanted = false;
    message.payload = {data + kDataHeader, size - kDataHeader};
    written_ = std::max({written_, message.start, message.server_end});
    storm_ = 0;
    return LinkStep::message;
  }
  if (kind == 'k' && size >= 18) {
    message.kind = WalMessage::Kind::keepalive;
    message.start = 0;
    message.server_end = in.u64();
    message.send_time_us = static_cast<std::int64_t>(in.u64() + static_cast<std::uint64_t>(kPostgresEpochUs));
    message.reply_wanted = in.u8() != 0;
    message.payload = {};
    written_ = std::max(written_, message.server_end);
    if (message.reply_wanted) {
      ++storm_;
      CDC_CHECK(send_status(false));
    }
    return LinkStep::message;
  }
  return fail(ErrorKind::corrupt,
              fmt::format("{}: the server sent a message of kind {} with {} bytes, which is not known",
                          kAttempted, static_cast<int>(static_cast<unsigned char>(kind)), size));
}

// PQgetCopyData said -1 (end of copy, or an error of the server) or -2 (connection).
Result<LinkStep> ReplicationLink::copy_ended() {
  streaming_ = false;
  if (auto error = pending_error()) return tl::unexpected(std::move(*error));
  if (PQstatus(connection_.raw()) == CONNECTION_BAD) return tl::unexpected(lost_error());
  return LinkStep::ended;
}

// What the server said before it ended the copy or closed the connection.
std::optional<Error> ReplicationLink::pending_error() {
  std::optional<Error> error;
  while (PGresult* result = PQgetResult(connection_.raw())) {
    const ExecStatusType status = PQresultStatus(result);
    const Failure failure = failure_of(result, connection_.raw());
    PQclear(result);
    if (!error && status == PGRES_FATAL_ERROR && !failure.sqlstate.empty())
      error = server_error(kAttempted, failure, connection_.subject());
    // The copy itself, which is not over; or a connection that would say the same for ever.
    if (status == PGRES_COPY_BOTH || status == PGRES_COPY_IN || status == PGRES_COPY_OUT ||
        PQstatus(connection_.raw()) == CONNECTION_BAD)
      break;
  }
  return error;
}

Error ReplicationLink::lost_error() {
  if (auto error = pending_error()) return std::move(*error);
  Failure failure = failure_of(nullptr, connection_.raw());
  failure.detail = "connection lost";  // how server_error tells it from an answer without SQLSTATE
  return server_error(kAttempted, failure, connection_.subject());
}

Result<void> ReplicationLink::consume() {
  PGconn* connection = connection_.raw();
  if (PQconsumeInput(connection) == 0) return tl::unexpected(lost_error());
  last_message_ = Clock::now();
  ++reads_;
  pinged_ = false;
  return {};
}

Result<bool> ReplicationLink::read_pending() {
  const int socket = PQsocket(connection_.raw());
  int pending = pending_in(socket);
  // The server sends each small message by itself, and a client that takes each one at once slows it down.
  // Where they come fast, let some gather first; a stream that was silent for a moment never waits here.
  if (pending < kEnoughPending && Clock::now() - last_message_ < kBusyFor) {
    gather(socket);
    pending = pending_in(socket);
  }
  if (pending == 0) return false;  // an end of the connection shows in wait()
  CDC_CHECK(consume());
  return true;
}

Result<void> ReplicationLink::wait(milliseconds longest) {
  const auto now = Clock::now();
  auto due = std::chrono::duration_cast<milliseconds>(last_status_ + settings_.status_interval - now);
  if (confirmable() > confirmed_)
    due = std::min(due, std::chrono::duration_cast<milliseconds>(last_status_ + kConfirmSpacing - now) +
                            milliseconds(1));
  const auto timeout = std::clamp(std::min(due, longest), milliseconds(0), milliseconds(60'000));
  std::array<pollfd, 3> fds{{{PQsocket(connection_.raw()), POLLIN, 0},
                             {runtime_.stop.fd(), POLLIN, 0},
                             {confirmations_.fd(), POLLIN, 0}}};
  const int ready = poll(fds.data(), fds.size(), static_cast<int>(timeout.count()));
  if (ready > 0 && (fds[2].revents & POLLIN) != 0) confirmations_.drain();
  if (ready > 0 && fds[0].revents != 0) return consume();
  return {};
}

Lsn ReplicationLink::confirmable() const {
  // PG-OFF-08: a server that sent nothing yet may hold less than we once saw.
  return settings_.confirms && received_ && !held_ ? std::max(confirmations_.durable(), confirmed_)
                                                   : confirmed_;
}

Result<void> ReplicationLink::keep_alive() {
  const Lsn lsn = confirmable();
  const auto now = Clock::now();
  const bool interval = now - last_status_ >= settings_.status_interval;
  const bool confirm = lsn > confirmed_ && now - last_status_ >= kConfirmSpacing;
  if (!interval && !confirm) return {};
  const auto silence = now - last_message_;
  if (silence > settings_.silence_limit && pinged_)
    return fail(ErrorKind::unreachable,
                fmt::format("{}: the server has sent nothing for {} s, though it was asked to answer",
                            kAttempted, std::chrono::duration_cast<std::chrono::seconds>(silence).count()),
                "Check the network and the server; cdc connects again by itself where retries are allowed");
  const bool ping = interval && silence >= settings_.status_interval;
  pinged_ = pinged_ || ping;
  return send_status(ping);
}

Result<void> ReplicationLink::send_status(bool ask_reply) {
  const Lsn lsn = confirmable();
  std::array<char, 34> message{};
  message[0] = 'r';
  put_be64(&message[1], std::max(written_, lsn));
  put_be64(&message[9], lsn);
  put_be64(&message[17], lsn);
  put_be64(&message[25], static_cast<std::uint64_t>(server_clock_now_us()));
  message[33] = ask_reply ? 1 : 0;
  auto sent = connection_.put_copy({message.data(), message.size()}, settings_.send_timeout);
  last_status_ = Clock::now();
  if (sent) {
    confirmed_ = lsn;
    return {};
  }
  const bool timed_out = sent.error().sqlstate.empty() && !connection_.broken();
  if (!timed_out || settings_.timeout_action == TimeoutAction::fail) return sent;
  if (settings_.timeout_action == TimeoutAction::warn)
    runtime_.log.warn(
        fmt::format("confirming position {} took longer than lsn.flush.timeout.ms", format_lsn(lsn)));
  return {};
}

bool ReplicationLink::keep_alive_blocked() {
  if (!streaming_ || Clock::now() - last_status_ < kBlockedStatus) return false;
  std::ignore = send_status(false);  // a connection that is lost is seen when it is read again
  return true;
}

void ReplicationLink::cut() { ::shutdown(PQsocket(connection_.raw()), SHUT_RDWR); }

void ReplicationLink::end() {
  if (!streaming_) return;
  streaming_ = false;
  free_buffer();
  connection_.ignore_stop(true);
  if (connection_.broken() || !send_status(false)) return;
  connection_.end_copy_both(milliseconds(3'000));
}

}  // namespace cdc::pg
