// Expressions over a record: what Debezium's Filter and ContentBasedRouter take instead of scripts. The
// forms that Groovy and JavaScript share: paths (value.after.qty, value?.after, header.h.value,
// value.get('op')), literals, == != < <= > >=, ==~ (the whole text matches), =~ (a part does), in [..],
// && || !, +, ? :, parentheses, and the text methods matches, startsWith, endsWith, contains.
// A path through null gives null; null is less than everything, as in Groovy. Compiled once; immutable.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "cdc/error.h"
#include "transform/record.h"

namespace cdc::transform {

// What an expression gives. Structs, arrays and the like are only compared with null or looked into.
struct Null {};
struct Part {
  Typed value;
};
using Answer = std::variant<Null, bool, std::int64_t, double, std::string, Part>;

class Expression {
 public:
  // Errors are of kind `usage` and tell the index in the text.
  static Result<Expression> parse(std::string_view text);
  Result<Answer> evaluate(Record& record) const;

  struct Node;

 private:
  explicit Expression(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace cdc::transform
