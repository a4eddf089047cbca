// The table from error kinds to names and exit statuses.
#include "cdc/error.h"

#include <array>

namespace cdc {
namespace {
struct Row {
  ErrorKind kind;
  std::string_view name;
  int status;
};
constexpr std::array kRows{
    Row{ErrorKind::usage, "usage", 2},
    Row{ErrorKind::unreachable, "unreachable", 3},
    Row{ErrorKind::refused, "refused", 3},
    Row{ErrorKind::position_lost, "position_lost", 4},
    Row{ErrorKind::sink, "sink", 5},
    Row{ErrorKind::sink_gone, "sink_gone", 141},
    Row{ErrorKind::event, "event", 6},
    Row{ErrorKind::corrupt, "corrupt", 1},
    Row{ErrorKind::unsupported, "unsupported", 2},
    Row{ErrorKind::internal, "internal", 1},
    Row{ErrorKind::cancelled, "cancelled", 0},
};
const Row& row(ErrorKind kind) {
  for (const Row& r : kRows)
    if (r.kind == kind) return r;
  return kRows[9];
}
}  // namespace

int exit_status(ErrorKind kind) { return row(kind).status; }
std::string_view kind_name(ErrorKind kind) { return row(kind).name; }

}  // namespace cdc
