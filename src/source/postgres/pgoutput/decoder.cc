// Decoding of pgoutput messages (PG-STR-03). What a message means for the stream is decided elsewhere.
#include "source/postgres/pgoutput/decoder.h"

#include <fmt/format.h>

#include <array>

#include "source/postgres/pgoutput/bytes.h"

namespace cdc::pg::pgoutput {
namespace {

constexpr std::array<bool, 256> kIsKind = [] {
  std::array<bool, 256> is_kind{};
  for (const char kind : std::string_view("BCORYIUDTM")) is_kind[static_cast<unsigned char>(kind)] = true;
  return is_kind;
}();

// The message must have been read exactly to its end.
bool finish(const ByteReader& in, const char* short_text, Fault& fault) {
  if (!in.ok()) {
    fault = {short_text, in.offset()};
    return false;
  }
  if (in.remaining() != 0) {
    fault = {"bytes are left over after the message", in.offset()};
    return false;
  }
  return true;
}

// i16 n, then n columns: 'n' NULL, 'u' unchanged TOAST, 't' text with its length.
bool read_tuple(ByteReader& from, std::vector<Cell>& cells, Fault& fault) {
  ByteReader in = from;  // a copy stays in registers
  const std::size_t count = in.u16();
  if (!in.ok() || count > in.remaining()) {
    fault = {"tuple has fewer columns than it says", in.offset()};
    return false;
  }
  cells.resize(count);
  for (Cell& cell : cells) {
    switch (in.u8()) {
      case 't': {
        const std::int32_t length = in.i32();
        if (length < 0) {
          fault = {"negative length of a value", in.offset()};
          return false;
        }
        cell.kind = Cell::Kind::value;
        cell.data = in.bytes(static_cast<std::size_t>(length));
        break;
      }
      case 'n':
        cell = {Cell::Kind::null, {}};
        break;
      case 'u':
        cell = {Cell::Kind::unavailable, {}};
        break;
      case 'b':
        fault = {"value in binary form, which was not asked for", in.offset()};
        return false;
      default:
        fault = {in.ok() ? "unknown form of a value" : "tuple ends too early", in.offset()};
        return false;
    }
    if (!in.ok()) {
      fault = {"value ends too early", in.offset()};
      return false;
    }
  }
  from = in;
  return true;
}

}  // namespace

std::string describe(const Fault& fault, std::string_view bytes) {
  const char first = bytes.empty() ? '-' : bytes.front();
  const bool printable = first >= ' ' && first <= '~';
  return fmt::format("pgoutput message '{}' of {} bytes: {} (byte {})", printable ? first : '?', bytes.size(),
                     fault.what, fault.at);
}

std::optional<Kind> kind_of(std::string_view bytes) {
  if (bytes.empty() || !kIsKind[static_cast<unsigned char>(bytes.front())]) return std::nullopt;
  return static_cast<Kind>(bytes.front());
}

bool decode(std::string_view bytes, Begin& out, Fault& fault) {
  ByteReader in(bytes);
  in.u8();
  out.final_lsn = in.u64();
  // Unsigned addition: any 64 bits may come, and must not overflow.
  out.commit_time_us = static_cast<std::int64_t>(in.u64() + static_cast<std::uint64_t>(kPostgresEpochUs));
  out.xid = in.u32();
  return finish(in, "BEGIN ends too early", fault);
}

bool decode(std::string_view bytes, Commit& out, Fault& fault) {
  ByteReader in(bytes);
  in.u8();
  in.u8();  // flags: none defined
  out.commit_lsn = in.u64();
  out.end_lsn = in.u64();
  out.commit_time_us = static_cast<std::int64_t>(in.u64() + static_cast<std::uint64_t>(kPostgresEpochUs));
  return finish(in, "COMMIT ends too early", fault);
}

bool decode(std::string_view bytes, Origin& out, Fault& fault) {
  ByteReader in(bytes);
  in.u8();
  out.lsn = in.u64();
  out.name = in.text();
  return finish(in, "ORIGIN ends too early", fault);
}

bool decode(std::string_view bytes, Relation& out, Fault& fault) {
  ByteReader in(bytes);
  in.u8();
  out.oid = in.u32();
  out.schema = in.text();
  if (out.schema.empty()) out.schema = "pg_catalog";
  out.table = in.text();
  out.identity = static_cast<char>(in.u8());
  const std::size_t count = in.u16();
  if (!in.ok() || count > in.remaining()) {
    fault = {"relation has fewer columns than it says", in.offset()};
    return false;
  }
  out.columns.resize(count);
  for (RelationColumn& column : out.columns) {
    column.identity = (in.u8() & 1) != 0;
    column.name = in.text();
    column.type = in.u32();
    column.typmod = in.i32();
  }
  return finish(in, "RELATION ends too early", fault);
}

bool decode(std::string_view bytes, Truncate& out, Fault& fault) {
  ByteReader in(bytes);
  in.u8();
  const std::size_t count = in.u32();
  const std::uint8_t flags = in.u8();
  out.cascade = (flags & 1) != 0;
  out.restart_identity = (flags & 2) != 0;
  if (!in.ok() || count > in.remaining() / 4) {
    fault = {"TRUNCATE has fewer tables than it says", in.offset()};
    return false;
  }
  out.relations.resize(count);
  for (Oid& oid : out.relations) oid = in.u32();
  return finish(in, "TRUNCATE ends too early", fault);
}

bool decode(std::string_view bytes, LogicalMessage& out, Fault& fault) {
  ByteReader in(bytes);
  in.u8();
  out.transactional = (in.u8() & 1) != 0;
  out.lsn = in.u64();
  out.prefix = in.text();
  const std::int32_t length = in.i32();
  if (length < 0) {
    fault = {"negative length of a logical message", in.offset()};
    return false;
  }
  out.content = in.bytes(static_cast<std::size_t>(length));
  return finish(in, "MESSAGE ends too early", fault);
}

Oid relation_of(std::string_view bytes) {
  ByteReader in(bytes);
  in.u8();
  return in.u32();
}

bool decode_row(std::string_view bytes, RowBuffers& buffers, Row& out, Fault& fault) {
  ByteReader in(bytes);
  const char kind = static_cast<char>(in.u8());
  out = {};
  out.relation = in.u32();
  char form = static_cast<char>(in.u8());
  if (kind != 'I' && (form == 'K' || form == 'O')) {
    if (!read_tuple(in, buffers.old_cells, fault)) return false;
    out.old_form = form;
    out.old_cells = buffers.old_cells;
    if (kind == 'D') return finish(in, "row ends too early", fault);
    form = static_cast<char>(in.u8());
  }
  if (kind == 'D' || form != 'N') {
    fault = {in.ok() ? "unknown kind of tuple" : "row ends too early", in.offset()};
    return false;
  }
  if (!read_tuple(in, buffers.new_cells, fault)) return false;
  out.new_cells = buffers.new_cells;
  return finish(in, "row ends too early", fault);
}

void fill_unavailable(Row& row) {
  if (row.old_cells.size() != row.new_cells.size()) return;
  for (std::size_t i = 0; i < row.new_cells.size(); ++i) {
    Cell& cell = row.new_cells[i];
    // An identity tuple carries key values stored out of line; its NULLs are columns it does not carry.
    const bool known = row.old_form == 'O' || row.old_cells[i].kind == Cell::Kind::value;
    if (cell.kind == Cell::Kind::unavailable && known) cell = row.old_cells[i];
  }
}

}  // namespace cdc::pg::pgoutput
