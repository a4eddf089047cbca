// Schemas made out of schemas: the few ways in which transforms rebuild them.
#pragma once

#include <string_view>

#include "cdc/error.h"
#include "cdc/schema.h"

namespace cdc::transform {

// A required struct (or other type) with the name, version, doc and parameters of `from`: no fields, no
// default.
Schema basics_of(const Schema& from);
// An optional copy without default: how metadata is added to rows.
SchemaPtr optional_copy(const Schema& from);
SchemaPtr renamed(const Schema& from, std::string name);

const Field* find_field(const Schema& schema, std::string_view name);  // null: none
int field_index(const Schema& schema, std::string_view name);          // -1: none

// Appends a field; an error when the name is taken.
Result<void> add_field(Schema& schema, std::string name, SchemaPtr type);

SchemaPtr share(Schema schema);

// The envelope of a data event, told by its name as Debezium does.
bool is_envelope(const Schema* schema);

}  // namespace cdc::transform
