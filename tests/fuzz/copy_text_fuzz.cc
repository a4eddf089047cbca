// Any bytes into the COPY text splitter. First byte: how many columns the row should have.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "source/postgres/pgoutput/copy_text.h"

using namespace cdc;
using namespace cdc::pg::pgoutput;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t columns = data[0] % 40;
  std::vector<char> row(data + 1, data + size);  // exactly as large: a read past the end is seen
  static std::vector<Cell> cells;
  Fault fault;
  if (!split_copy_row(row.data(), row.size(), columns, cells, fault)) return 0;
  if (cells.size() != columns) std::abort();
  for (const Cell& cell : cells) {
    if (cell.data.empty()) continue;
    if (cell.data.data() < row.data() || cell.data.data() + cell.data.size() > row.data() + row.size())
      std::abort();
  }
  return 0;
}
