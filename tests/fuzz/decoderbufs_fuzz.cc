// Any bytes into the decoderbufs decoder and on into texts: it must answer, and what it points to must lie
// inside the message or in the room that was made for texts.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "source/postgres/decoderbufs/cell_text.h"
#include "source/postgres/decoderbufs/decoder.h"
#include "source/postgres/decoderbufs/modifier.h"
#include "source/postgres/decoderbufs/names.h"

using namespace cdc;
using namespace cdc::pg::decoderbufs;

namespace {

void check_inside(std::string_view part, std::string_view bytes) {
  if (part.empty()) return;
  if (part.data() < bytes.data() || part.data() + part.size() > bytes.data() + bytes.size()) std::abort();
}

// Reads every byte of every text, so that a wrong one is noticed.
std::size_t sum_of(const std::vector<Cell>& cells) {
  std::size_t sum = 0;
  for (const Cell& cell : cells)
    for (const char c : cell.data) sum += static_cast<unsigned char>(c);
  return sum;
}

void read_tuple(const std::vector<std::string_view>& tuple, std::string_view bytes, CellText& texts,
                std::vector<Cell>& cells) {
  for (const std::string_view part : tuple) {
    check_inside(part, bytes);
    Datum datum;
    Fault fault;
    if (!decode(part, datum, fault)) continue;
    check_inside(datum.name, part);
    check_inside(datum.text, part);
    (void)unquote_name(datum.name);
    cells.push_back(texts.cell(datum));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static CellText texts({});
  static RowMessage message;
  static std::vector<Cell> cells;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Fault fault;
  if (!decode(bytes, message, fault)) {
    if (fault.at > size) std::abort();
    (void)describe(fault, bytes);
    return 0;
  }
  check_inside(message.table, bytes);
  (void)table_id(message.table);
  cells.clear();
  texts.start(size, message.new_tuple.size() + message.old_tuple.size());
  read_tuple(message.new_tuple, bytes, texts, cells);
  read_tuple(message.old_tuple, bytes, texts, cells);
  for (const std::string_view part : message.type_infos) {
    TypeInfo info;
    if (decode(part, info, fault) && typmod_of(info.modifier) < -1) std::abort();
  }
  return sum_of(cells) == static_cast<std::size_t>(-1) ? 1 : 0;
}
