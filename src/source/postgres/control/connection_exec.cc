// Running statements and COPY on a Connection: sending, waiting with a deadline, cancelling, collecting.
#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>

#include "source/postgres/control/connection_state.h"

namespace cdc::pg {
namespace {

constexpr milliseconds kCancelGrace{10'000};  // for the answer to a cancel request

std::string field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? std::string() : std::string(text);
}

Failure failure_of(const PGresult* result) {
  Failure failure{field(result, PG_DIAG_SQLSTATE), field(result, PG_DIAG_MESSAGE_PRIMARY),
                  field(result, PG_DIAG_MESSAGE_DETAIL), field(result, PG_DIAG_MESSAGE_HINT)};
  if (failure.message.empty()) failure.message = PQresultErrorMessage(result);
  return failure;
}

Error stopped_error(std::string_view attempted) {
  return Error{ErrorKind::cancelled, fmt::format("stopped while {}", attempted), {}, {}, false};
}

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

}  // namespace

Error Connection::last_error(std::string_view attempted) const {
  return server_error(attempted, Failure{{}, PQerrorMessage(state_->conn), "connection lost", {}},
                      state_->subject);
}

bool Connection::ended_by_server() {
  pollfd fd{PQsocket(state_->conn), POLLIN, 0};
  while (!broken() && poll(&fd, 1, 0) > 0)
    if (PQconsumeInput(state_->conn) == 0) state_->dead = true;
  return broken();
}

Result<Rows> Connection::exec(std::string_view sql, std::string_view attempted,
                              std::optional<milliseconds> timeout) {
  if (broken()) return tl::unexpected(last_error(attempted));
  if (state_->stop_wanted()) return tl::unexpected(stopped_error(attempted));
  if (PQsendQuery(state_->conn, std::string(sql).c_str()) == 0) return tl::unexpected(last_error(attempted));
  return collect(attempted, timeout);
}

Result<Rows> Connection::exec_params(std::string_view sql, std::span<const std::optional<std::string>> params,
                                     std::string_view attempted, std::optional<milliseconds> timeout) {
  if (broken()) return tl::unexpected(last_error(attempted));
  if (state_->stop_wanted()) return tl::unexpected(stopped_error(attempted));
  std::vector<const char*> values;
  values.reserve(params.size());
  for (const auto& p : params) values.push_back(p ? p->c_str() : nullptr);
  if (PQsendQueryParams(state_->conn, std::string(sql).c_str(), static_cast<int>(values.size()), nullptr,
                        values.data(), nullptr, nullptr, 0) == 0)
    return tl::unexpected(last_error(attempted));
  return collect(attempted, timeout);
}

void Connection::when_slow(milliseconds after, std::function<void()> tell) {
  state_->slow_after = after;
  state_->when_slow = std::move(tell);
}

// Reads results until the command has ended, or until it has become a COPY. The first error wins.
Result<Rows> Connection::collect(std::string_view attempted, std::optional<milliseconds> timeout) {
  State& s = *state_;
  const milliseconds limit = timeout.value_or(s.query_timeout);
  auto deadline = deadline_in(limit);
  auto slow = s.when_slow ? deadline_in(s.slow_after) : Clock::time_point::max();
  enum class Cancel : std::uint8_t { none, timed_out, stopped } cancel = Cancel::none;
  const bool ignored_before = s.ignore_stop;
  ResultPtr last, error;

  // Cancels once; the second time the connection is given up. True: go on waiting.
  const auto interrupted = [&](Wakeup woken) {
    if (cancel != Cancel::none || woken == Wakeup::failed) {
      s.dead = true;
      return false;
    }
    cancel = woken == Wakeup::stopped ? Cancel::stopped : Cancel::timed_out;
    s.ignore_stop = true;  // while the cancel is on its way
    deadline = deadline_in(kCancelGrace);
    s.cancel();
    return true;
  };

  bool alive = true;
  for (Wakeup sent = s.flush(deadline); sent != Wakeup::ready; sent = s.flush(deadline)) {
    alive = interrupted(sent);
    if (!alive) break;
  }
  while (alive) {
    while (alive && PQisBusy(s.conn) != 0) {
      const Wakeup woken = s.wait(POLLIN, std::min(deadline, slow));
      if (woken == Wakeup::timeout && slow < deadline) {
        slow = Clock::time_point::max();
        s.when_slow();
      } else if (woken != Wakeup::ready) {
        alive = interrupted(woken);
      } else if (PQconsumeInput(s.conn) == 0) {
        alive = false;
      }
    }
    if (!alive) break;
    ResultPtr result(PQgetResult(s.conn));
    if (result == nullptr) break;
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH) {
      s.copy = status == PGRES_COPY_OUT ? CopyMode::out : CopyMode::both;
      last = std::move(result);
      break;
    }
    if (status == PGRES_COPY_IN) {  // the server ended a COPY BOTH; our side ends it too
      PQputCopyEnd(s.conn, nullptr);
      s.flush(deadline);
    } else if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY) {
      last = std::move(result);
    } else if (error == nullptr) {
      error = std::move(result);
    }
  }
  s.ignore_stop = ignored_before;

  if (cancel == Cancel::stopped && (error != nullptr || !alive))
    return tl::unexpected(stopped_error(attempted));
  if (cancel == Cancel::timed_out && (error != nullptr || !alive)) {
    Error e;
    e.kind = alive ? ErrorKind::refused : ErrorKind::unreachable;
    e.retriable = !alive;
    e.message = fmt::format("{} took longer than {} ms{}", attempted, limit.count(),
                            alive ? " and was cancelled" : ": the server does not answer");
    e.hint = alive ? "look for locks and long transactions in pg_stat_activity"
                   : "the server or the network hangs";
    e.sqlstate = alive ? "57014" : "";
    return tl::unexpected(std::move(e));
  }
  if (error != nullptr) {
    Failure failure = failure_of(error.get());
    if (failure.sqlstate.empty() && broken()) failure.detail = "connection lost";
    return tl::unexpected(server_error(attempted, failure, s.subject));
  }
  if (!alive) return tl::unexpected(last_error(attempted));
  return Rows(last.release());
}

