// Decoding of recorded messages, and of bytes that no server sends.
#include <doctest/doctest.h>

#include <limits>

#include "recorded.h"
#include "source/postgres/decoderbufs/decoder.h"

using namespace cdc::pg::decoderbufs;

namespace {

RowMessage decoded(const std::string& bytes) {
  RowMessage message;
  Fault fault;
  CHECK(decode(bytes, message, fault));
  return message;
}
Datum datum(std::string_view bytes) {
  Datum out;
  Fault fault;
  CHECK(decode(bytes, out, fault));
  return out;
}
bool refused(const std::string& bytes) {
  Datum out;
  Fault fault;
  return !decode(bytes, out, fault) && *fault.what != '\0';
}

}  // namespace

TEST_CASE("PG-DBUF-02 begin and commit carry the transaction and its time") {
  const std::string begin = from_hex(kBegin), commit = from_hex(kCommit);
  RowMessage message = decoded(begin);
  CHECK(message.op == op::begin);
  CHECK(message.xid == 788);
  CHECK(message.commit_time_us == 1'796'081'280'397'590);
  CHECK(message.table.empty());
  CHECK(decoded(commit).op == op::commit);
}

TEST_CASE("PG-DBUF-02 an insert has a value and a type for each column") {
  const std::string bytes = from_hex(kInsert);
  const RowMessage message = decoded(bytes);
  CHECK(message.op == op::insert);
  CHECK(message.table == "public.w");
  REQUIRE(message.new_tuple.size() == 18);
  REQUIRE(message.type_infos.size() == 18);
  CHECK(message.old_tuple.empty());

  const Datum id = datum(message.new_tuple[0]), small = datum(message.new_tuple[2]),
              big = datum(message.new_tuple[3]);
  CHECK((id.name == "id" && id.type == 23 && id.form == Datum::Form::integer && id.integer == 1));
  CHECK(small.integer == -2);
  CHECK(big.integer == std::numeric_limits<std::int64_t>::min());
  CHECK(datum(message.new_tuple[1]).boolean);
  CHECK(datum(message.new_tuple[4]).small_real == 3.3F);
  CHECK(datum(message.new_tuple[5]).x == 1e-300);
  CHECK(datum(message.new_tuple[7]).text == "1.50");
  CHECK(datum(message.new_tuple[14]).text == std::string_view("\0\xff", 2));
  const Datum point = datum(message.new_tuple[15]);
  CHECK((point.form == Datum::Form::point && point.x == 1 && point.y == -2.5));

  TypeInfo info;
  Fault fault;
  REQUIRE(decode(message.type_infos[0], info, fault));
  CHECK((info.modifier == "integer" && !info.optional));
  REQUIRE(decode(message.type_infos[7], info, fault));
  CHECK((info.modifier == "numeric(5,2)" && info.optional));
}

TEST_CASE("PG-DBUF-04 a delete has the old key and no types; without replica identity there is nothing") {
  const std::string removal = from_hex(kDelete), empty = from_hex(kUpdateWithoutIdentity);
  RowMessage message = decoded(removal);
  CHECK(message.op == op::remove);
  REQUIRE(message.old_tuple.size() == 18);
  CHECK(message.type_infos.empty());
  CHECK(datum(message.old_tuple[0]).integer == 1);
  CHECK(datum(message.old_tuple[1]).form == Datum::Form::null);
  message = decoded(empty);
  CHECK((message.op == op::update && message.new_tuple.empty() && message.old_tuple.empty()));
}

TEST_CASE("PG-TOAST-01 a missing value is told from NULL") {
  CHECK(datum(from_hex("0a01621019"
                       "5801"))
            .form == Datum::Form::missing);
  CHECK(datum(from_hex("0a01621019"
                       "5800"))
            .form == Datum::Form::null);
  CHECK(datum(from_hex("0a01621019")).form == Datum::Form::null);
}

TEST_CASE("PG-DBUF-02 unknown fields are passed over, the last of several values counts") {
  const std::string unknown = from_hex(
      "1807"
      "a00605"
      "a206026162"
      "a10600000000000000ff"
      "a506000000ff"
      "1808");
  CHECK(datum(unknown).integer == 8);
  RowMessage message;
  Fault fault;
  const std::string negative = from_hex("20ffffffffffffffffff01");
  REQUIRE(decode(negative, message, fault));
  CHECK(message.op == -1);
}

TEST_CASE("PG-DBUF-02 malformed values are refused") {
  CHECK(refused(from_hex("18")));                          // no number
  CHECK(refused(from_hex("18ffffffffffffffffffffff01")));  // a number that does not end in time
  CHECK(refused(from_hex("1d00000000")));                  // int32 of another wire type
  CHECK(refused(from_hex("4205aa")));                      // shorter than it says
  CHECK(refused(from_hex("42ffffffffffffffff7f")));        // a length beyond everything
  CHECK(refused(from_hex("00")));                          // field 0
  CHECK(refused(from_hex("0b0c")));                        // a group
  CHECK(refused(from_hex("10ffffffffffffffffff01")));      // an oid below zero
  CHECK(refused(from_hex("520209")));                      // half a point
}

TEST_CASE("PG-DBUF-02 any beginning of a message, and any bit turned, gives an answer") {
  for (const std::string_view recorded : {kInsert, kDelete, kBegin}) {
    const std::string bytes = from_hex(recorded);
    RowMessage message;
    Datum value;
    TypeInfo info;
    Fault fault;
    const auto try_all = [&](const std::string& some) {
      if (!decode(some, message, fault)) {
        CHECK(fault.at <= some.size());
        return;
      }
      for (const auto& part : message.new_tuple) (void)decode(part, value, fault);
      for (const auto& part : message.old_tuple) (void)decode(part, value, fault);
      for (const auto& part : message.type_infos) (void)decode(part, info, fault);
    };
    for (std::size_t size = 0; size < bytes.size(); ++size) try_all(bytes.substr(0, size));
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      std::string turned = bytes;
      turned[at] = static_cast<char>(turned[at] ^ (1 << (at % 8)));
      try_all(turned);
    }
  }
  Fault fault{"it ends too early", 3};
  CHECK(describe(fault, "abcd") == "decoderbufs message of 4 bytes: it ends too early (byte 3)");
}
