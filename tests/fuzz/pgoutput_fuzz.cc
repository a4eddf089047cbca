// Any bytes into the pgoutput decoder: it must answer, and the cells must lie inside the message.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "source/postgres/pgoutput/decoder.h"

using namespace cdc;
using namespace cdc::pg::pgoutput;

namespace {

void check_inside(std::span<const Cell> cells, std::string_view bytes) {
  for (const Cell& cell : cells) {
    if (cell.data.empty()) continue;
    if (cell.data.data() < bytes.data() || cell.data.data() + cell.data.size() > bytes.data() + bytes.size())
      std::abort();
  }
}

template <class Message>
void decode_one(std::string_view bytes) {
  Message message;
  Fault fault;
  if (!decode(bytes, message, fault)) (void)describe(fault, bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto kind = kind_of(bytes);
  if (!kind) return 0;
  switch (*kind) {
    case Kind::begin:
      decode_one<Begin>(bytes);
      break;
    case Kind::commit:
      decode_one<Commit>(bytes);
      break;
    case Kind::origin:
      decode_one<Origin>(bytes);
      break;
    case Kind::relation:
      decode_one<Relation>(bytes);
      break;
    case Kind::truncate:
      decode_one<Truncate>(bytes);
      break;
    case Kind::message:
      decode_one<LogicalMessage>(bytes);
      break;
    case Kind::type:
      break;
    default: {
      static RowBuffers buffers;
      Row row;
      Fault fault;
      if (!decode_row(bytes, buffers, row, fault)) break;
      check_inside(row.old_cells, bytes);
      check_inside(row.new_cells, bytes);
      fill_unavailable(row);
      check_inside(row.new_cells, bytes);
    }
  }
  return 0;
}
