// What a source gives for every column: how a cell of its log or snapshot becomes JSON. One codec a
// column type, used by snapshot, stream, incremental snapshot and defaults alike, so that the phases
// cannot disagree.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cdc/buffer.h"
#include "cdc/schema.h"

namespace cdc {

// One column of one row as the source received it. `data` points into the receive buffer and lives
// until the call that passes it returns.
struct Cell {
  enum class Kind : std::uint8_t {
    null,         // SQL NULL
    value,        // `data` holds it in the source's own form
    unavailable,  // the log did not carry it (unchanged TOAST, LOB)
    absent,       // not part of a partial old row (outside the replica identity)
  };
  Kind kind = Kind::null;
  std::string_view data;
};

// What an encoder reports besides the text it appended. A plain value is 0.
namespace encoded {
inline constexpr std::uint32_t ok = 0;
inline constexpr std::uint32_t failed = 1;  // nothing was appended: the mode cannot express the value
inline constexpr std::uint32_t null_element =
    2;  // array with a NULL element where the schema's elements are required
inline constexpr std::uint32_t element_failed =
    4;  // an element could not be expressed and was written as null
inline constexpr std::uint32_t nested_shift =
    8;  // bits 8..15: dimensions of a nested array (0 or 1: as the schema says)
inline constexpr std::uint32_t nested_mask = 0xFF00;
}  // namespace encoded

// Parameters of a codec (scale, element codec, modes): each codec derives its own.
struct CodecState {
  virtual ~CodecState() = default;
};

// Appends the JSON of `text` to `out`; total over all inputs; never reads outside `text`; appends
// nothing when it returns encoded::failed. One indirect call a value is all the hot path pays.
using EncodeFn = std::uint32_t (*)(const CodecState* state, std::string_view text, Buffer& out);

struct ColumnCodec {
  EncodeFn encode = nullptr;
  std::shared_ptr<const CodecState> state;
  SchemaPtr schema;           // of the field: optional, parameters and default included
  std::string fallback_json;  // for a NOT NULL column that a partial old row does not carry (CORE-TYPE-01)
  std::optional<std::string> unavailable_json;  // for Cell::Kind::unavailable; unset: null and a warning
  std::string
      no_form_hint;  // why encoded::failed can happen and what helps ("use decimal.handling.mode=string")

  std::uint32_t operator()(std::string_view text, Buffer& out) const {
    return encode(state.get(), text, out);
  }
};

}  // namespace cdc
