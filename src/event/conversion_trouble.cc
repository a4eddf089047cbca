// Texts and decisions for values without a form.
#include "event/conversion_trouble.h"

#include <fmt/format.h>

#include "event/row_text.h"

namespace cdc {
namespace {

std::string shown(std::string_view value) {
  const std::string_view start = message_part(value);
  if (start.size() == value.size()) return std::string(value);
  return fmt::format("{}... ({} bytes)", start, value.size());
}

// " (id=7)" of a keyed row.
std::string row_text(const CompiledTable& table, std::span<const Cell> cells) {
  const std::string key = key_text(table.shape, table.shape.key, cells);
  return key.empty() ? key : " (" + key + ")";
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
        fmt::format("{}{}: {}{} ({}) cannot be written", name, row_text(table, cells),
                    (outcome & encoded::failed) ? "" : "an element of ", shown(cell.data), shape.type_name);
    runtime.stats.erroneous.fetch_add(1, std::memory_order_relaxed);
    if (mode == FailureMode::fail) return fail(ErrorKind::event, message, hint);
    // `skip` is silent about nulls where nulls may be, not where the table has none.
    if (mode == FailureMode::warn || !shape.nullable)
      runtime.log.warn_once("convert " + name, fmt::format("{}{}, null was written in its place", message,
                                                           hint.empty() ? "" : fmt::format(" ({})", hint)));
  }
  return {};
}

}  // namespace cdc
