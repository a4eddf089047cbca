// memchr all the way.
#include "sink/line_cut.h"

#include <algorithm>
#include <cstring>

namespace cdc {

std::size_t first_line(std::string_view lines) {
  const std::size_t end = lines.find('\n');
  return end == std::string_view::npos ? lines.size() : end + 1;
}

LineCut cut_lines(std::string_view lines, std::uint64_t max_bytes, std::uint64_t max_lines) {
  LineCut cut;
  const std::string_view allowed =
      lines.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes, lines.size())));
  while (cut.lines < max_lines && cut.bytes < allowed.size()) {
    const void* end = std::memchr(allowed.data() + cut.bytes, '\n', allowed.size() - cut.bytes);
    if (end == nullptr) break;
    cut.bytes = static_cast<std::size_t>(static_cast<const char*>(end) - allowed.data()) + 1;
    ++cut.lines;
  }
  return cut;
}

std::size_t line_start(std::string_view bytes, std::size_t at) {
  if (at == 0) return 0;
  const std::size_t end = bytes.rfind('\n', at - 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

}  // namespace cdc
