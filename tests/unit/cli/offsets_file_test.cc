// Offset files of others, in all forms and torn in all places; examples that must load.
#include "cli/offsets_file.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "cdc/config.h"

using namespace cdc;
using namespace cdc::cli;

TEST_CASE("import: Debezium's binary file, and no torn part of it (CORE-OFF-10, CORE-OFF-12)") {
  const std::string file =
      write_debezium_offsets({{"e", R"({"server":"shop"})", R"({"lsn":1})"}, {"e", R"({"server":"b"})", {}}});
  const auto offsets = read_offsets(file);
  REQUIRE(offsets.has_value());
  REQUIRE(offsets->size() == 2);
  CHECK(offsets->front().value == R"({"lsn":1})");
  CHECK_FALSE(offsets->back().value.has_value());
  for (std::size_t length = 0; length < file.size(); ++length) {
    CAPTURE(length);
    const auto torn = read_offsets(std::string_view(file).substr(0, length));
    REQUIRE_FALSE(torn.has_value());
    CHECK(torn.error().kind == ErrorKind::corrupt);
  }
}

TEST_CASE("import: JSON lines of `offsets show --json` (CORE-OFF-14)") {
  const auto offsets = read_offsets(
      "{\"name\":\"shop\",\"partition\":{\"server\":\"shop\"},\"offset\":{\"lsn\":1},\"snapshot\":null,"
      "\"files\":[]}\r\n\n"
      "{\"name\":\"b\",\"partition\":{\"server\":\"b\"},\"offset\":null}");
  REQUIRE(offsets.has_value());
  REQUIRE(offsets->size() == 2);
  CHECK((*offsets)[0].engine == "shop");
  CHECK((*offsets)[0].value == R"({"lsn":1})");
  CHECK_FALSE((*offsets)[1].value.has_value());
}

TEST_CASE("import: Kafka Connect's topic, where the last line of a key counts (CORE-OFF-13)") {
  const auto offsets = read_offsets(
      "[\"c\",{\"server\":\"shop\"}]\t{\"lsn\":1}\n[\"c\",{\"server\":\"x\"}]\t{\"lsn\":9}\n[\"c\",{ "
      "\"server\" : \"shop\" }]\t{\"lsn\":2}\n"
      "[\"c\",{\"server\":\"x\"}]\t\n");
  REQUIRE(offsets.has_value());
  REQUIRE(offsets->size() == 2);
  CHECK((*offsets)[0].value == R"({"lsn":2})");
  CHECK_FALSE((*offsets)[1].value.has_value());
}

TEST_CASE("import: anything else is refused with its line (CORE-OFF-12)") {
  for (const auto* bad : {"", "\n\n", "hello", "{\"offset\":{}}", "[\"c\",7]\t{}", "[\"c\",{}]\t7",
                          "[1,{}]\t{}", "{}", "\xAC"}) {
    CAPTURE(bad);
    const auto offsets = read_offsets(bad);
    REQUIRE_FALSE(offsets.has_value());
    CHECK(offsets.error().kind == ErrorKind::corrupt);
  }
  CHECK(read_offsets("{\"partition\":{},\"offset\":{}}\n???").error().message ==
        "line 2 is no stored offset");
}

TEST_CASE("import: the hash of a Java object is left behind (CORE-OFF-06)") {
  CHECK(
      portable_offset(
          R"({"lsn":1,"transaction_data_collection_order_x.LogicalDecodingMessageMonitor$LogicalDecodingMessageId@6433b42d":2,"txId":3})") ==
      R"({"lsn":1,"txId":3})");
  CHECK(portable_offset(R"({"lsn":1,"transaction_data_collection_order_public.a":2})") ==
        R"({"lsn":1,"transaction_data_collection_order_public.a":2})");
}

TEST_CASE("examples: every configuration in examples/ loads without an error") {
  const auto examples =
      std::filesystem::path(CDC_TEST_DATA).parent_path().parent_path().parent_path().parent_path() /
      "examples";
  for (const auto* name : {"shop.yaml", "connector.json", "application.properties"}) {
    CAPTURE(name);
    ConfigInput input;
    input.files = {(examples / name).string()};
    input.environment = [](const char*) { return "secret"; };
    const auto config = load_config(input);
    if (!config) FAIL(config.error().message);
    CHECK(config->text("database.dbname") == "shop");
    CHECK(config->text("database.password") == "secret");
    CHECK(config->list("table.include.list").size() == 2);
  }
}
