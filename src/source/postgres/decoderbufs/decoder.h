// Decoding of decoderbufs messages. Pure functions: bytes in, structs out that point into the bytes.
// Total: any bytes give a message or a Fault, nothing is read outside them. Nothing allocates but the
// vectors of a RowMessage, which are reused. Unknown fields are passed over, as protobuf wants it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "source/postgres/decoderbufs/messages.h"

namespace cdc::pg::decoderbufs {

// Why a message could not be decoded: `what` is static text, `at` the byte where it was noticed.
struct Fault {
  const char* what = "";
  std::size_t at = 0;
};
// "decoderbufs message of 14 bytes: it ends too early (byte 12)".
std::string describe(const Fault& fault, std::string_view bytes);

// False: `fault` says why, `out` is unspecified. The nested messages are not looked into.
bool decode(std::string_view bytes, RowMessage& out, Fault& fault);
bool decode(std::string_view bytes, Datum& out, Fault& fault);
bool decode(std::string_view bytes, TypeInfo& out, Fault& fault);

}  // namespace cdc::pg::decoderbufs
