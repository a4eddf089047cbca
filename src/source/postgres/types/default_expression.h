// What pg_get_expr prints for a column default, sorted into the few cases Debezium tells apart (4.11).
// Types are not looked at here; see column_codec.cc for how a case becomes a value of the column.
#pragma once

#include <string>
#include <string_view>

namespace cdc::pg {

struct DefaultExpression {
  enum class Kind {
    null,        // NULL, NULL::text: no default
    call,        // now(), nextval(...), CURRENT_DATE: the type's stand-in
    literal,     // the first '...': `text` holds it with doubled quotes made one
    bare,        // a number, true, CURRENT_USER, (5)::text: `text` is the whole expression
    unreadable,  // a literal over several lines, or one that does not end
  };
  Kind kind = Kind::null;
  std::string text;
  bool opens_with_literal = false;  // nothing stands before the quote
};

// Total over all inputs.
DefaultExpression read_default(std::string_view expression);

// A serial column: its default takes the next value of a sequence.
bool is_sequence_default(std::string_view expression);

}  // namespace cdc::pg
