// The messages of the output plugin `decoderbufs` (PG-DBUF-02) as plain structs over the receive buffer.
// No decoding here, no catalog knowledge.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cdc::pg::decoderbufs {

using Oid = std::uint32_t;

// Of RowMessage::op, which may hold any other number too.
namespace op {
inline constexpr std::int32_t insert = 0, update = 1, remove = 2, begin = 3, commit = 4;
}

// One change, or the begin or commit of a transaction. The nested messages are still encoded: of tables
// that are not captured nobody looks at them.
struct RowMessage {
  std::uint32_t xid = 0;
  std::int64_t commit_time_us = 0;  // since 1970, also of a BEGIN
  std::string_view table;           // as SQL would spell it: public."Weird Name"
  std::int32_t op = -1;
  std::vector<std::string_view> new_tuple, old_tuple;  // Datum each
  std::vector<std::string_view> type_infos;            // TypeInfo, one a column of the new tuple
};

struct Datum {
  enum class Form : std::uint8_t {
    null,
    missing,  // unchanged TOAST
    integer,  // int32 or int64
    real,
    small_real,
    boolean,
    text,
    bytes,
    point,
  };
  Form form = Form::null;
  std::string_view name;  // as SQL would spell it
  Oid type = 0;           // as declared: of a domain its own number
  std::int64_t integer = 0;
  double x = 0, y = 0;  // real: x; point: both
  float small_real = 0;
  std::string_view text;  // text and bytes
  bool boolean = false;
};

struct TypeInfo {
  std::string_view modifier;  // numeric(5,2)
  bool optional = true;       // attnotnull is false; a domain's NOT NULL is not in it
};

}  // namespace cdc::pg::decoderbufs
