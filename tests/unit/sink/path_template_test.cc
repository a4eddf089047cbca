// Path templates: which name a destination's file gets, and which files are ours.
#include <doctest/doctest.h>

#include <algorithm>

#include "memory_fs.h"
#include "sink/path_template.h"

namespace cdc::testing {
namespace {

PathTemplate parse(std::string_view text, bool numbered = false) {
  auto out = PathTemplate::parse(text, numbered, "/home/me");
  REQUIRE(out);
  return *out;
}
std::string name_of(std::string_view text, const Destination& to, bool numbered = false) {
  return PathTemplate::path(parse(text, numbered).key(to), 1'700'000'000'000, 17);
}
const Destination kOrders{0, "shop.public.orders", "shop", "public", "orders"};

}  // namespace

TEST_CASE("a template fills in its placeholders") {
  CHECK(name_of("out/{schema}.{table}.ndjson.zst", kOrders) == "/home/me/out/public.orders.ndjson.zst");
  CHECK(name_of("/a/{database}/{topic}/{date}/{seq}.ndjson", kOrders) ==
        "/a/shop/shop.public.orders/2023-11-14/000017.ndjson");
}

TEST_CASE("the number goes before the extension where the template has no place for it") {
  CHECK(name_of("changes.ndjson", kOrders, true) == "/home/me/changes.000017.ndjson");
  CHECK(name_of("x.ndjson.zst", kOrders, true) == "/home/me/x.000017.ndjson.zst");
  CHECK(name_of("x.zst", kOrders, true) == "/home/me/x.000017.zst");
  CHECK(name_of("v1.2/changes", kOrders, true) == "/home/me/v1.2/changes.000017");
  CHECK(name_of(".hidden", kOrders, true) == "/home/me/.hidden.000017");
  CHECK(name_of("{schema}.{table}", kOrders, true) == "/home/me/public.orders.000017");
  CHECK(name_of("{schema}.{table}.ndjson", kOrders, true) == "/home/me/public.orders.000017.ndjson");
  CHECK(name_of("{seq}-{table}.ndjson", kOrders, true) == "/home/me/000017-orders.ndjson");
}

TEST_CASE("values cannot leave the folder, and different values stay different") {
  CHECK(safe_name("../x") == "%2E.%2Fx");
  CHECK(safe_name("..") == "%2E.");
  CHECK(safe_name("a/b") == "a%2Fb");
  CHECK(safe_name("a%2Fb") == "a%252Fb");
  CHECK(safe_name("") == "_");
  CHECK(safe_name(std::string("a\0b\n", 4)) == "a%00b%0A");
  CHECK(safe_name("größe") == "größe");
  const std::string a = safe_name(std::string(300, 'x') + "a"), b = safe_name(std::string(300, 'x') + "b");
  CHECK(a.size() <= 180);
  CHECK(a != b);
}

TEST_CASE("records that belong to no table are filed under their topic") {
  CHECK(name_of("{table}.ndjson", {0, "__debezium-heartbeat.cdc", "", "", ""}) ==
        "/home/me/__debezium-heartbeat.cdc.ndjson");
  CHECK(name_of("{schema}.{table}.ndjson", {0, "hb", "", "", ""}) == "/home/me/_.hb.ndjson");
}

TEST_CASE("wrong templates are refused with the list of placeholders") {
  for (const char* text : {"{tabel}.ndjson", "{table.ndjson", "table}.ndjson", "{}.x"}) {
    const auto got = PathTemplate::parse(text, false, "/home/me");
    REQUIRE(!got);
    CHECK(got.error().kind == ErrorKind::usage);
    CHECK(got.error().hint.find("{schema}") != std::string::npos);
  }
  CHECK(PathTemplate::parse("out/", false, "/home/me").error().kind == ErrorKind::usage);
  CHECK(PathTemplate::parse("", false, "/home/me").error().kind == ErrorKind::usage);
}

TEST_CASE("a path is matched to its template and back to its key") {
  const PathTemplate name = parse("/o/{schema}.{table}.{date}.{seq}.ndjson");
  CHECK(name.matches("/o/public.orders.2023-11-14.000017.ndjson"));
  CHECK(name.matches("/o/a.b.c.2023-11-14.1000000.ndjson"));
  CHECK(!name.matches("/o/public.orders.2023-11-14.17.ndjson"));
  CHECK(!name.matches("/o/public.orders.2023-11-xx.000017.ndjson"));
  CHECK(!name.matches("/o/x/public.orders.2023-11-14.000017.ndjson"));
  FilePosition file;
  file.opened_ms = 1'700'000'000'000;
  file.sequence = 17;
  file.final_path = "/o/public.orders.2023-11-14.000017.ndjson";
  CHECK(name.key_of(file) == name.key(kOrders));
}

TEST_CASE("leftovers are found by the template's own names only") {
  MemoryFs fs;
  for (const char* path : {"/o/a/t1.ndjson.part", "/o/a/t2.ndjson.part", "/o/a/t1.ndjson", "/o/a/t1.csv.part",
                           "/o/t1.ndjson.part", "/o/a/b/t1.ndjson.part", "/x/a/t1.ndjson.part"})
    fs.put(path, "x");
  auto found = parse("/o/{schema}/{table}.ndjson").find(fs, ".part").files;
  std::sort(found.begin(), found.end());
  CHECK(found == std::vector<std::string>{"/o/a/t1.ndjson.part", "/o/a/t2.ndjson.part"});

  fs.unreadable.insert("/o/a");
  const auto less = parse("/o/{schema}/{table}.ndjson").find(fs, ".part");
  CHECK(less.files.empty());
  CHECK(less.unreadable == std::vector<std::string>{"/o/a: Permission denied"});
  CHECK(parse("/o/t1.ndjson").find(fs, ".part").files == std::vector<std::string>{"/o/t1.ndjson.part"});
}

}  // namespace cdc::testing
