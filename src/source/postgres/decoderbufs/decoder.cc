// Decoding of decoderbufs messages, field by field (PG-DBUF-02). What they mean is decided elsewhere.
#include "source/postgres/decoderbufs/decoder.h"

#include <limits>

#include <fmt/format.h>

#include "source/postgres/decoderbufs/wire.h"

namespace cdc::pg::decoderbufs {
namespace {

bool finish(const WireReader& in, const char* what, Fault& fault) {
  if (in.ok()) return true;
  fault = {what, in.offset()};
  return false;
}

bool decode_point(std::string_view bytes, Datum& out, Fault& fault) {
  WireReader in(bytes);
  while (in.next()) {
    switch (in.field()) {
      case 1:
        out.x = in.real();
        break;
      case 2:
        out.y = in.real();
        break;
      default:
        in.skip();
    }
  }
  return finish(in, "a point is not well-formed", fault);
}

}  // namespace

std::string describe(const Fault& fault, std::string_view bytes) {
  return fmt::format("decoderbufs message of {} bytes: {} (byte {})", bytes.size(), fault.what, fault.at);
}

bool decode(std::string_view bytes, RowMessage& out, Fault& fault) {
  out.xid = 0;
  out.commit_time_us = 0;
  out.table = {};
  out.op = -1;
  out.new_tuple.clear();
  out.old_tuple.clear();
  out.type_infos.clear();
  WireReader in(bytes);
  while (in.next()) {
    switch (in.field()) {
      case 1:
        out.xid = static_cast<std::uint32_t>(in.integer());
        break;
      case 2:
        out.commit_time_us = in.signed_integer();
        break;
      case 3:
        out.table = in.bytes();
        break;
      case 4:
        out.op = in.small_integer();
        break;
      case 5:
        out.new_tuple.push_back(in.bytes());
        break;
      case 6:
        out.old_tuple.push_back(in.bytes());
        break;
      case 7:
        out.type_infos.push_back(in.bytes());
        break;
      default:
        in.skip();
    }
  }
  return finish(in, "it is not well-formed (is debug-mode on?)", fault);
}

// Of several values the last one counts, as protobuf has it for fields that exclude each other.
bool decode(std::string_view bytes, Datum& out, Fault& fault) {
  using Form = Datum::Form;
  out = {};
  WireReader in(bytes);
  while (in.next()) {
    switch (in.field()) {
      case 1:
        out.name = in.bytes();
        break;
      case 2: {
        const std::int64_t type = in.signed_integer();
        if (type < 0 || type > std::numeric_limits<Oid>::max()) {
          fault = {"a column's type is no oid", in.offset()};
          return false;
        }
        out.type = static_cast<Oid>(type);
        break;
      }
      case 3:
        out.form = Form::integer;
        out.integer = in.small_integer();
        break;
      case 4:
        out.form = Form::integer;
        out.integer = in.signed_integer();
        break;
      case 5:
        out.form = Form::small_real;
        out.small_real = in.small_real();
        break;
      case 6:
        out.form = Form::real;
        out.x = in.real();
        break;
      case 7:
        out.form = Form::boolean;
        out.boolean = in.integer() != 0;
        break;
      case 8:
        out.form = Form::text;
        out.text = in.bytes();
        break;
      case 9:
        out.form = Form::bytes;
        out.text = in.bytes();
        break;
      case 10:
        out.form = Form::point;
        if (!decode_point(in.bytes(), out, fault)) return false;
        break;
      case 11:
        out.form = in.integer() != 0 ? Form::missing : Form::null;
        break;
      default:
        in.skip();
    }
  }
  return finish(in, "a column's value is not well-formed", fault);
}

bool decode(std::string_view bytes, TypeInfo& out, Fault& fault) {
  out = {};
  WireReader in(bytes);
  while (in.next()) {
    switch (in.field()) {
      case 1:
        out.modifier = in.bytes();
        break;
      case 2:
        out.optional = in.integer() != 0;
        break;
      default:
        in.skip();
    }
  }
  return finish(in, "a column's type is not well-formed", fault);
}

}  // namespace cdc::pg::decoderbufs
