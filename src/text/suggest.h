// "Did you mean": the nearest of some known words. Not for hot paths.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace cdc::text {

// Edit distance in bytes: insert, delete, replace, and swap of neighbours count one each. More than `limit`
// is told as some number above it.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = ~std::size_t{0});
// The nearest candidate that is near enough to be a slip of the pen; empty when none is.
std::string_view nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace cdc::text
