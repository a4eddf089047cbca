// Decoding of pgoutput messages. Pure functions: bytes in, structs out that point into the bytes.
// Total: any bytes give a message or a Fault, nothing is read outside them. Nothing allocates but the
// vectors handed in, which are reused.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "source/postgres/pgoutput/messages.h"

namespace cdc::pg::pgoutput {

// Why a message could not be decoded: `what` is static text, `at` the byte where it was noticed.
struct Fault {
  const char* what = "";
  std::size_t at = 0;
};
// "row message: tuple ends too early (byte 17 of 32)".
std::string describe(const Fault& fault, std::string_view bytes);

// The first byte; nullopt for an empty message or a letter that protocol 1 does not have.
std::optional<Kind> kind_of(std::string_view bytes);

// Each wants the whole message with its first byte. False: `fault` says why, `out` is unspecified.
bool decode(std::string_view bytes, Begin& out, Fault& fault);
bool decode(std::string_view bytes, Commit& out, Fault& fault);
bool decode(std::string_view bytes, Origin& out, Fault& fault);
bool decode(std::string_view bytes, Relation& out, Fault& fault);
bool decode(std::string_view bytes, Truncate& out, Fault& fault);
bool decode(std::string_view bytes, LogicalMessage& out, Fault& fault);
// The table of an insert, update or delete, before anything else is looked at; 0 for a message too short.
Oid relation_of(std::string_view bytes);
// Insert, update and delete. An unchanged TOAST value of the new row (`u`) is Cell::unavailable.
bool decode_row(std::string_view bytes, RowBuffers& buffers, Row& out, Fault& fault);

// PG-TOAST-01: what the new tuple does not carry is taken from the whole old one where that has it.
// Does nothing unless the old tuple is whole and both have as many columns.
void fill_unavailable(Row& row);

}  // namespace cdc::pg::pgoutput
