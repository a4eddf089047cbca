// Keys of incremental snapshots in Java's serialization: the vectors of the specification, both ways.
#include "state/java_keys.h"

#include <doctest/doctest.h>

#include <string>

using namespace cdc;

namespace {

const std::string kArray = "aced0005757200135b4c6a6176612e6c616e672e4f626a6563743b90ce589f1073296c0200007870";
const std::string kNumber = "7200106a6176612e6c616e672e4e756d62657286ac951d0b94e08b0200007870";
const std::string kInteger =
    "737200116a6176612e6c616e672e496e746567657212e2a0a4f781873802000149000576616c756578" + kNumber;

struct Vector {
  std::string json, hex;
};

}  // namespace

TEST_CASE("CORE-OFF-08: key arrays are read and written as Java does") {
  const Vector vectors[] = {
      {R"([{"t":"int32","v":5}])", kArray + "00000001" + kInteger + "00000005"},
      {R"([{"t":"int32","v":-1}])", kArray + "00000001" + kInteger + "ffffffff"},
      {R"([{"t":"int64","v":5}])",
       kArray + "000000017372000e6a6176612e6c616e672e4c6f6e673b8be490cc8f23df0200014a000576616c756578" +
           kNumber + "0000000000000005"},
      {R"([{"t":"int16","v":5}])",
       kArray + "000000017372000f6a6176612e6c616e672e53686f7274684d37133460da5202000153000576616c756578" +
           kNumber + "0005"},
      {R"([{"t":"float64","v":"1.5"}])",
       kArray + "00000001737200106a6176612e6c616e672e446f75626c6580b3c24a296bfb0402000144000576616c756578" +
           kNumber + "3ff8000000000000"},
      {R"([{"t":"boolean","v":true}])",
       kArray +
           "00000001737200116a6176612e6c616e672e426f6f6c65616ecd207280d59cfaee0200015a000576616c7565787001"},
      {R"([{"t":"string","v":"ab"}])", kArray + "000000017400026162"},
      {R"([{"t":"int32","v":1},{"t":"int32","v":2}])",
       kArray + "00000002" + kInteger + "00000001" + "7371007e000200000002"},
      {R"([{"t":"int32","v":1},{"t":"string","v":"x"},{"t":"string","v":null}])",
       kArray + "00000003" + kInteger + "00000001" + "74000178" + "70"},
      {R"([{"t":"bytes","v":"\\x0102"}])",
       kArray + "00000001757200025b42acf317f8060854e00200007870000000020102"},
      {R"([{"t":"uuid","v":"00112233-4455-6677-8899-aabbccddeeff"}])",
       kArray +
           "000000017372000e6a6176612e7574696c2e55554944bc9903f7986d852f0200024a000c6c65617374536967426974734"
           "a000b6d6f7374536967426974737870" +
           "8899aabbccddeeff0011223344556677"},
      {R"([{"t":"date","v":"1970-01-02"}])",
       kArray +
           "000000017372000d6a6176612e73716c2e4461746514fa46683f3566970200007872000e6a6176612e7574696c2e44617"
           "465686a81014b5974190300007870" +
           "77080000000005265c0078"},
      {"null", "aced000570"},
  };
  for (const Vector& vector : vectors) {
    CAPTURE(vector.json);
    CHECK(keys_from_java(vector.hex).value_or("failed") == vector.json);
    CHECK(keys_to_java(vector.json).value_or("failed") == vector.hex);
  }
}

TEST_CASE("CORE-OFF-08: classes that are read only") {
  const std::string decimal = kArray +
                              "00000001737200146a6176612e6d6174682e426967446563696d616c54c71557f981284f030002"
                              "4900057363616c654c0006696e7456616c7400164c6a6176612f6d6174682f"
                              "426967496e74656765723b78" +
                              kNumber +
                              "00000001"
                              "737200146a6176612e6d6174682e426967496e74656765728cfc9f1fa93bfb1d03000649000862"
                              "6974436f756e744900096269744c656e67746849001366697273744e6f6e7a"
                              "65726f427974654e756d49000c6c6f776573745365744269744900067369676e756d5b00096d61"
                              "676e69747564657400025b4278"
                              "71007e0004"
                              "fffffffffffffffffffffffefffffffe00000001"
                              "757200025b42acf317f8060854e002000078700000000102c"
                              "7878";
  // The magnitude above is cut: a torn stream is an error, never a wrong key.
  CHECK_FALSE(keys_from_java(decimal));
  const std::string timestamp =
      kArray +
      "00000001737200126a6176612e73716c2e54696d657374616d702618d5c80153bf650200014900056e616e6f7378"
      "72000e6a6176612e7574696c2e44617465686a81014b5974190300007870770800000000000003e87800000000";
  CHECK(keys_from_java(timestamp).value_or("failed") ==
        R"([{"t":"string","v":"1970-01-01 00:00:01.000000000+00"}])");
}

TEST_CASE("CORE-OFF-09: what is no key is refused") {
  for (const char* bad : {"", "zz", "aced", "aced0005", "aced00057400026162"})
    CHECK_FALSE(keys_from_java(bad));
  // java.util.Date is no class of keys.
  const std::string strange =
      kArray + "000000017372000e6a6176612e7574696c2e44617465686a81014b59741903000078707708000000000000000078";
  const auto refused = keys_from_java(strange);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.find("java.util.Date") != std::string::npos);
  for (const char* bad : {"", "{}", "[1]", R"([{"t":"int32","v":"x"}])", R"([{"t":"bytes","v":"01"}])",
                          R"([{"t":"uuid","v":"1"}])", R"([{"t":"int64","v":""}])",
                          R"([{"t":"int64","v":"99999999999999999999"}])",
                          R"([{"t":"date","v":"2147483647-1-1"}])", R"([{"t":"date","v":"2026-13-01"}])"})
    CHECK_FALSE(keys_to_java(bad));
}

TEST_CASE("CORE-INC-22: conditions lose and gain one pair of parentheses; other members stay as they are") {
  const std::string java =
      R"({"lsn":1,"incremental_snapshot_collections":"[{\"incremental_snapshot_collections_id\":\"public.t\",\"incremental_snapshot_collections_additional_condition\":\"(a = 1) OR (b = 2)\"},{\"incremental_snapshot_collections_id\":\"public.u\",\"incremental_snapshot_collections_additional_condition\":\"((a) AND (b))\"}]","incremental_snapshot_primary_key":"aced000570"})";
  const std::string own = incremental_from_java(java).value();
  CHECK(own.find(R"(\"(a = 1) OR (b = 2)\")") != std::string::npos);
  CHECK(own.find(R"(\"(a) AND (b)\")") != std::string::npos);
  CHECK(own.find(R"("incremental_snapshot_primary_key":null)") != std::string::npos);
  CHECK(incremental_to_java(own).value().find(R"(\"((a) AND (b))\")") != std::string::npos);
  CHECK(incremental_to_java("{\"lsn\":1}").value() == "{\"lsn\":1}");
}
