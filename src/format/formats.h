// The four output formats: which text a record becomes.
//   value        the value, one JSON document a line; tombstones are not printed
//   record       {"topic","partition"?,"key","value","headers"?,"offset"}: everything
//   keyed        key TAB value; a tombstone has an empty value
//   cloudevents  the value as a structured CloudEvent
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cdc/config.h"
#include "cdc/error.h"
#include "event/event.h"

namespace cdc {

Result<std::unique_ptr<RecordFormat>> make_format(const Config& config);

// What the chosen format cannot carry, to be said once at start.
std::vector<std::string> format_warnings(const Config& config);

}  // namespace cdc
