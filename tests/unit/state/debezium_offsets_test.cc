// Debezium's own offset files, as the real one left them (CORE-OFF-10, CORE-OFF-11, Appendix A.5).
#include <doctest/doctest.h>
#include <sys/stat.h>

#include "folder.h"
#include "state/debezium_offsets.h"
#include "state/java_stream.h"

namespace cdc::testing {
namespace {

std::string golden(const std::string& name) {
  const std::string bytes = read_all(std::string(CDC_TEST_DATA) + "/" + name + ".dat");
  REQUIRE(!bytes.empty());
  return bytes;
}

std::string from_hex(std::string_view hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    out.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return out;
}

constexpr std::string_view kMap =
    "aced0005737200116a6176612e7574696c2e486173684d61700507dac1c31660d103000246000a6c6f6164466163746f72490009"
    "7468726573686f6c6478703f4000"
    "000000000c770800000010000000";
constexpr const char* kGolden[] = {"snapshot-done", "snapshot-unfinished", "streaming",
                                   "transaction",   "two-prefixes",        "incremental"};

}  // namespace

TEST_CASE("CORE-OFF-10: files of the real Debezium are read, and written back byte for byte") {
  for (const char* name : kGolden) {
    CAPTURE(name);
    const std::string bytes = golden(name);
    const auto offsets = read_debezium_offsets(bytes);
    REQUIRE(offsets);
    CHECK(write_debezium_offsets(*offsets) == bytes);
  }
  const auto two = *read_debezium_offsets(golden("two-prefixes"));
  REQUIRE(two.size() == 2);
  CHECK(two[0].engine == "golden");
  CHECK(two[0].partition == R"({"server":"cdc"})");
  CHECK(
      two[0].value ==
      R"({"lsn_proc":48939000,"messageType":"INSERT","lsn":48939000,"txId":782,"ts_usec":1796073464029528})");
  CHECK(two[1].engine == "second");
  CHECK(two[1].partition == R"({"server":"cdc2"})");
}

TEST_CASE("CORE-OFF-10: the vectors of the appendix, with null values and other numbers of buckets") {
  const auto one = read_debezium_offsets(
      from_hex(std::string(kMap) + "01757200025b42acf317f8060854e002000078700000001b5b226b61666b61222c7b22736"
                                   "572766572223a2273686f70227d5d7571007e0002000000107b226c736e"
                                   "223a32343032333132387d78"));
  REQUIRE(one);
  REQUIRE(one->size() == 1);
  CHECK(one->front().engine == "kafka");
  CHECK(one->front().value == R"({"lsn":24023128})");
  const auto null = read_debezium_offsets(from_hex(
      std::string(kMap) +
      "01757200025b42acf317f8060854e00200007870000000145b2261222c7b22736572766572223a2262227d5d7078"));
  REQUIRE(null);
  CHECK(!null->front().value);

  std::vector<DebeziumOffset> many;
  for (int i = 0; i < 40; ++i) many.push_back({"e" + std::to_string(i), "{\"server\":\"s\"}", "{\"lsn\":1}"});
  const auto again = read_debezium_offsets(write_debezium_offsets(many));
  REQUIRE(again);
  CHECK(again->size() == 40);
  const auto none = read_debezium_offsets(write_debezium_offsets({}));
  REQUIRE(none);
  CHECK(none->empty());
}

TEST_CASE("CORE-OFF-11: an offset is found by its partition as a map, whatever engine wrote it") {
  const std::vector<DebeziumOffset> offsets{{"golden", R"({"server":"cdc"})", "{\"lsn\":1}"},
                                            {"redis", R"({ "server" : "c\u0064c" })", "{\"lsn\":2}"},
                                            {"golden", R"({"b":1,"a":"x"})", "{\"lsn\":3}"}};
  CHECK(offsets_of_partition(offsets, R"({"server":"cdc"})").size() == 2);
  CHECK(offsets_of_partition(offsets, R"({"server":"cdc"})", "redis").size() == 1);
  CHECK(offsets_of_partition(offsets, R"({"a":"x","b":1})").size() == 1);
  CHECK(offsets_of_partition(offsets, R"({"server":"other"})").empty());
}

TEST_CASE("CORE-OFF-12: a file that is cut at any byte, or longer, is an error and never no offsets") {
  for (const char* name : kGolden) {
    const std::string bytes = golden(name);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      const auto got = read_debezium_offsets(std::string_view(bytes).substr(0, size));
      REQUIRE(!got);
      CHECK(got.error().kind == ErrorKind::corrupt);
    }
    CHECK(!read_debezium_offsets(bytes + "x"));
    CHECK(!read_debezium_offsets(bytes + bytes));
  }
}

