// Texts for the server and for the bounds of a run: START_REPLICATION, units of a snapshot, --until.
#include <doctest/doctest.h>

#include "source/postgres/bounds.h"
#include "source/postgres/key_ranges.h"
#include "source/postgres/snapshot_reader.h"
#include "source/postgres/stream_command.h"

using namespace cdc;
using namespace cdc::pg;

TEST_CASE("PG-STR-01 START_REPLICATION: options quoted, ours win, malformed pairs are told") {
  const auto plain = start_replication_command("s1", 0x16B3748, "MyPub", 150000, "").value();
  CHECK(
      plain.text ==
      R"(START_REPLICATION SLOT "s1" LOGICAL 0/16B3748 ("proto_version" '1', "publication_names" '"MyPub"', "messages" 'true'))");
  CHECK(plain.warnings.empty());
  const auto old =
      start_replication_command("s1", 0, "p", 130000, "origin=none;broken;proto_version=2;binary=off")
          .value();
  CHECK(
      old.text ==
      R"(START_REPLICATION SLOT "s1" LOGICAL 0/0 ("proto_version" '1', "publication_names" '"p"', "origin" 'none', "binary" 'off'))");
  CHECK(old.warnings.size() == 2);
  for (const char* params : {"binary=true", "streaming=on", "two_phase=1"}) {
    const auto other = start_replication_command("s1", 0, "p", 160000, params);
    REQUIRE_FALSE(other);
    CHECK(other.error().kind == ErrorKind::usage);
    CHECK(other.error().message.find(params) != std::string::npos);
  }
}

TEST_CASE("PG-DBUF-02 START_REPLICATION for a plugin without publication: no option is ours") {
  CHECK(start_replication_command("s1", 0x16B3748, "", 150000, "")->text ==
        R"(START_REPLICATION SLOT "s1" LOGICAL 0/16B3748)");
  CHECK(start_replication_command("s1", 0, "", 150000, "debug-mode=off")->text ==
        R"(START_REPLICATION SLOT "s1" LOGICAL 0/0 ("debug-mode" 'off'))");
}

TEST_CASE("CORE-PAR-03 predicates of key ranges: exclusive below, inclusive above") {
  const std::vector<std::string> one = {"id"}, two = {"a", "b\"c"};
  CHECK(range_predicate(one, {}, {}).empty());
  CHECK(range_predicate(one, {"5"}, {"9"}) == R"("id" > '5' AND "id" <= '9')");
  CHECK(range_predicate(two, {"it's", "1"}, {}) == R"(ROW("a", "b""c") > ROW('it''s', '1'))");
  CHECK(range_predicate(two, {}, {"x"}) == R"("a" <= 'x')");
}

TEST_CASE("PG-SNAP-09 PG-SNAP-18 the SELECT of a unit") {
  SnapshotTable table;
  table.description.id = {{}, "public", "t"};
  SnapshotUnit unit;
  CHECK(unit_sql(table, unit, {}) == R"(SELECT  FROM "public"."t")");
  table.description.columns = {{"id", 23, -1, true, false, {}}, {"v", 25, -1, false, false, {}}};
  table.key = {"id"};
  CHECK(unit_sql(table, unit, {}) == R"(SELECT "id", "v" FROM "public"."t")");
  unit.ordered = true;
  unit.lower = {"3"};
  unit.upper = {"7"};
  CHECK(unit_sql(table, unit, {"5"}) ==
        R"(SELECT "id", "v" FROM "public"."t" WHERE "id" > '5' AND "id" <= '7' ORDER BY "id")");
  table.condition = "v = 'x' OR v = 'y' -- both";
  CHECK(unit_sql(table, unit, {}) ==
        "SELECT \"id\", \"v\" FROM \"public\".\"t\" WHERE \"id\" > '3' AND \"id\" <= '7' AND (v = 'x' OR v = "
        "'y' -- "
        "both\n) ORDER BY \"id\"");
  unit = {};
  CHECK(unit_sql(table, unit, {}) ==
        "SELECT \"id\", \"v\" FROM \"public\".\"t\" WHERE (v = 'x' OR v = 'y' -- both\n)");
}

TEST_CASE("--until: positions, times, now; anything else is refused") {
  CHECK(parse_iso_time("1970-01-02") == 86'400'000'000);
  CHECK(parse_iso_time("1970-01-01T00:00:01.5Z") == 1'500'000);
  CHECK(parse_iso_time("1970-01-01 02:00+02:00") == 0);
  CHECK_FALSE(parse_iso_time("1970-02-30"));
  CHECK_FALSE(parse_iso_time("1970-01-01T25:00"));
  CHECK_FALSE(parse_iso_time("tomorrow"));
  const auto now = UntilBound::parse("now", 500);
  REQUIRE(now);
  CHECK(now->excludes(500, 0));
  CHECK_FALSE(now->excludes(499, 0));
  CHECK(now->reached(500));
  const auto time = UntilBound::parse("1970-01-01T00:00:01Z", 500);
  REQUIRE(time);
  CHECK(time->excludes(1, 1'000'001));
  CHECK_FALSE(time->excludes(1, 1'000'000));
  CHECK(time->wants_position(1'000'001));
  CHECK_FALSE(UntilBound::parse("", 0)->bounded());
  CHECK_FALSE(UntilBound::parse("soon", 0));
}