Result<Rows> Connection::await_copy(std::string_view attempted, std::optional<milliseconds> timeout) {
  CDC_TRY(Rows rows, collect(attempted, timeout));
  if (state_->copy == CopyMode::none)
    return fail(ErrorKind::internal, fmt::format("{}: the server did not begin a COPY", attempted));
  state_->copy_attempted = attempted;
  return rows;
}

Result<void> Connection::begin_copy_out(std::string_view sql, std::string_view attempted) {
  State& s = *state_;
  if (broken()) return tl::unexpected(last_error(attempted));
  if (s.stop_wanted()) return tl::unexpected(stopped_error(attempted));
  s.first_row_deadline = deadline_in(s.query_timeout);
  s.first_row_pending = true;
  if (PQsendQuery(s.conn, std::string(sql).c_str()) == 0) return tl::unexpected(last_error(attempted));
  CDC_CHECK(await_copy(attempted, std::nullopt));
  return {};
}

Result<void> Connection::begin_copy_both(std::string_view sql, std::string_view attempted,
                                         std::optional<milliseconds> timeout) {
  State& s = *state_;
  if (broken()) return tl::unexpected(last_error(attempted));
  if (s.stop_wanted()) return tl::unexpected(stopped_error(attempted));
  s.first_row_pending = false;
  if (PQsendQuery(s.conn, std::string(sql).c_str()) == 0) return tl::unexpected(last_error(attempted));
  CDC_CHECK(await_copy(attempted, timeout));
  return {};
}

Result<CopyStep> Connection::try_copy_row(CopyRow& row) {
  State& s = *state_;
  row.reset();
  for (bool consumed = false;; consumed = true) {
    const int length = PQgetCopyData(s.conn, &row.data_, 1);
    if (length > 0) {
      row.size_ = static_cast<std::size_t>(length);
      s.first_row_pending = false;
      return CopyStep::row;
    }
    if (length < 0) {  // -1: the end, or the server's error, which the results tell; -2: protocol trouble
      s.copy = CopyMode::none;
      if (length == -2 || broken()) return tl::unexpected(last_error(s.copy_attempted));
      const std::string attempted = s.copy_attempted;
      CDC_CHECK(collect(attempted, kCancelGrace));
      return CopyStep::end;
    }
    if (consumed) return CopyStep::wait;
    if (PQconsumeInput(s.conn) == 0) return tl::unexpected(last_error(s.copy_attempted));
  }
}

