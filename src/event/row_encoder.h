// Cells -> JSON: rows and keys of one compiled table. The hot loop of cdc.
#pragma once

#include <span>

#include "event/compiled_table.h"
#include "event/event.h"

namespace cdc {

// Fills `row` anew. No allocation once the buffers have grown.
void encode_row(const CompiledTable& table, std::span<const Cell> cells, EncodedRow& row);

enum class KeyPlace : std::uint8_t { key, header };

// Appends the key object. `row`: the encoded row of the same cells, whose texts are reused; may be null.
// False when a key column is absent from the cells (the replica identity does not carry it, PG-KEY-04):
// then nothing was appended. Call only for keyed tables.
bool encode_key(const CompiledTable& table, std::span<const Cell> cells, const EncodedRow* row, Buffer& out,
                KeyPlace place = KeyPlace::key);

// Schema text of a record whose rows do not fit the table's schema (CORE-ERR-04, spec PG 4.3, 4.6):
// required fields that hold null are optional, element schemas follow what the arrays hold.
SchemaPtr varied_value_type(const CompiledTable& table, const EncodedRow& before, const EncodedRow& after);

}  // namespace cdc
