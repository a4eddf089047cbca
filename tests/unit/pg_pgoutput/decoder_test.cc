// pgoutput messages: what each field becomes, and that no bytes can lead the decoder astray.
#include "source/postgres/pgoutput/decoder.h"

#include <doctest/doctest.h>

#include "message_bytes.h"

using namespace cdc;
using namespace cdc::pg::pgoutput;

namespace {

std::string insert_message() {
  return Bytes('I').u32(16384).letter('N').u16(3).value("7").letter('n').letter('u').str();
}
std::string update_message(char old_form) {
  return Bytes('U')
      .u32(16384)
      .letter(old_form)
      .u16(2)
      .value("7")
      .letter('n')
      .letter('N')
      .u16(2)
      .value("8")
      .letter('u')
      .str();
}

bool decode_any(std::string_view bytes, Fault& fault) {
  const auto kind = kind_of(bytes);
  if (!kind) return false;
  RowBuffers buffers;
  Row row;
  Begin begin;
  Commit commit;
  Origin origin;
  Relation relation;
  Truncate truncate;
  LogicalMessage message;
  switch (*kind) {
    case Kind::begin:
      return decode(bytes, begin, fault);
    case Kind::commit:
      return decode(bytes, commit, fault);
    case Kind::origin:
      return decode(bytes, origin, fault);
    case Kind::relation:
      return decode(bytes, relation, fault);
    case Kind::truncate:
      return decode(bytes, truncate, fault);
    case Kind::message:
      return decode(bytes, message, fault);
    case Kind::type:
      return true;
    default:
      return decode_row(bytes, buffers, row, fault);
  }
}

}  // namespace

TEST_CASE("PG-STR-03 BEGIN and COMMIT: positions, time since 1970, unsigned xid (PG-TRAP-DEC-12)") {
  Begin begin;
  Fault fault;
  REQUIRE(decode(Bytes('B').u64(0x16B3748).u64(1).u32(0xFFFFFFFF).str(), begin, fault));
  CHECK(begin.final_lsn == 0x16B3748);
  CHECK(begin.commit_time_us == 946684800000001);
  CHECK(begin.xid == 4294967295U);
  Commit commit;
  REQUIRE(decode(Bytes('C').u8(0).u64(10).u64(20).u64(0).str(), commit, fault));
  CHECK(commit.commit_lsn == 10);
  CHECK(commit.end_lsn == 20);
  CHECK(commit.commit_time_us == 946684800000000);
}

TEST_CASE("PG-STR-03 ORIGIN, TRUNCATE and MESSAGE") {
  Fault fault;
  Origin origin;
  const std::string origin_bytes = Bytes('O').u64(5).text("node-a").str();
  REQUIRE(decode(origin_bytes, origin, fault));
  CHECK(origin.lsn == 5);
  CHECK(origin.name == "node-a");
  Truncate truncate;
  REQUIRE(decode(Bytes('T').u32(2).u8(3).u32(11).u32(12).str(), truncate, fault));
  CHECK(truncate.cascade);
  CHECK(truncate.restart_identity);
  CHECK(truncate.relations == std::vector<Oid>{11, 12});
  LogicalMessage message;
  const std::string content("a\0b", 3);
  const std::string message_bytes = Bytes('M').u8(1).u64(99).text("audit").u32(3).raw(content).str();
  REQUIRE(decode(message_bytes, message, fault));
  CHECK(message.transactional);
  CHECK(message.lsn == 99);
  CHECK(message.prefix == "audit");
  CHECK(message.content == content);
}

TEST_CASE("PG-STR-03 RELATION: an empty schema is pg_catalog, bit 0 of the flags is the identity") {
  Fault fault;
  Relation relation;
  const auto bytes = Bytes('R')
                         .u32(16384)
                         .text("")
                         .text("t")
                         .letter('f')
                         .u16(2)
                         .u8(1)
                         .text("id")
                         .u32(23)
                         .u32(0xFFFFFFFF)
                         .u8(0)
                         .text("s")
                         .u32(1043)
                         .u32(44)
                         .str();
  REQUIRE(decode(bytes, relation, fault));
  CHECK(relation.schema == "pg_catalog");
  CHECK(relation.identity == 'f');
  REQUIRE(relation.columns.size() == 2);
  CHECK(relation.columns[0].identity);
  CHECK(relation.columns[0].typmod == -1);
  CHECK_FALSE(relation.columns[1].identity);
  CHECK(relation.columns[1].name == "s");
  CHECK(relation.columns[1].typmod == 44);
}