TEST_CASE("any changed byte is either read or refused, never a crash") {
  for (const char* name : kGolden) {
    const std::string bytes = golden(name);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const unsigned value : {0U, 0x70U, 0x71U, 0x72U, 0x73U, 0x75U, 0x77U, 0x78U, 0x7CU, 0xFFU}) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(value);
        static_cast<void>(read_debezium_offsets(changed));
      }
    }
  }
}

TEST_CASE("what is saved is read back") {
  Folder folder;
  REQUIRE(save_debezium_offsets(folder / "offsets.dat", {{"a", "{}", std::nullopt}}));
  CHECK(read_debezium_offsets(read_all(folder / "offsets.dat"))->size() == 1);
}

TEST_CASE("a device or pipe in the place of an offset file is not replaced") {
  Folder folder;
  const std::string pipe = folder / "offsets.dat";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const auto refused = save_debezium_offsets(pipe, {{"a", "{}", std::nullopt}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::usage);
  CHECK(refused.error().message == "cannot write " + pipe + ": it is no regular file");
  CHECK(std::filesystem::is_fifo(pipe));
}

TEST_CASE("CORE-OFF-08: the object stream parser reads the key arrays of Appendix A.4, too") {
  const std::string head = "aced0005757200135b4c6a6176612e6c616e672e4f626a6563743b90ce589f1073296c0200007870";
  const std::string number = "7200106a6176612e6c616e672e4e756d62657286ac951d0b94e08b0200007870";
  const std::string integer =
      "737200116a6176612e6c616e672e496e746567657212e2a0a4f781873802000149000576616c756578" + number +
      "00000001";
  const std::string mixed =
      from_hex(head + "00000004" + integer + "7371007e000200000002" + "74000178" + "70");
  const auto stream = java::parse(mixed);
  REQUIRE(stream);
  const java::Node& array = stream->nodes[stream->contents[0]];
  REQUIRE(array.elements.size() == 4);
  const java::Node& second = stream->nodes[array.elements[1]];
  CHECK(stream->classes[second.class_desc].name == "java.lang.Integer");
  CHECK(second.fields.at(0).bits == 2);
  CHECK(stream->nodes[array.elements[2]].bytes == "x");
  CHECK(stream->nodes[array.elements[3]].kind == java::Node::Kind::null);

  // java.sql.Timestamp: data of the superclass comes first, in a block of its own.
  const auto time =
      java::parse(from_hex(head + "00000001737200126a6176612e73716c2e54696d657374616d702618d5c80153bf65020001"
                                  "4900056e616e6f737872000e6a6176612e7574696c2e44617465686a81"
                                  "014b59741903000078707708"
                                  "00000000000003e8"
                                  "7800000000"));
  REQUIRE(time);
  const java::Node& timestamp = time->nodes[time->nodes[time->contents[0]].elements[0]];
  REQUIRE(timestamp.annotations.size() == 1);
  CHECK(timestamp.annotations[0].block.size() == 8);
  CHECK(timestamp.fields.at(0).name == "nanos");
}

TEST_CASE("hostile streams: cycles and deep nesting end in an error") {
  // A class that refers to itself as its superclass.
  CHECK(
      !java::parse(from_hex("aced0005"
                            "73"
                            "72"
                            "000141"
                            "0000000000000001"
                            "02"
                            "0000"
                            "78"
                            "71007e0000")));
  // Arrays of arrays of arrays...
  std::string deep = from_hex("aced0005");
  for (int i = 0; i < 5000; ++i)
    deep += from_hex(
        "75"
        "72"
        "00025b5b"
        "0000000000000001"
        "02"
        "0000"
        "78"
        "70"
        "00000001");
  CHECK(!java::parse(deep));
}

}  // namespace cdc::testing
