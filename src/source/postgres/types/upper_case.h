// Upper case as Java's String.toUpperCase gives it under English rules, for the letters that names of
// types are made of: Latin, Greek, Cyrillic. Other letters stay as they are.
#pragma once

#include <string>
#include <string_view>

namespace cdc::pg {

std::string upper_case(std::string_view utf8);

}  // namespace cdc::pg