Result<bool> Connection::next_copy_row(CopyRow& row) {
  State& s = *state_;
  for (;;) {
    if (s.stop_wanted()) return tl::unexpected(stopped_error(s.copy_attempted));
    CDC_TRY(const CopyStep step, try_copy_row(row));
    if (step != CopyStep::wait) return step == CopyStep::row;
    const Wakeup woken =
        s.wait(POLLIN, s.first_row_pending ? s.first_row_deadline : Clock::time_point::max());
    if (woken == Wakeup::timeout) {
      abandon_copy();
      return fail(ErrorKind::refused,
                  fmt::format("{}: no row came within {} ms (database.query.timeout.ms)", s.copy_attempted,
                              s.query_timeout.count()),
                  "raise database.query.timeout.ms, or look for locks in pg_stat_activity");
    }
    if (woken == Wakeup::failed) return tl::unexpected(last_error(s.copy_attempted));
  }
}

Result<Wait> Connection::wait_readable(milliseconds timeout) {
  State& s = *state_;
  const Wakeup woken = s.wait(POLLIN, Clock::now() + timeout);
  if (woken == Wakeup::stopped) return tl::unexpected(stopped_error(s.copy_attempted));
  if (woken == Wakeup::failed) return tl::unexpected(last_error(s.copy_attempted));
  return woken == Wakeup::ready ? Wait::ready : Wait::timeout;
}

Result<void> Connection::put_copy(std::string_view message, milliseconds timeout) {
  State& s = *state_;
  const auto deadline = deadline_in(timeout);
  const bool ignored_before = s.ignore_stop;
  s.ignore_stop = true;  // a confirmation under way is finished even when stop is asked for
  Wakeup sent = Wakeup::ready;
  for (;;) {
    const int taken = PQputCopyData(s.conn, message.data(), static_cast<int>(message.size()));
    if (taken < 0) sent = Wakeup::failed;
    if (taken != 0 || sent != Wakeup::ready) break;
    sent = s.flush(deadline);
  }
  if (sent == Wakeup::ready) sent = s.flush(deadline);
  s.ignore_stop = ignored_before;
  if (sent == Wakeup::timeout)
    return fail(ErrorKind::unreachable,
                fmt::format("the server took no status update within {} ms", timeout.count()));
  if (sent != Wakeup::ready) return tl::unexpected(last_error("sending a status update"));
  return {};
}

void Connection::end_copy_both(milliseconds timeout) {
  State& s = *state_;
  if (s.copy != CopyMode::both || broken()) return;
  const auto deadline = deadline_in(timeout);
  s.ignore_stop = true;
  if (PQputCopyEnd(s.conn, nullptr) < 0 || s.flush(deadline) != Wakeup::ready) return;
  CopyRow discarded;
  for (;;) {
    const auto step = try_copy_row(discarded);
    if (!step || *step == CopyStep::end) return;
    if (Clock::now() >= deadline) return;
    if (*step == CopyStep::wait && s.wait(POLLIN, deadline) != Wakeup::ready) return;
  }
}

void Connection::abandon_copy() {
  State& s = *state_;
  if (s.copy == CopyMode::none || broken()) return;
  const auto deadline = deadline_in(kCancelGrace);
  const bool ignored_before = s.ignore_stop;
  s.ignore_stop = true;
  s.cancel();
  CopyRow discarded;
  for (;;) {
    const auto step = try_copy_row(discarded);
    if (!step || *step == CopyStep::end) break;
    if (*step == CopyStep::wait && s.wait(POLLIN, deadline) != Wakeup::ready) {
      s.dead = true;
      break;
    }
  }
  s.copy = CopyMode::none;
  s.ignore_stop = ignored_before;
}

}  // namespace cdc::pg
