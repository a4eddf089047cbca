// Borders of an incremental snapshot's chunks in Debezium's offsets: the hex text of a Java-serialized
// Object[] (CORE-OFF-08), to and from cdc's own [{"t":"int32","v":5}].
#pragma once

#include <string>
#include <string_view>

#include "cdc/error.h"

namespace cdc {

// `null` for a serialized null. Kind corrupt for other bytes, unsupported for classes that no key of
// Debezium has (CORE-OFF-09).
Result<std::string> keys_from_java(std::string_view hex);
// `json`: an array as above, or null.
Result<std::string> keys_to_java(std::string_view json);

// The same for the members of a whole offset; others are left as they are. `from_java` also takes the
// outermost parentheses off the condition, `to_java` puts them on.
Result<std::string> incremental_from_java(std::string_view offset);
Result<std::string> incremental_to_java(std::string_view offset);

}  // namespace cdc
