// The line of each output format for data, tombstones, keys and headers.
#include "format/formats.h"

#include <doctest/doctest.h>

#include <array>

#include "event/event.h"

using namespace cdc;

namespace {

std::string line(std::initializer_list<std::pair<std::string_view, std::string_view>> properties,
                 const Event& event) {
  const auto config = config_of(properties);
  REQUIRE(config);
  auto format = make_format(*config);
  REQUIRE(format);
  Buffer out;
  REQUIRE((*format)->append(out, event));
  return std::string(out.view());
}

struct Sample {
  std::array<std::string_view, 2> value{"{\"a\":", "1}"};
  std::array<EventHeader, 1> headers{{{"__debezium.oldkey", "{\"type\":\"int32\"}", nullptr, "{\"id\":7}"}}};
  Event event;
  Sample() {
    event.topic = "t";
    event.key = "{\"id\":1}";
    event.key_schema = "{\"type\":\"struct\"}";
    event.value = value;
    event.value_schema = "{\"type\":\"struct\",\"fields\":[]}";
  }
};

}  // namespace

TEST_CASE("CORE-OUT-02: value, keyed and record lines") {
  Sample s;
  CHECK(line({}, s.event) == "{\"a\":1}\n");
  CHECK(line({{"format", "keyed"}}, s.event) == "{\"id\":1}\t{\"a\":1}\n");
  CHECK(line({{"format", "record"}}, s.event) ==
        "{\"topic\":\"t\",\"key\":{\"id\":1},\"value\":{\"a\":1}}\n");
  s.event.headers = s.headers;
  s.event.partition = 0;
  CHECK(line({{"format", "record"}}, s.event) ==
        "{\"topic\":\"t\",\"partition\":0,\"key\":{\"id\":1},\"value\":{\"a\":1},\"headers\":{\"__debezium."
        "oldkey\":{\"id\":7}}}\n");
}

TEST_CASE("tombstones: no line as value, an empty value behind the tab, null in records") {
  Sample s;
  s.event.value = {};
  CHECK(line({}, s.event).empty());
  CHECK(line({{"format", "keyed"}}, s.event) == "{\"id\":1}\t\n");
  CHECK(line({{"format", "record"}}, s.event) == "{\"topic\":\"t\",\"key\":{\"id\":1},\"value\":null}\n");
}

TEST_CASE("CORE-JSON-01: schemas stand around the payload, separately for key and value") {
  Sample s;
  CHECK(line({{"value.converter.schemas.enable", "true"}}, s.event) ==
        "{\"schema\":{\"type\":\"struct\",\"fields\":[]},\"payload\":{\"a\":1}}\n");
  CHECK(line({{"format", "keyed"}, {"key.converter.schemas.enable", "true"}}, s.event) ==
        "{\"schema\":{\"type\":\"struct\"},\"payload\":{\"id\":1}}\t{\"a\":1}\n");
}

TEST_CASE("CORE-CE-01, -02: a structured CloudEvent; records that are no changes are null") {
  const std::array<std::string_view, 1> envelope{
      R"({"before":null,"after":{"id":1},"source":{"connector":"postgresql","name":"cdc","ts_ms":1500,"lsn":5,"txId":6,"sequence":"[null,\"5\"]"},"transaction":null,"op":"c","ts_ms":1,"ts_us":1,"ts_ns":1})"};
  Sample s;
  s.event.value = envelope;
  CHECK(
      line({{"format", "cloudevents"}, {"value.converter.json.schemas.enable", "false"}}, s.event) ==
      R"({"id":"name:cdc;lsn:5;txId:6;sequence:[null,\"5\"]","source":"/debezium/postgresql/test","specversion":"1.0","type":"io.debezium.connector.postgresql.DataChangeEvent","time":"1970-01-01T00:00:01.500Z","datacontenttype":"application/json","iodebeziumop":"c","iodebeziumconnector":"postgresql","iodebeziumname":"cdc","iodebeziumtsms":"1500","iodebeziumlsn":"5","iodebeziumtxId":"6","iodebeziumsequence":"[null,\"5\"]","iodebeziumtxid":null,"iodebeziumtxtotalorder":null,"iodebeziumtxdatacollectionorder":null,"data":{"before":null,"after":{"id":1}}})"
      "\n");
  s.event.kind = RecordKind::heartbeat;
  CHECK(line({{"format", "cloudevents"}}, s.event).empty());
}
