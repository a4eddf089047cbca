// The table itself. Core types go by oid; types of extensions by name, in any schema, when they are base
// types: an enum or a domain that only shares such a name is what it is (PG-SCH-06).
#include "source/postgres/types/type_rules.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace cdc::pg {
namespace {

struct CoreRow {
  Oid oid;
  TypeRule rule;
};

using A = InArrays;
using D = DefaultForm;
using P = ArrayPlaceholder;
constexpr A kOptional = A::optional_elements;
constexpr A kRequired = A::required_elements;

// Sorted by oid.
constexpr CoreRow kCore[] = {
    {16, {map_bool, true, kOptional, D::boolean}},
    {17, {map_bytea, true, kOptional, D::none, P::bytes}},
    {18, {map_text}},                     // "char"
    {19, {map_text, true, A::left_out}},  // name
    {20, {map_int8, true, kOptional, D::integer, P::signed_bytes}},
    {21, {map_int2, true, kOptional, D::integer}},
    {22, {map_int2vector, true, kRequired}},
    {23, {map_int4, true, kOptional, D::integer, P::signed_bytes}},
    {25, {map_text, true, kOptional, D::text, P::text}},
    {26, {map_oid}},
    {30, {map_oidvector, true, kRequired}},
    {114, {map_json, true, kOptional, D::json, P::text}},
    {142, {map_xml, true, A::left_out, D::text}},
    {600, {map_point, true, A::left_out}},
    {601, {map_unknown_geometric, false, A::unknown}},  // lseg
    {602, {map_unknown_geometric, false, A::unknown}},  // path
    {603, {map_unknown_geometric, false, A::unknown}},  // box
    {604, {map_unknown_geometric, false, A::unknown}},  // polygon
    {628, {map_unknown_geometric, false, A::unknown}},  // line
    {650, {map_text}},                                  // cidr
    {700, {map_float4, true, kOptional, D::floating}},
    {701, {map_float8, true, kOptional, D::floating}},
    {718, {map_unknown_geometric, false, A::unknown}},  // circle
    {774, {map_text}},                                  // macaddr8
    {790, {map_money, true, A::left_out}},
    {829, {map_text}},                                      // macaddr
    {869, {map_text}},                                      // inet
    {1042, {map_text, true, kOptional, D::text, P::text}},  // bpchar
    {1043, {map_text, true, kOptional, D::text, P::text}},  // varchar
    {1082, {map_date, true, kOptional, D::date, P::signed_bytes}},
    {1083, {map_time, true, kOptional, D::time}},
    {1114, {map_timestamp, true, kOptional, D::timestamp}},
    {1184, {map_timestamptz, true, kOptional, D::timestamptz}},
    {1186, {map_interval, true, A::left_out, D::interval}},
    {1266, {map_timetz}},
    {1560, {map_bit, true, A::as_scalar, D::bits}},
    {1562, {map_varbit, true, A::left_out, D::bits}},
    {1700, {map_numeric, true, kOptional, D::numeric}},
    {1790, {map_unknown, false, A::left_out}},  // refcursor
    {2950, {map_uuid, true, kOptional, D::uuid, P::uuid}},
    {3614, {map_tsvector, true, kRequired}},
    {3802, {map_json, true, kOptional, D::json, P::text}},  // jsonb
    {3904, {map_text}},                                     // int4range
    {3906, {map_text}},                                     // numrange
    {3908, {map_text}},                                     // tsrange
    {3910, {map_text}},                                     // tstzrange
    {3912, {map_text}},                                     // daterange
    {3926, {map_text}},                                     // int8range
};
static_assert(std::is_sorted(std::begin(kCore), std::end(kCore),
                             [](const CoreRow& a, const CoreRow& b) { return a.oid < b.oid; }));

struct NamedRow {
  std::string_view name;
  TypeRule rule;
};

constexpr NamedRow kExtensions[] = {
    {"citext", {map_text}},
    {"geography", {map_geography}},
    {"geometry", {map_geometry}},
    {"halfvec", {map_halfvec, true, kRequired}},
    {"hstore", {map_hstore}},
    {"isbn", {map_text, true, kRequired}},
    {"ltree", {map_ltree}},
    {"sparsevec", {map_sparsevec, true, kRequired}},
    {"vector", {map_vector, true, kRequired}},
};

constexpr TypeRule kEnum{map_enum, true, kRequired, D::label};
constexpr TypeRule kUnknown{map_unknown, false, A::unknown};

}  // namespace

const TypeRule& rule_of(const TypeInfo& type) {
  if (type.kind == TypeKind::enumeration) return kEnum;
  const auto core = std::lower_bound(std::begin(kCore), std::end(kCore), type.oid,
                                     [](const CoreRow& row, Oid oid) { return row.oid < oid; });
  if (core != std::end(kCore) && core->oid == type.oid) return core->rule;
  if (type.kind != TypeKind::base) return kUnknown;
  for (const NamedRow& row : kExtensions) {
    if (row.name == type.name) return row.rule;
  }
  return kUnknown;
}

}  // namespace cdc::pg
