// TypeCatalog: what pg_type says about every type seen so far, keyed by oid (PG-SCH-06: names collide,
// oids do not). No SQL and no connection here: the owner of a connection asks `first_unknown`, queries
// and `add`s the rows. Not thread-safe; a snapshot reader that works in parallel has its own copy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cdc::pg {

using Oid = std::uint32_t;

enum class TypeKind : std::uint8_t { base, enumeration, domain, composite, range, multirange, array, pseudo };

// One row of the query over pg_type. `labels` come from pg_enum ordered by enumsortorder.
struct TypeRow {
  Oid oid = 0;
  std::string schema;             // nspname
  std::string name;               // typname
  char typtype = 'b';             // b c d e m p r
  char category = 'U';            // typcategory; 'A' with an element is an array
  Oid element = 0;                // typelem
  char delimiter = ',';           // typdelim: between the elements of arrays of this type
  Oid base = 0;                   // typbasetype of a domain
  std::int32_t base_typmod = -1;  // typtypmod of a domain
  bool not_null = false;          // typnotnull of a domain
  bool visible = true;            // pg_type_is_visible: on the search path (spelling of 4.12)
  std::vector<std::string> labels;
};

struct TypeInfo {
  Oid oid = 0;
  std::string schema;
  std::string name;
  TypeKind kind = TypeKind::base;
  Oid element = 0;                // of an array
  char delimiter = ',';           // between the elements of an array of this type
  Oid base = 0;                   // of a domain
  std::int32_t base_typmod = -1;  // of a domain
  bool not_null = false;          // of a domain
  bool visible = true;
  std::vector<std::string> labels;  // of an enum, in sort order
};

// A column's type with all its domains taken off.
struct ResolvedType {
  const TypeInfo* type = nullptr;  // never a domain
  std::int32_t typmod = -1;        // of the column, else of the first domain level that has one
  bool not_null = false;           // a domain on the way forbids NULL
  bool through_domain = false;
};

class TypeCatalog {
 public:
  TypeCatalog();  // knows the types every server has (4.13)

  // Adds or replaces one type. True when something changed that a codec is built from (labels of an
  // enum, base of a domain...): columns of the type and of its array need new codecs.
  bool add(TypeRow row);

  // nullptr: not known (yet). The pointer stays valid; `add` of the same oid changes what it points to.
  const TypeInfo* find(Oid oid) const;

  // The oid to query next before a column of this type can be mapped: the type itself, a base of a
  // domain or the element of an array. nullopt: all known.
  std::optional<Oid> first_unknown(Oid oid) const;

  // Walks through domains. nullopt: an oid on the way is unknown (or the rows form a circle).
  std::optional<ResolvedType> resolve(Oid oid, std::int32_t typmod) const;

  // The columns to rebuild when labels of `enum_oid` changed: true for the enum, its array, and
  // domains over either.
  bool depends_on(Oid oid, Oid enum_oid) const;

 private:
  std::unordered_map<Oid, TypeInfo> types_;
};

}  // namespace cdc::pg
