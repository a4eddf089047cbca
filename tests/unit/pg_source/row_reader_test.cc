// The statement that reads a row again.
#include "source/postgres/row_reader.h"

#include <doctest/doctest.h>

using namespace cdc;

TEST_CASE("CORE-PP-01: names are quoted, values are parameters, a NULL of the key is asked for as such") {
  TableShape shape;
  shape.id = {"", "public", "Order\"s"};
  for (const char* name : {"id", "part", "a b", "t"}) shape.columns.emplace_back().name = name;
  const std::vector<Cell> row{{Cell::Kind::value, "7"}, {Cell::Kind::null, {}}, {Cell::Kind::value, "x"}, {}};
  const std::vector<std::size_t> key{0, 1, 2}, columns{3, 2};
  CHECK(pg::row_sql({shape, key, row, columns}) ==
        "SELECT \"t\", \"a b\" FROM \"public\".\"Order\"\"s\" WHERE \"id\" = $1 AND \"part\" IS NULL AND \"a "
        "b\" = $2 LIMIT 2");
}
