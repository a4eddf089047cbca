// Shared by the tests of this room: a catalog with the types of usual extensions and some of our own, and
// short ways to a codec, its schema and one encoded value.
#pragma once

#include <string>
#include <string_view>

#include "source/postgres/types/column_codec.h"

namespace cdc::pg::test {

// Oids of types that are not built in; their arrays have the oid plus 1000.
enum : Oid {
  kCitext = 50001,
  kHstore,
  kLtree,
  kIsbn,
  kGeometry,
  kGeography,
  kVector,
  kHalfvec,
  kSparsevec,
  kMood,        // enum: sad, ok, 'a,b'
  kEmptyEnum,   // enum without labels
  kAddress,     // composite
  kOwnRange,    // range over float8
  kCube,        // base type of an extension without a mapping
  kEnumLtree,   // s2.ltree, an enum
  kIntCitext,   // s2.citext, a domain over int4
  kTextDate,    // s2.date, a domain over varchar(7)
  kPrice,       // domain over numeric(9,3)
  kPrice2,      // domain over kPrice
  kBareNumber,  // domain over numeric
  kName20,      // domain over varchar(20), NOT NULL
  kMoodDomain,  // domain over kMood
  kIntsDomain,  // domain over int4[]
  kBoolDomain,  // domain over bool
};
inline constexpr Oid kArrayOf = 1000;

TypeCatalog catalog();

// "int4", "_varchar", "citext"...; 0 when the catalog of the tests has no such type in public or pg_catalog.
Oid oid_of(std::string_view type_name);

struct Column {
  Oid oid = 0;
  std::int32_t typmod = -1;
  bool nullable = true;
  std::string default_expression = {};  // empty: none
  TypeModes modes = {};
};
MappedColumn mapped(const Column& column);
// Of a column that is not left out.
ColumnCodec codec(const Column& column);
std::string schema(const Column& column);
// JSON of a value; "FAILED" for encoded::failed.
std::string value(const Column& column, std::string_view text);
std::uint32_t flags(const Column& column, std::string_view text);
std::string fallback(Column column);            // of a NOT NULL column
std::string unavailable(const Column& column);  // "NONE" when unset

// The mode set by one "property=value"; fails the test for an unknown one.
void set_mode(TypeModes& modes, std::string_view property, std::string_view text);

constexpr std::int32_t numeric_typmod(int precision, int scale) {
  return (precision << 16 | (scale & 0x7FF)) + 4;
}

}  // namespace cdc::pg::test