TEST_CASE(
    "PG-STR-03 rows: values lie in the message, NULL and unchanged TOAST are told apart (PG-LIBPQ-22)") {
  RowBuffers buffers;
  Row row;
  Fault fault;
  const std::string bytes = insert_message();
  REQUIRE(decode_row(bytes, buffers, row, fault));
  CHECK(row.relation == 16384);
  CHECK(row.old_form == 0);
  CHECK(row.old_cells.empty());
  REQUIRE(row.new_cells.size() == 3);
  CHECK(row.new_cells[0].data == "7");
  CHECK(row.new_cells[0].data.data() >= bytes.data());
  CHECK(row.new_cells[0].data.data() < bytes.data() + bytes.size());
  CHECK(row.new_cells[1].kind == Cell::Kind::null);
  CHECK(row.new_cells[2].kind == Cell::Kind::unavailable);
  REQUIRE(decode_row(Bytes('I').u32(1).letter('N').u16(1).value("").str(), buffers, row, fault));
  CHECK(row.new_cells[0].kind == Cell::Kind::value);
  CHECK(row.new_cells[0].data.empty());
}

TEST_CASE("PG-SNAP-18 an insert into a table without columns") {
  RowBuffers buffers;
  Row row;
  Fault fault;
  REQUIRE(decode_row(Bytes('I').u32(1).letter('N').u16(0).str(), buffers, row, fault));
  CHECK(row.new_cells.empty());
}

TEST_CASE("PG-TRAP-DEC-01 update and delete: the letter tells a key tuple from a whole row") {
  RowBuffers buffers;
  Row row;
  Fault fault;
  const std::string update = update_message('K');
  REQUIRE(decode_row(update, buffers, row, fault));
  CHECK(row.old_form == 'K');
  CHECK(row.old_cells[0].data == "7");
  CHECK(row.new_cells[0].data == "8");
  fill_unavailable(row);
  CHECK(row.new_cells[1].kind == Cell::Kind::unavailable);
  const std::string remove = Bytes('D').u32(1).letter('O').u16(1).value("x").str();
  REQUIRE(decode_row(remove, buffers, row, fault));
  CHECK(row.old_form == 'O');
  CHECK(row.new_cells.empty());
}

TEST_CASE("PG-TOAST-01 an unchanged value is taken from the whole old row") {
  RowBuffers buffers;
  Row row;
  Fault fault;
  const auto bytes = Bytes('U')
                         .u32(1)
                         .letter('O')
                         .u16(2)
                         .value("7")
                         .value("long")
                         .letter('N')
                         .u16(2)
                         .value("7")
                         .letter('u')
                         .str();
  REQUIRE(decode_row(bytes, buffers, row, fault));
  fill_unavailable(row);
  CHECK(row.new_cells[1].kind == Cell::Kind::value);
  CHECK(row.new_cells[1].data == "long");
}

TEST_CASE("PG-T-51 a message that is cut anywhere, or has something added, is refused") {
  const std::string messages[] = {
      Bytes('B').u64(1).u64(2).u32(3).str(),
      Bytes('C').u8(0).u64(1).u64(2).u64(3).str(),
      Bytes('O').u64(1).text("n").str(),
      Bytes('T').u32(1).u8(0).u32(7).str(),
      Bytes('M').u8(0).u64(1).text("p").u32(2).raw("xy").str(),
      Bytes('R').u32(1).text("s").text("t").letter('d').u16(1).u8(0).text("c").u32(25).u32(0).str(),
      insert_message(),
      update_message('K'),
      update_message('O'),
      Bytes('D').u32(1).letter('K').u16(1).value("x").str()};
  for (const std::string& whole : messages) {
    CAPTURE(whole[0]);
    Fault fault;
    CHECK(decode_any(whole, fault));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string cut = whole.substr(0, size);
      CHECK_FALSE(decode_any(cut, fault));
    }
    CHECK_FALSE(decode_any(whole + "x", fault));
  }
}

TEST_CASE("PG-T-51 lengths that lie are refused without allocating for them") {
  RowBuffers buffers;
  Row row;
  Fault fault;
  CHECK_FALSE(decode_row(Bytes('I').u32(1).letter('N').u16(0xFFFF).letter('n').str(), buffers, row, fault));
  CHECK_FALSE(decode_row(Bytes('I').u32(1).letter('N').u16(1).letter('t').u32(0x7FFFFFFF).str(), buffers, row,
                         fault));
  CHECK_FALSE(decode_row(Bytes('I').u32(1).letter('N').u16(1).letter('t').u32(0xFFFFFFFF).str(), buffers, row,
                         fault));
  CHECK_FALSE(decode_row(Bytes('I').u32(1).letter('N').u16(1).letter('b').u32(0).str(), buffers, row, fault));
  CHECK(describe(fault, "I") ==
        "pgoutput message 'I' of 1 bytes: value in binary form, which was not asked for (byte 9)");
  Truncate truncate;
  CHECK_FALSE(decode(Bytes('T').u32(0xFFFFFFFF).u8(0).str(), truncate, fault));
  CHECK_FALSE(kind_of("S1234").has_value());
  CHECK_FALSE(kind_of("").has_value());
}
