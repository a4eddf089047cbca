// T17 of core.md: modes against what is stored.
#include "capture/start_decision.h"

#include <doctest/doctest.h>

using namespace cdc;

namespace {

const std::optional<std::string> kNone;
const std::optional<std::string> kMid = R"({"snapshot":"INITIAL","snapshot_completed":false,"lsn":5})";
const std::optional<std::string> kDone =
    R"({"last_snapshot_record":true,"snapshot":"INITIAL","snapshot_completed":true,"lsn":5})";
const std::optional<std::string> kLegacy = R"({"snapshot":true,"lsn":5})";

std::string decide(const char* mode, const std::optional<std::string>& offset) {
  const auto config = config_of({{"snapshot.mode", mode}});
  const auto m = snapshot_mode(config.value());
  const auto d = decide_start(m.value(), offset_state(offset));
  if (!d) return "error";
  return std::string(d->snapshot ? "snapshot" : "-") + (d->stream ? " stream" : "") +
         (d->forget_offset ? " forget" : "");
}

}  // namespace

TEST_CASE("CORE-SNAP-01, PG-SNAP-02: what a start does") {
  struct Row {
    const char *mode, *none, *mid, *done;
  };
  for (const Row& row :
       {Row{"always", "snapshot stream forget", "snapshot stream forget", "snapshot stream forget"},
        Row{"initial", "snapshot stream", "snapshot stream forget", "- stream"},
        Row{"initial_only", "snapshot", "snapshot forget", "-"},
        Row{"no_data", "- stream", "error", "- stream"},
        Row{"when_needed", "snapshot stream", "snapshot stream forget", "- stream"}}) {
    CAPTURE(row.mode);
    CHECK(decide(row.mode, kNone) == row.none);
    CHECK(decide(row.mode, kMid) == row.mid);
    CHECK(decide(row.mode, kDone) == row.done);
  }
  CHECK(offset_state(kLegacy) == OffsetState::unfinished_snapshot);  // PG-TRAP-OFF-15
}

TEST_CASE("CORE-SNAP-06.5: the position is gone from the server") {
  const auto lost = [](const char* mode) {
    const auto config = config_of({{"snapshot.mode", mode}});
    return decide_lost(snapshot_mode(config.value()).value(), "slot gone", "");
  };
  REQUIRE_FALSE(lost("initial"));
  CHECK(lost("initial").error().kind == ErrorKind::position_lost);
  CHECK_FALSE(lost("no_data"));
  CHECK(lost("when_needed")->snapshot);
  CHECK_FALSE(lost("initial_only")->stream);
}
