// Optimal string alignment over three rows; words longer than a name can be are not looked at.
#include "text/suggest.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace cdc::text {

namespace {

constexpr std::size_t longest_word = 200;

// Which characters a word has, folded into 64.
std::uint64_t letters(std::string_view word) {
  std::uint64_t set = 0;
  for (const char c : word) set |= std::uint64_t{1} << (static_cast<unsigned char>(c) & 63U);
  return set;
}

// No two words are nearer than this: each edit brings or takes one character.
std::size_t least_distance(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::size_t>(std::max(std::popcount(a & ~b), std::popcount(b & ~a)));
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), last(width), row(width);
  for (std::size_t j = 0; j < width; ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    std::size_t least = i;
    for (std::size_t j = 1; j < width; ++j) {
      const std::size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > limit) return least;  // a swap reaches back one row only, and costs one more
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.empty() || word.size() > longest_word) return {};
  const std::uint64_t wanted = letters(word);
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 4) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t gap =
        word.size() > candidate.size() ? word.size() - candidate.size() : candidate.size() - word.size();
    if (gap >= best_distance || least_distance(wanted, letters(candidate)) >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate, best_distance);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace cdc::text
