// Line borders.
#include <doctest/doctest.h>

#include "sink/line_cut.h"

namespace cdc::testing {

TEST_CASE("CORE-OUT-04: blocks are cut at line borders only") {
  const std::string_view lines = "aa\nbbbb\nc\n";
  const auto cut = [&](std::uint64_t bytes, std::uint64_t count) {
    const LineCut c = cut_lines(lines, bytes, count);
    return std::pair(c.bytes, c.lines);
  };
  CHECK(cut(100, 100) == std::pair<std::size_t, std::uint64_t>(10, 3));
  CHECK(cut(10, 100) == std::pair<std::size_t, std::uint64_t>(10, 3));
  CHECK(cut(9, 100) == std::pair<std::size_t, std::uint64_t>(8, 2));
  CHECK(cut(2, 100) == std::pair<std::size_t, std::uint64_t>(0, 0));
  CHECK(cut(100, 1) == std::pair<std::size_t, std::uint64_t>(3, 1));
  CHECK(cut(100, 0) == std::pair<std::size_t, std::uint64_t>(0, 0));
  CHECK(first_line(lines) == 3);
  CHECK(first_line("no end") == 6);
  CHECK(line_start(lines, 0) == 0);
  CHECK(line_start(lines, 3) == 3);
  CHECK(line_start(lines, 5) == 3);
  CHECK(line_start(lines, 8) == 8);
}

}  // namespace cdc::testing
