// Inside of this room: the table of all types that Debezium maps (4.1 to 4.7), one row a type. Who adds a
// type adds a row and, where its form is new, one mapping function.
#pragma once

#include <cstdint>

#include "source/postgres/types/mapping.h"

namespace cdc::pg {

// What an array of the type is (4.6).
enum class InArrays : std::uint8_t {
  optional_elements,
  required_elements,  // Debezium's generic path: a NULL element does not fit the schema
  unknown,            // only with include.unknown.datatypes
  left_out,           // never
  as_scalar,          // bit[]: the schema of the scalar, and no value ever
};

// What an unchanged TOAST array prints (4.10).
enum class ArrayPlaceholder : std::uint8_t { none, text, bytes, signed_bytes, uuid };

// How a default expression is read (4.11).
enum class DefaultForm : std::uint8_t {
  none,
  integer,
  floating,
  numeric,
  boolean,
  bits,
  text,
  json,
  uuid,
  label,
  date,
  time,
  timestamp,
  timestamptz,
  interval,
};

struct TypeRule {
  MappingFn map;
  bool known = true;  // false: left out without include.unknown.datatypes
  InArrays in_arrays = InArrays::optional_elements;
  DefaultForm default_form = DefaultForm::none;
  ArrayPlaceholder placeholder = ArrayPlaceholder::none;
};

// The rule of a type that is no domain and no array of pg_type. Always gives one: what is not in the
// table is unknown.
const TypeRule& rule_of(const TypeInfo& type);

}  // namespace cdc::pg
