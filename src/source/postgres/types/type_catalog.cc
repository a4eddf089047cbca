// The types every PostgreSQL has, as data, and the walk through domains. Rows of other types come from
// the connection's owner.
#include "source/postgres/types/type_catalog.h"

#include <utility>

namespace cdc::pg {
namespace {

struct BuiltIn {
  Oid oid;
  std::string_view name;
  Oid array_oid;  // 0: none
  TypeKind kind = TypeKind::base;
};

constexpr Oid kInt2Vector = 22, kOidVector = 30;
constexpr Oid kBox = 603;  // the one built-in type whose text has commas of its own

constexpr BuiltIn kBuiltIns[] = {
    {16, "bool", 1000},
    {17, "bytea", 1001},
    {18, "char", 1002},
    {19, "name", 1003},
    {20, "int8", 1016},
    {21, "int2", 1005},
    {22, "int2vector", 1006},
    {23, "int4", 1007},
    {24, "regproc", 1008},
    {25, "text", 1009},
    {26, "oid", 1028},
    {27, "tid", 1010},
    {28, "xid", 1011},
    {29, "cid", 1012},
    {30, "oidvector", 1013},
    {114, "json", 199},
    {142, "xml", 143},
    {600, "point", 1017},
    {601, "lseg", 1018},
    {602, "path", 1019},
    {603, "box", 1020},
    {604, "polygon", 1027},
    {628, "line", 629},
    {650, "cidr", 651},
    {700, "float4", 1021},
    {701, "float8", 1022},
    {718, "circle", 719},
    {774, "macaddr8", 775},
    {790, "money", 791},
    {829, "macaddr", 1040},
    {869, "inet", 1041},
    {1042, "bpchar", 1014},
    {1043, "varchar", 1015},
    {1082, "date", 1182},
    {1083, "time", 1183},
    {1114, "timestamp", 1115},
    {1184, "timestamptz", 1185},
    {1186, "interval", 1187},
    {1266, "timetz", 1270},
    {1560, "bit", 1561},
    {1562, "varbit", 1563},
    {1700, "numeric", 1231},
    {1790, "refcursor", 2201},
    {2202, "regprocedure", 2207},
    {2203, "regoper", 2208},
    {2204, "regoperator", 2209},
    {2205, "regclass", 2210},
    {2206, "regtype", 2211},
    {2950, "uuid", 2951},
    {2970, "txid_snapshot", 2949},
    {3220, "pg_lsn", 3221},
    {3614, "tsvector", 3643},
    {3615, "tsquery", 3645},
    {3734, "regconfig", 3735},
    {3769, "regdictionary", 3770},
    {3802, "jsonb", 3807},
    {3904, "int4range", 3905, TypeKind::range},
    {3906, "numrange", 3907, TypeKind::range},
    {3908, "tsrange", 3909, TypeKind::range},
    {3910, "tstzrange", 3911, TypeKind::range},
    {3912, "daterange", 3913, TypeKind::range},
    {3926, "int8range", 3927, TypeKind::range},
    {4072, "jsonpath", 4073},
    {4089, "regnamespace", 4090},
    {4096, "regrole", 4097},
    {4191, "regcollation", 4192},
    {4451, "int4multirange", 6150, TypeKind::multirange},
    {4532, "nummultirange", 6151, TypeKind::multirange},
    {4533, "tsmultirange", 6152, TypeKind::multirange},
    {4534, "tstzmultirange", 6153, TypeKind::multirange},
    {4535, "datemultirange", 6155, TypeKind::multirange},
    {4536, "int8multirange", 6157, TypeKind::multirange},
    {5038, "pg_snapshot", 5039},
    {5069, "xid8", 271},
};

// Longer chains of domains than this are rows that form a circle.
constexpr int kMaxDomainLevels = 64;

TypeKind kind_of(const TypeRow& row) {
  switch (row.typtype) {
    case 'c':
      return TypeKind::composite;
    case 'd':
      return TypeKind::domain;
    case 'e':
      return TypeKind::enumeration;
    case 'm':
      return TypeKind::multirange;
    case 'p':
      return TypeKind::pseudo;
    case 'r':
      return TypeKind::range;
    default:
      break;
  }
  // typelem alone does not make an array: name, point, box have one too. And these two are called arrays by
  // pg_type but have a text and a form of their own.
  if (row.oid == kInt2Vector || row.oid == kOidVector) return TypeKind::base;
  return row.category == 'A' && row.element != 0 ? TypeKind::array : TypeKind::base;
}

}  // namespace

TypeCatalog::TypeCatalog() {
  for (const BuiltIn& b : kBuiltIns) {
    TypeInfo& type = types_[b.oid];
    type.oid = b.oid;
    type.schema = "pg_catalog";
    type.name = b.name;
    type.kind = b.kind;
    if (b.oid == kBox) type.delimiter = ';';
    if (b.array_oid == 0) continue;
    TypeInfo& array = types_[b.array_oid];
    array.oid = b.array_oid;
    array.schema = "pg_catalog";
    array.name = "_" + std::string(b.name);
    array.kind = TypeKind::array;
    array.element = b.oid;
  }
}

bool TypeCatalog::add(TypeRow row) {
  TypeInfo fresh;
  fresh.kind = kind_of(row);
  fresh.oid = row.oid;
  fresh.schema = std::move(row.schema);
  fresh.name = std::move(row.name);
  fresh.delimiter = row.delimiter;
  fresh.element = fresh.kind == TypeKind::array ? row.element : 0;
  fresh.base = fresh.kind == TypeKind::domain ? row.base : 0;
  fresh.base_typmod = row.base_typmod;
  fresh.not_null = fresh.kind == TypeKind::domain && row.not_null;
  fresh.visible = row.visible;
  fresh.labels = std::move(row.labels);

  TypeInfo& known = types_[fresh.oid];
  const bool changed = known.oid != fresh.oid || known.schema != fresh.schema || known.name != fresh.name ||
                       known.kind != fresh.kind || known.delimiter != fresh.delimiter ||
                       known.element != fresh.element || known.base != fresh.base ||
                       known.base_typmod != fresh.base_typmod || known.not_null != fresh.not_null ||
                       known.visible != fresh.visible || known.labels != fresh.labels;
  known = std::move(fresh);
  return changed;
}

const TypeInfo* TypeCatalog::find(Oid oid) const {
  const auto it = types_.find(oid);
  return it == types_.end() ? nullptr : &it->second;
}

std::optional<Oid> TypeCatalog::first_unknown(Oid oid) const {
  for (int level = 0; level < kMaxDomainLevels; ++level) {
    const TypeInfo* type = find(oid);
    if (type == nullptr) return oid;
    if (type->kind == TypeKind::domain) {
      oid = type->base;
    } else if (type->kind == TypeKind::array) {
      oid = type->element;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<ResolvedType> TypeCatalog::resolve(Oid oid, std::int32_t typmod) const {
  ResolvedType resolved;
  resolved.typmod = typmod;
  for (int level = 0; level < kMaxDomainLevels; ++level) {
    const TypeInfo* type = find(oid);
    if (type == nullptr) return std::nullopt;
    if (type->kind != TypeKind::domain) {
      resolved.type = type;
      return resolved;
    }
    resolved.through_domain = true;
    resolved.not_null = resolved.not_null || type->not_null;
    if (resolved.typmod == -1) resolved.typmod = type->base_typmod;
    oid = type->base;
  }
  return std::nullopt;
}

bool TypeCatalog::depends_on(Oid oid, Oid enum_oid) const {
  for (int level = 0; level < kMaxDomainLevels; ++level) {
    if (oid == enum_oid) return true;
    const TypeInfo* type = find(oid);
    if (type == nullptr) return false;
    if (type->kind == TypeKind::domain) {
      oid = type->base;
    } else if (type->kind == TypeKind::array) {
      oid = type->element;
    } else {
      return false;
    }
  }
  return false;
}

}  // namespace cdc::pg
