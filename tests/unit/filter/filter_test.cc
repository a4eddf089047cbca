// Filters: CORE-FLT, CORE-COL-01, CORE-KEY-03, order of snapshots.
#include <doctest/doctest.h>

#include "filter/collection_filter.h"
#include "filter/column_filter.h"
#include "filter/unmatched_names.h"

using namespace cdc;

TEST_CASE("CORE-FLT-02, -04, -07: whole names, either case, signal tables always") {
  const auto config =
      config_of({{"table.include.list", "public.z_.*, PUBLIC.a_one"}, {"signal.data.collection", "ops.sig"}});
  const auto f = CollectionFilter::make(config.value()).value();
  CHECK(f.captured({"", "public", "z_1"}));
  CHECK(f.captured({"", "public", "A_ONE"}));
  CHECK_FALSE(f.captured({"", "public", "xa_one"}));
  CHECK(f.captured({"", "ops", "sig"}));
  CHECK_FALSE(f.in_snapshot({"", "ops", "sig"}));
}

TEST_CASE("CORE-SNAP-08: order of the list's pieces, then by name in UTF-16 order") {
  const auto config = config_of({{"table.include.list", "public.z.*,public.a.*"}});
  const auto f = CollectionFilter::make(config.value()).value();
  std::vector<TableId> ids{
      {"", "public", "a1"}, {"", "public", "zb"}, {"", "public", "za"}, {"", "public", "aB"}};
  f.sort_for_snapshot(ids);
  std::string order;
  for (const TableId& id : ids) order += id.table + " ";
  CHECK(order == "za zb a1 aB ");
  CHECK(utf16_less("\xF0\x9F\x98\x80", "\xEF\xBF\xBD"));  // U+1F600 sorts below U+FFFD
  CHECK(utf16_less("Z", "a"));
}

TEST_CASE("CORE-COL-01: lists of columns; an empty include list leaves nothing") {
  const auto excluded = config_of({{"column.exclude.list", ".*\\.secret"}});
  const auto f = ColumnFilter::make(excluded.value()).value();
  CHECK_FALSE(f.printed({"", "public", "t"}, "secret"));
  CHECK(f.printed({"", "public", "t"}, "open"));
}

TEST_CASE("CORE-KEY-02, -03: key columns in the order written; twice is an error") {
  const auto config = config_of({{"message.key.columns", "public.inv_(b|c):owner,code;public.x:(a|b),b"}});
  const auto keys = KeyColumns::make(config.value()).value();
  CHECK(keys.key_of({"", "public", "inv_b"}, {"id", "code", "owner"}).value().value() ==
        std::vector<std::size_t>{2, 1});
  CHECK_FALSE(keys.key_of({"", "public", "other"}, {"id"}).value().has_value());
  CHECK_FALSE(keys.key_of({"", "public", "x"}, {"a", "b"}));
}

TEST_CASE("names in filters and rules that stand for nothing are told, each piece by itself") {
  const auto config = config_of({{"table.include.list", "public\\.orders, orders ,public\\.nope"},
                                 {"schema.exclude.list", "audit,public"},
                                 {"column.mask.with.3.chars", ".*\\.mail,.*\\.nmae"},
                                 {"column.exclude.list", "public\\.orders\\.id"}});
  REQUIRE(config);
  CHECK(unmatched_tables(*config, {{"", "public", "items"}, {"", "public", "orders"}}) ==
        std::vector<std::string>{"schema.exclude.list: 'audit' matches no schema that has tables",
                                 "table.include.list: 'orders' matches no table (names are matched with "
                                 "their schema: public.orders)",
                                 "table.include.list: 'public\\.nope' matches no table"});
  CHECK(unmatched_columns(*config, {{{"", "public", "orders"}, "id"}, {{"", "public", "orders"}, "mail"}}) ==
        std::vector<std::string>{
            "column.mask.with.3.chars: '.*\\.nmae' matches no column of a captured table"});
  CHECK(names_tables(*config));
  CHECK(names_columns(*config));
  CHECK_FALSE(names_tables(config_of({{"column.include.list", "a"}}).value()));
  CHECK_FALSE(names_columns(config_of({{"table.include.list", "a"}}).value()));
}
