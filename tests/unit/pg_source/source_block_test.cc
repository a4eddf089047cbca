// The source block's bytes (spec 3.2) and the transaction id.
#include "source/postgres/source_block.h"

#include <doctest/doctest.h>

using namespace cdc;
using namespace cdc::pg;

namespace {

std::string rendered(const PgSourceBlock& block, SnapshotMarker marker,
                     const TableId& table = {{}, "shop", "item"}) {
  Buffer out;
  block.append(out, table, marker);
  return std::string(out.view());
}

PgSourceBlock streaming_block(bool null_for_streaming = false) {
  PgSourceBlock block({"3.6.1.Final", "acme", "store", null_for_streaming});
  block.set_time(1772360430123456);
  block.set_transaction(771);
  block.set_commit(26721584);
  block.set_lsn(26722000);
  return block;
}

}  // namespace

TEST_CASE("PG 3.4 streamed insert") {
  CHECK(
      rendered(streaming_block(), SnapshotMarker::streaming) ==
      R"({"version":"3.6.1.Final","connector":"postgresql","name":"acme","ts_ms":1772360430123,"snapshot":"false","db":"store","sequence":"[\"26721584\",\"26722000\"]","ts_us":1772360430123456,"ts_ns":1772360430123456000,"schema":"shop","table":"item","txId":771,"lsn":26722000,"xmin":null,"origin":null,"origin_lsn":null})");
}

TEST_CASE("PG 3.4 last row of a snapshot: no commit is known") {
  PgSourceBlock block({"3.6.1.Final", "acme", "store", false});
  block.set_time(1772360340000111);
  block.set_transaction(770);
  block.set_lsn(26721400);
  CHECK(
      rendered(block, SnapshotMarker::last) ==
      R"({"version":"3.6.1.Final","connector":"postgresql","name":"acme","ts_ms":1772360340000,"snapshot":"last","db":"store","sequence":"[null,\"26721400\"]","ts_us":1772360340000111,"ts_ns":1772360340000111000,"schema":"shop","table":"item","txId":770,"lsn":26721400,"xmin":null,"origin":null,"origin_lsn":null})");
}

TEST_CASE("CORE-JSON-09 replace.null.with.default=false shows the unset marker as null") {
  CHECK(rendered(streaming_block(true), SnapshotMarker::streaming).find(R"("snapshot":null,)") !=
        std::string::npos);
  CHECK(rendered(streaming_block(true), SnapshotMarker::middle).find(R"("snapshot":"true",)") !=
        std::string::npos);
}

TEST_CASE("PG-INC-03 incremental rows have no transaction and no position of their own") {
  const std::string text = rendered(streaming_block(), SnapshotMarker::incremental);
  CHECK(text.find(R"("sequence":"[\"26721584\",\"26722000\"]")") != std::string::npos);
  CHECK(text.ends_with(R"("txId":null,"lsn":null,"xmin":null,"origin":null,"origin_lsn":null})"));
}

TEST_CASE("PG-T-17 origin and xmin, and their end") {
  PgSourceBlock block = streaming_block();
  block.set_origin("node \"a\"", 0);
  block.set_xmin(99);
  CHECK(rendered(block, SnapshotMarker::streaming)
            .ends_with(R"("xmin":99,"origin":"node \"a\"","origin_lsn":0})"));
  block.clear_origin();
  CHECK(
      rendered(block, SnapshotMarker::streaming).ends_with(R"("xmin":99,"origin":null,"origin_lsn":null})"));
}

TEST_CASE("PG-TX-01 transaction ids carry the message's position, the group does not") {
  PgSourceBlock block = streaming_block();
  Buffer id;
  block.append_transaction_id(id);
  CHECK(id.view() == "771:26722000");
  CHECK(block.transaction_group() == "771");
  block.set_transaction({});
  CHECK(block.transaction_group().empty());
  CHECK(rendered(block, SnapshotMarker::streaming, {}).find(R"("schema":"","table":"","txId":null,)") !=
        std::string::npos);
}

TEST_CASE("times before 1970 keep their millisecond") {
  PgSourceBlock block = streaming_block();
  block.set_time(-1);
  CHECK(rendered(block, SnapshotMarker::streaming).find(R"("ts_ms":-1,)") != std::string::npos);
}

TEST_CASE("PG 3.4 each setter and each table shows in the next block") {
  PgSourceBlock block = streaming_block();
  const auto shows = [&](const char* part, const TableId& table = {{}, "shop", "item"},
                         SnapshotMarker marker = SnapshotMarker::streaming) {
    CAPTURE(part);
    CHECK(rendered(block, marker, table).find(part) != std::string::npos);
  };
  shows(R"("schema":"shop","table":"item","txId":771,"lsn":26722000)");
  shows(R"("schema":"shop","table":"box","txId":771)", {{}, "shop", "box"});
  shows(R"("schema":"s\"x","table":"box","txId":771)", {{}, "s\"x", "box"});
  block.set_lsn(26722001);
  shows(R"("sequence":"[\"26721584\",\"26722001\"]")");
  shows(R"("lsn":26722001)");
  block.set_transaction(772);
  shows(R"("txId":772)");
  block.set_commit(26722002);
  shows(R"("sequence":"[\"26722002\",)");
  block.set_time(1772360430123457);
  shows(R"("ts_us":1772360430123457)");
  shows(R"("snapshot":"true")", {{}, "shop", "item"}, SnapshotMarker::middle);
  block.set_xmin(9);
  shows(R"("xmin":9)");
}

TEST_CASE("PG 3.4 positions that share their first digits, and such as do not") {
  PgSourceBlock block = streaming_block();
  for (const std::uint64_t lsn : {26722001ull,
                                  26722999ull,
                                  26729999ull,
                                  26730000ull,
                                  26730001ull,
                                  12ull,
                                  9999ull,
                                  10000ull,
                                  10001ull,
                                  19999ull,
                                  20000ull,
                                  99999ull,
                                  100000ull,
                                  0ull,
                                  7ull,
                                  0x8000000000000000ull,
                                  0x8000000000000001ull,
                                  0ull,
                                  3ull,
                                  0xFFFFFFFFFFFFFFFFull,
                                  0xFFFFFFFFFFFFFFFEull,
                                  9223372036854775807ull,
                                  9223372036854770000ull,
                                  10000ull}) {
    block.set_lsn(lsn);
    const std::string text = std::to_string(static_cast<std::int64_t>(lsn));
    CAPTURE(text);
    const std::string out = rendered(block, SnapshotMarker::streaming);
    CHECK(out.find(",\"lsn\":" + text + ",") != std::string::npos);
    CHECK(out.find(",\\\"" + text + "\\\"]\"") != std::string::npos);
  }
}
