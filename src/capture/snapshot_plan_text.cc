// Reading and writing of unit ids and progress.
#include "capture/snapshot_plan_text.h"

#include <charconv>

#include <fmt/format.h>

#include "json/json_read.h"

namespace cdc {
namespace {

std::string strings(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out.push_back(',');
    out += json::quote(text);
  }
  return out + "]";
}

std::optional<std::vector<std::string>> parse_strings(std::string_view array) {
  const auto items = json::elements(array);
  if (!items) return std::nullopt;
  std::vector<std::string> out;
  for (const std::string_view item : *items) {
    auto text = json::unquote(item);
    if (!text) return std::nullopt;
    out.push_back(std::move(*text));
  }
  return out;
}

template <class T>
bool parse_number(std::string_view text, T& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

struct ParsedId {
  TableId table;
  SnapshotUnit unit;
};

std::optional<ParsedId> parse_id(std::string_view id) {
  const auto parts = json::elements(id);
  if (!parts || parts->size() != 8) return std::nullopt;
  const auto names = parse_strings("[" + std::string((*parts)[0]) + "," + std::string((*parts)[1]) + "," +
                                   std::string((*parts)[2]) + "]");
  const auto lower = parse_strings((*parts)[5]), upper = parse_strings((*parts)[6]);
  if (!names || !lower || !upper) return std::nullopt;
  ParsedId parsed;
  parsed.table = {(*names)[0], (*names)[1], (*names)[2]};
  if (!parse_number((*parts)[3], parsed.unit.number) || !parse_number((*parts)[4], parsed.unit.total))
    return std::nullopt;
  parsed.unit.lower = *lower;
  parsed.unit.upper = *upper;
  parsed.unit.ordered = (*parts)[7] == "true";
  return parsed;
}

}  // namespace

std::string unit_id(const SnapshotPlan& plan, const SnapshotUnit& unit) {
  const TableId& id = plan.tables[unit.table].id;
  return fmt::format("[{},{},{},{},{},{},{},{}]", json::quote(id.catalog), json::quote(id.schema),
                     json::quote(id.table), unit.number, unit.total, strings(unit.lower), strings(unit.upper),
                     unit.ordered);
}

std::optional<SnapshotUnit> parse_unit(const SnapshotPlan& plan, std::string_view id) {
  auto parsed = parse_id(id);
  if (!parsed) return std::nullopt;
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    if (plan.tables[i].id != parsed->table) continue;
    parsed->unit.table = i;
    return parsed->unit;
  }
  return std::nullopt;
}

std::string progress_text(const SnapshotPlan& plan, const SnapshotProgress& progress) {
  std::string out = "{\"units\":[";
  for (std::size_t i = 0; i < plan.units.size(); ++i) {
    if (i > 0) out.push_back(',');
    out += unit_id(plan, plan.units[i]);
  }
  out += "],\"done\":[";
  bool first = true;
  for (const std::size_t i : progress.done) {
    out += fmt::format("{}{}", first ? "" : ",", i);
    first = false;
  }
  out += "],\"keys\":[";
  first = true;
  for (const auto& [i, key] : progress.keys) {
    out += fmt::format("{}[{},{}]", first ? "" : ",", i, strings(key));
    first = false;
  }
  return out + "]}";
}

std::optional<StoredSnapshot> parse_progress(const SnapshotPlan& plan, std::string_view text) {
  const auto members = json::members(text);
  if (!members || members->size() != 3) return std::nullopt;
  const auto units = json::elements((*members)[0].second), done = json::elements((*members)[1].second),
             keys = json::elements((*members)[2].second);
  if (!units || !done || !keys) return std::nullopt;
  StoredSnapshot stored;
  std::vector<std::optional<std::size_t>> place(units->size());  // stored index -> index now
  for (std::size_t i = 0; i < units->size(); ++i) {
    if (auto unit = parse_unit(plan, (*units)[i])) {
      place[i] = stored.units.size();
      stored.units.push_back(std::move(*unit));
    } else {
      const auto id = parse_id((*units)[i]);
      if (!id) return std::nullopt;
      stored.gone.push_back(id->table.schema + "." + id->table.table);
    }
  }
  const auto at = [&](std::string_view number) -> std::optional<std::size_t> {
    std::size_t i = 0;
    if (!parse_number(number, i) || i >= place.size()) return std::nullopt;
    return place[i];
  };
  for (const std::string_view number : *done)
    if (const auto i = at(number)) stored.progress.done.insert(*i);
  for (const std::string_view entry : *keys) {
    const auto pair = json::elements(entry);
    if (!pair || pair->size() != 2) return std::nullopt;
    const auto key = parse_strings((*pair)[1]);
    if (!key) return std::nullopt;
    if (const auto i = at((*pair)[0])) stored.progress.keys[*i] = *key;
  }
  return stored;
}

}  // namespace cdc
