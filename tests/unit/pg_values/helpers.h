// Short forms for the tests of one value: what a function appends, or `none` when it refuses.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>

#include "cdc/buffer.h"

namespace cdc::pg::test {

inline const std::string none = "(none)";

// Calls append(text, args..., out) behind some text that has to stay, and checks the contract: false
// means that nothing was appended.
template <class Append, class... Args>
std::string render(Append append, std::string_view text, Args&&... args) {
  const std::string before = "kept:";
  // A copy of exactly the text's size, so that sanitizers see a read beyond it.
  const std::string copy(text);
  Buffer out;
  out.append(before);
  const bool done = append(std::string_view(copy.data(), copy.size()), std::forward<Args>(args)..., out);
  CHECK(out.view().substr(0, before.size()) == before);
  if (!done) {
    CHECK(out.size() == before.size());
    return none;
  }
  return std::string(out.view(before.size()));
}

}  // namespace cdc::pg::test
