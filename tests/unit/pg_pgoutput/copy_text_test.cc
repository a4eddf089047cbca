// Rows of COPY text: fields, NULL, escapes, and rows that do not fit.
#include "source/postgres/pgoutput/copy_text.h"

#include <doctest/doctest.h>

#include <string>

using namespace cdc;
using namespace cdc::pg::pgoutput;

namespace {

struct Split {
  std::string row;
  std::vector<Cell> cells;
  bool ok;
  Split(std::string text, std::size_t columns) : row(std::move(text)) {
    Fault fault;
    ok = split_copy_row(row.data(), row.size(), columns, cells, fault);
  }
};

}  // namespace

TEST_CASE("PG-LIBPQ-20 fields, NULL and the empty string") {
  Split s("7\t\\N\t\tx\n", 4);
  REQUIRE(s.ok);
  CHECK(s.cells[0].data == "7");
  CHECK(s.cells[1].kind == Cell::Kind::null);
  CHECK(s.cells[2].kind == Cell::Kind::value);
  CHECK(s.cells[2].data.empty());
  CHECK(s.cells[3].data == "x");
}

TEST_CASE("PG-LIBPQ-20 escapes are taken back in place") {
  Split s("a\\tb\\nc\\\\N\\r\\b\\f\\v\t\\\\N\t\\\\x00ff\t\\101\\x41\\q\n", 4);
  REQUIRE(s.ok);
  CHECK(s.cells[0].data == "a\tb\nc\\N\r\b\f\v");
  CHECK(s.cells[1].kind == Cell::Kind::value);
  CHECK(s.cells[1].data == "\\N");
  CHECK(s.cells[2].data == "\\x00ff");
  CHECK(s.cells[3].data == "AAq");
}

TEST_CASE("PG-SNAP-18 a table without columns gives empty lines") {
  CHECK(Split("\n", 0).ok);
  CHECK(Split("", 0).ok);
  CHECK_FALSE(Split("x\n", 0).ok);
  Split one("\n", 1);
  REQUIRE(one.ok);
  CHECK(one.cells[0].data.empty());
}

TEST_CASE("PG-T-51 rows with too few or too many fields, and endings in a backslash") {
  CHECK_FALSE(Split("a\tb\n", 1).ok);
  CHECK_FALSE(Split("a\tb\n", 3).ok);
  Split s("a\\", 1);
  REQUIRE(s.ok);
  CHECK(s.cells[0].data == "a\\");
}
