// Reading and writing the offset's JSON (spec 3.6). One table names the members; both directions use it.
#include "source/postgres/offset.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "json/json_read.h"
#include "json/json_text.h"

namespace cdc::pg {
namespace {

using OptionalNumber = std::optional<std::uint64_t> Offset::*;

struct NumberMember {
  std::string_view name;
  OptionalNumber member;
  friend bool operator==(const NumberMember& known, std::string_view wanted) { return known.name == wanted; }
};

constexpr NumberMember kNumbers[] = {
    {"lsn_proc", &Offset::lsn_proc},
    {"lsn_commit", &Offset::lsn_commit},
    {"lsn", &Offset::lsn},
    {"txId", &Offset::tx_id},
    {"xmin", &Offset::xmin},
    {"cdc_tx_final_lsn", &Offset::tx_final_lsn},
    {"cdc_confirmed_lsn", &Offset::confirmed},
    {"cdc_timeline", &Offset::timeline},
};

// Signed or unsigned: an LSN above 2^63 is printed as a negative number (PG-FAIL-21).
std::optional<std::uint64_t> number(std::string_view text) {
  const char* end = text.data() + text.size();
  if (text.starts_with('-')) {
    std::int64_t value = 0;
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || at != end) return std::nullopt;
    return static_cast<std::uint64_t>(value);
  }
  std::uint64_t value = 0;
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end || text.empty()) return std::nullopt;
  return value;
}

void append_name(Buffer& out, std::string_view name) {
  out.push(out.view().back() == '{' ? '"' : ',');
  if (out.view().back() == ',') out.push('"');
  out.append(name);
  out.append("\":");
}

void append_number(Buffer& out, std::string_view name, std::uint64_t value) {
  append_name(out, name);
  json::append_int(out, static_cast<std::int64_t>(value));
}

Error not_understood(std::string_view member, std::string_view value) {
  return fail(ErrorKind::corrupt,
              fmt::format("the stored offset cannot be read: member \"{}\" has the value {}", member, value),
              "Restore the state file from a copy, or remove it to start from the beginning")
      .value();
}

}  // namespace

OffsetPoint Offset::point() const {
  OffsetPoint point;
  point.lsn = lsn;
  point.lsn_proc = lsn_proc;
  point.lsn_commit = lsn_commit ? lsn_commit : lsn_proc;
  point.system_identifier = system_id;
  point.tx_final_lsn = tx_final_lsn;
  point.timeline = static_cast<std::uint32_t>(timeline.value_or(0));
  point.confirmed = confirmed;
  return point;
}

Result<Offset> parse_offset(std::string_view json) {
  const auto members = json::members(json);
  if (!members)
    return fail(ErrorKind::corrupt, "the stored offset is not a JSON object",
                "Restore the state file from a copy, or remove it to start from the beginning");
  Offset offset;
  std::string seen;
  std::optional<std::uint64_t> seen_end;
  for (const auto& [name, value] : *members) {
    if (json::is_null(value)) continue;
    const auto known = std::find(std::begin(kNumbers), std::end(kNumbers), name);
    if (known != std::end(kNumbers)) {
      const auto parsed = number(value);
      if (!parsed) return tl::unexpected(not_understood(name, value));
      offset.*(known->member) = parsed;
    } else if (name == "ts_usec" || name == "cdc_tx_pos" || name == "cdc_tx_part") {
      const auto parsed = number(value);
      if (!parsed) return tl::unexpected(not_understood(name, value));
      if (name == "ts_usec")
        offset.ts_us = static_cast<std::int64_t>(*parsed);
      else
        (name == "cdc_tx_pos" ? offset.tx_pos : offset.tx_part) = *parsed;
    } else if (name == "cdc_snapshot") {
      seen = json::unquote(value).value_or("");
    } else if (name == "cdc_snapshot_end") {
      seen_end = number(value);
    } else if (name == "messageType") {
      offset.message_type = json::unquote(value).value_or("");
    } else if (name == "cdc_systemid") {
      offset.system_id = json::unquote(value).value_or(std::string(value));
    } else if (name == "snapshot") {
      // Before Debezium 2 a boolean (PG-TRAP-OFF-15).
      if (value == "true")
        offset.snapshot = "INITIAL";
      else if (value != "false")
        offset.snapshot = json::unquote(value).value_or("");
    } else if (name == "last_snapshot_record") {
      offset.last_snapshot_record = value == "true";
    } else if (name == "snapshot_completed") {
      offset.snapshot_completed = value == "true";
    }
  }
  if (!seen.empty()) {
    auto transactions = SeenTransactions::parse(seen, seen_end.value_or(0));
    if (!transactions || !seen_end) return tl::unexpected(not_understood("cdc_snapshot", seen));
    offset.seen = std::make_shared<const SeenTransactions>(std::move(*transactions));
  }
  return offset;
}

void append_offset(Buffer& out, const Offset& offset) {
  out.push('{');
  if (!offset.snapshot.empty()) {
    append_name(out, "last_snapshot_record");
    json::append_bool(out, offset.last_snapshot_record);
  }
  for (const NumberMember& member : kNumbers)
    if (const auto& value = offset.*(member.member)) append_number(out, member.name, *value);
  if (offset.tx_final_lsn) append_number(out, "cdc_tx_pos", offset.tx_pos);
  if (offset.tx_part != 0) append_number(out, "cdc_tx_part", offset.tx_part);
  append_number(out, "ts_usec", static_cast<std::uint64_t>(offset.ts_us));
  if (!offset.message_type.empty()) {
    append_name(out, "messageType");
    json::append_string(out, offset.message_type);
  }
  if (!offset.system_id.empty()) {
    append_name(out, "cdc_systemid");
    json::append_string(out, offset.system_id);
  }
  if (offset.seen) {
    append_name(out, "cdc_snapshot");
    json::append_string(out, offset.seen->text());
    append_number(out, "cdc_snapshot_end", offset.seen->end());
  }
  if (!offset.snapshot.empty()) {
    append_name(out, "snapshot");
    json::append_string(out, offset.snapshot);
    append_name(out, "snapshot_completed");
    json::append_bool(out, offset.snapshot_completed);
  }
  out.push('}');
}

}  // namespace cdc::pg
