// CellText: a value as decoderbufs sends it, made the text that pgoutput would have sent, so that both
// plugins share one codec a column (PG-DBUF-03). Total: what no server sends becomes a text that the
// codec refuses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cdc/buffer.h"
#include "cdc/codec.h"
#include "source/postgres/decoderbufs/messages.h"
#include "source/postgres/values/money.h"

namespace cdc::pg::decoderbufs {

// Money comes as a whole number of the smallest unit, whose size the locale decides (PG-TRAP-DBUF-02).
struct MoneyUnit {
  MoneyFormat format;
  int fraction_digits = 2;

  // `sample`: how the server spells 1234.5.
  static int digits_of(std::string_view sample);
};

class CellText {
 public:
  explicit CellText(MoneyUnit money) : money_(std::move(money)) {}

  // Before the values of a message: makes room for `values` of them, which `bytes` bytes hold. Cells of
  // the message before are no longer valid.
  void start(std::size_t bytes, std::size_t values);
  // Points into the message or into room that start() made; not more often than it was told.
  Cell cell(const Datum& datum);

 private:
  std::string_view integer(const Datum& datum);
  std::string_view real(const Datum& datum);
  std::string_view hex(std::string_view bytes);
  std::string_view money(std::int64_t units);

  MoneyUnit money_;
  Buffer text_;
};

}  // namespace cdc::pg::decoderbufs
