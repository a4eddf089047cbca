// How messages name a row: by its key, and never with more of a value than a line can hold.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "cdc/change_sink.h"
#include "cdc/table.h"

namespace cdc {

// The beginning of a value, cut between characters.
std::string_view message_part(std::string_view value);

// "id=7, part=3".
std::string key_text(const TableShape& shape, std::span<const std::size_t> key, std::span<const Cell> row);

}  // namespace cdc
