// Statements of incremental snapshots, and windows of read-only ones.
#include <doctest/doctest.h>

#include <array>

#include "source/postgres/incremental/chunk_sql.h"
#include "source/postgres/incremental/xid_window.h"

using namespace cdc;
using namespace cdc::pg;

namespace {

ChunkQuery query(std::vector<KeyColumn> key) {
  ChunkQuery q;
  q.table = {"", "public", "it's"};
  q.columns = {"id", "v"};
  q.key = std::move(key);
  q.limit = 10;
  return q;
}

}  // namespace

TEST_CASE("PG-INC-02: chunks of one and of several key columns") {
  ChunkQuery one = query({{"id"}});
  CHECK(chunk_sql(one) == R"(SELECT "id", "v" FROM "public"."it's" ORDER BY "id" LIMIT 10)");
  const KeyTexts after{"a'b"}, upto{"z"};
  one.after = &after;
  one.upto = &upto;
  one.condition = "v = 1 OR v = 2";
  CHECK(
      chunk_sql(one) ==
      R"(SELECT "id", "v" FROM "public"."it's" WHERE "id" > 'a''b' AND "id" <= 'z' AND (v = 1 OR v = 2) ORDER BY "id" LIMIT 10)");
  ChunkQuery two = query({{"a"}, {"b"}});
  const KeyTexts border{"1", "2"}, last{"3", "4"};
  two.after = &border;
  two.upto = &last;
  CHECK(
      chunk_sql(two) ==
      R"(SELECT "id", "v" FROM "public"."it's" WHERE ROW("a", "b") > ROW('1', '2') AND ROW("a", "b") <= ROW('3', '4') ORDER BY "a", "b" LIMIT 10)");
  const std::array<KeyColumn, 2> key{KeyColumn{"a"}, KeyColumn{"b"}};
  CHECK(maximum_sql(two.table, key, "") ==
        R"(SELECT "a", "b" FROM "public"."it's" ORDER BY "a" DESC, "b" DESC LIMIT 1)");
}

TEST_CASE("CORE-INC-11: nullable key columns, NULLs last") {
  ChunkQuery q = query({{"a", true}, {"b", true}});
  const KeyTexts after{"1", std::nullopt}, upto{std::nullopt, "x"};
  q.after = &after;
  q.upto = &upto;
  CHECK(
      chunk_sql(q) ==
      R"(SELECT "id", "v" FROM "public"."it's" WHERE (("a" > '1' OR "a" IS NULL) OR ("a" = '1' AND 1 = 0)) )"
      R"(AND NOT ((1 = 0 OR ("a" IS NULL AND ("b" > 'x' OR "b" IS NULL)))) ORDER BY "a", "b" LIMIT 10)");
}

TEST_CASE("PG-INC-05: read-only windows open and close by transaction ids") {
  XidWindow window;
  window.mark_low({100, 105});
  window.mark_high({103, 110}, 5000);
  CHECK_FALSE(window.open(99));
  CHECK(window.open(100));
  CHECK_FALSE(window.over(WindowMoment::row, 110, 0));
  CHECK(window.over(WindowMoment::row, 111, 0));
  CHECK(window.over(WindowMoment::commit, 110, 0));
  CHECK_FALSE(window.over(WindowMoment::commit, 107, 0));
  CHECK(window.over(WindowMoment::commit, 103, 0));
  CHECK_FALSE(window.over(WindowMoment::rest, 107, 4999));
  CHECK(window.over(WindowMoment::rest, 107,
                    5000));  // PG-TRAP-INC-08: an old transaction that stays open holds nothing up
  CHECK(window.over(WindowMoment::rest, 0, 0));  // nothing was streamed yet
}

TEST_CASE("PG-INC-06: 32-bit ids of the stream against 64-bit ones of the server") {
  constexpr std::uint64_t kEpoch = std::uint64_t{1} << 32;
  CHECK(extend_xid(0, 7 * kEpoch) == 0);
  CHECK(extend_xid(5, 3 * kEpoch + 10) == 3 * kEpoch + 5);
  CHECK(extend_xid(0xFFFFFFF0, 3 * kEpoch + 10) == 2 * kEpoch + 0xFFFFFFF0);
  CHECK(extend_xid(5, 3 * kEpoch - 10) == 3 * kEpoch + 5);
  CHECK(extend_xid(5, 10) == 5);
  XidWindow window;
  window.mark_low({3 * kEpoch + 100, 3 * kEpoch + 100});
  window.mark_high({3 * kEpoch + 100, 3 * kEpoch + 100}, 1);
  CHECK(window.over(WindowMoment::row, 101, 0));
  CHECK(window.over(WindowMoment::commit, 99, 0));
}

TEST_CASE("PG-INC-05: pg_current_snapshot() as text") {
  CHECK(parse_transaction_snapshot("10:20:10,14")->xmax == 20);
  const auto running = parse_transaction_snapshot("10:20:14,10").value();
  CHECK(running_in(running, 10));
  CHECK_FALSE(running_in(running, 11));  // ended
  CHECK(running_in(running, 14));
  CHECK(running_in(running, 20));  // begun later
  CHECK_FALSE(running_in(running, 9));
  CHECK_FALSE(running_in(running, 0));
  CHECK(parse_transaction_snapshot("18446744073709551615:18446744073709551615:")->xmin ==
        18446744073709551615U);
  for (const char* bad : {"", "10", "10:", "x:1:", ":"}) CHECK_FALSE(parse_transaction_snapshot(bad));
}
