// Texts and decisions for values without a form.
#include "event/conversion_trouble.h"

#include <fmt/format.h>

namespace cdc {
namespace {

std::string shown(std::string_view value) {
  constexpr std::size_t kMost = 40;
  if (value.size() <= kMost) return std::string(value);
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(value[cut]) & 0xC0) == 0x80) --cut;
  return fmt::format("{}... ({} bytes)", value.substr(0, cut), value.size());
}

}  // namespace

Result<void> report_trouble(const CompiledTable& table, std::span<const Cell> cells, const EncodedRow& row,
                            FailureMode mode, Runtime& runtime) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const std::uint32_t outcome = row.outcome[i];
    if ((outcome & (encoded::failed | encoded::element_failed)) == 0) continue;
    const CompiledTable::Column& column = table.columns[i];
    const ColumnShape& shape = table.shape.columns[column.cell];
    const std::string name = fmt::format("{}.{}", table.collection_id, shape.name);
    const Cell& cell = cells[column.cell];
    if (cell.kind == Cell::Kind::unavailable) {
      // Nothing to convert: the log does not have it. Not a failure, but never silent.
      runtime.log.warn_once(
          "toast " + name,
          fmt::format(
              "{}: value not sent by the server (unchanged TOAST) and {} has no placeholder, null was "
              "written in its place (use REPLICA IDENTITY FULL or the reselect post processor)",
              name, shape.type_name));
      continue;
    }
    const std::string& hint = column.codec.no_form_hint;
    const std::string message =
        (outcome & encoded::failed)
            ? fmt::format("{}: {} ({}) cannot be written", name, shown(cell.data), shape.type_name)
            : fmt::format("{}: an element of {} ({}) cannot be written", name, shown(cell.data),
                          shape.type_name);
    runtime.stats.erroneous.fetch_add(1, std::memory_order_relaxed);
    if (mode == FailureMode::fail) return fail(ErrorKind::event, message, hint);
    if (mode == FailureMode::warn)
      runtime.log.warn_once("convert " + name, fmt::format("{}{}, null was written in its place", message,
                                                           hint.empty() ? "" : fmt::format(" ({})", hint)));
  }
  return {};
}

}  // namespace cdc
