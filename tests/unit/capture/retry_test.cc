// Which failures are tried again.
#include <doctest/doctest.h>

#include "capture/session.h"

using namespace cdc;

TEST_CASE(
    "CORE-ERR-02: what passes by itself is tried again, and what internal.custom.retriable.exception finds") {
  const auto error = [](const char* message, bool retriable) {
    return Error{ErrorKind::refused, message, {}, {}, retriable};
  };
  const Error broken = error("the pooler said no, again", false);
  const Error passing = error("the pooler said no, again", true);
  const auto plain = Retry::make(config_of({}).value()).value();
  CHECK(plain.worth(passing));
  CHECK_FALSE(plain.worth(broken));
  const auto told =
      Retry::make(config_of({{"internal.custom.retriable.exception", "pooler said (no|later)"}}).value())
          .value();
  CHECK(told.worth(broken));
  CHECK_FALSE(told.worth(error("something else", false)));
}
