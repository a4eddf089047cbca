// The tree of an expression: shared by its parser and its evaluator, by nobody else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/regex.h"
#include "transform/expression.h"

namespace cdc::transform {

enum class Operation : std::uint8_t {
  literal,
  variable,  // name
  member,    // children[0] . name
  negate,
  both,
  either,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  matches,  // the whole text; regex
  finds,    // a part of it; regex
  one_of,   // children[0] in the others
  add,
  choose,  // children: condition, then, else
  starts,
  ends,
  contains,
};

struct Expression::Node {
  Operation operation = Operation::literal;
  Answer literal;
  std::string name;
  std::optional<text::Regex> regex;
  std::vector<std::shared_ptr<const Node>> children;
};

}  // namespace cdc::transform
