// Finding line borders in a block of whole lines. Called only where a file is about to be full.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cdc {

struct LineCut {
  std::size_t bytes = 0;  // of the whole lines taken
  std::uint64_t lines = 0;
};

// The longest run of whole lines from the beginning with at most `max_bytes` bytes and at most
// `max_lines` lines. `lines` are whole lines, each ended by \n.
LineCut cut_lines(std::string_view lines, std::uint64_t max_bytes, std::uint64_t max_lines);
// Bytes of the first line with its \n.
std::size_t first_line(std::string_view lines);
// Start of the line that the byte before `at` belongs to when that line is not complete at `at`.
std::size_t line_start(std::string_view bytes, std::size_t at);

}  // namespace cdc
