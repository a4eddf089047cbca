// Errors are values. A function that can fail returns Result<T>; nothing in cdc throws across a
// thread or a library boundary. The kind alone decides exit status and whether capture retries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace cdc {

enum class ErrorKind : std::uint8_t {
  usage,          // wrong flag, property, URL, file: the user mends it            exit 2
  unreachable,    // no connection, connection lost, server shutting down          exit 3, retriable
  refused,        // the server said no: privilege, password, wal_level, slot busy exit 3
  position_lost,  // the stored position is gone: going on would lose changes      exit 4
  sink,           // the output cannot be written                                  exit 5
  sink_gone,      // the reader of stdout went away (EPIPE)                        silent end by SIGPIPE rules
  event,          // one event or value could not be processed                     exit 6
  corrupt,        // bytes from the network or from our own state make no sense    exit 1
  unsupported,    // known, but this build or server cannot do it                  exit 2
  internal,       // a bug of ours                                                 exit 1
  cancelled,      // stop was asked for; not a failure                             exit 0
};

// What the user reads: `message` says what was attempted on which object (at which position) and
// what came back; `hint` says how to mend it. Both are complete sentences without a final period.
struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  std::string hint;
  std::string sqlstate;    // of a database server, where there is one
  bool retriable = false;  // capture may try the same thing again later
};

// What a step without a value returns. The default constructor of tl::expected is a defaulted one, so that
// each `return {};` would clear the whole object, room for an error included; a streamed row passes some
// twenty of those. Here it sets the flag and leaves the rest.
class Done : public tl::expected<void, Error> {
 public:
  Done() noexcept {}  // NOLINT(modernize-use-equals-default): it has to be user-provided
  Done(tl::expected<void, Error> other) : tl::expected<void, Error>(std::move(other)) {}
  Done(tl::unexpected<Error> error) : tl::expected<void, Error>(std::move(error)) {}
};

namespace detail {
template <class T>
struct ResultOf {
  using type = tl::expected<T, Error>;
};
template <>
struct ResultOf<void> {
  using type = Done;
};
}  // namespace detail

template <class T>
using Result = typename detail::ResultOf<T>::type;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(
      Error{kind, std::move(message), std::move(hint), {}, kind == ErrorKind::unreachable});
}

// Exit status of the process for an error that ends it (product.md, "Exit status").
int exit_status(ErrorKind kind);
std::string_view kind_name(ErrorKind kind);

}  // namespace cdc

// Propagates an error: CDC_TRY(value, expression) or CDC_CHECK(expression) for Result<void>.
#define CDC_CONCAT_(a, b) a##b
#define CDC_CONCAT(a, b) CDC_CONCAT_(a, b)
#define CDC_TRY_(tmp, decl, ...)                                         \
  auto tmp = (__VA_ARGS__);                                              \
  if (!tmp) return tl::unexpected<::cdc::Error>(std::move(tmp).error()); \
  decl = std::move(*tmp)
#define CDC_TRY(decl, ...) CDC_TRY_(CDC_CONCAT(cdc_try_, __LINE__), decl, __VA_ARGS__)
#define CDC_CHECK(...)                                                   \
  do {                                                                   \
    if (auto cdc_check = (__VA_ARGS__); !cdc_check)                      \
      return tl::unexpected<::cdc::Error>(std::move(cdc_check).error()); \
  } while (false)
