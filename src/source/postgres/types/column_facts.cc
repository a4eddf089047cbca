// Lengths and scales as data: one row a type, the rules for types with a typmod as small functions.
#include "source/postgres/types/column_facts.h"

#include <array>

#include "source/postgres/types/default_expression.h"
#include "source/postgres/types/typmod.h"
#include "source/postgres/types/upper_case.h"

namespace cdc::pg {
namespace {

constexpr int kUnbounded = 2147483647;
constexpr Oid kNumeric = 1700;

struct Size {
  std::optional<int> length;
  std::optional<int> scale;
};

using SizeFn = Size (*)(std::int32_t typmod, int width);

Size fixed(std::int32_t, int width) { return {width, 0}; }
Size floating(std::int32_t, int width) { return {width, width}; }

// varchar and bpchar count the header of four bytes, the bit types do not.
Size characters(std::int32_t typmod, int) { return {character_length(typmod).value_or(kUnbounded), 0}; }
Size bits(std::int32_t typmod, int width) { return {bit_length(typmod).value_or(width), 0}; }

Size numeric(std::int32_t typmod, int) {
  if (const auto size = numeric_size(typmod)) return {size->precision, size->scale};
  return {131089, 0};
}

// The widest text the type prints: `width` and the fraction with its point. One digit counts as two.
Size temporal(std::int32_t typmod, int width) {
  const auto precision = time_precision(typmod);
  if (!precision) return {width + 7, 6};
  const int fraction = *precision == 0 ? 0 : *precision == 1 ? 3 : *precision + 1;
  return {width + fraction, *precision};
}

// The low half of the typmod as it stands: 65535 where only fields are limited (INTERVAL YEAR TO MONTH).
Size interval(std::int32_t typmod, int width) {
  return {width, typmod < 0 ? 6 : static_cast<int>(static_cast<std::uint32_t>(typmod) & 0xFFFF)};
}

struct SizeRow {
  Oid oid;
  SizeFn size;
  int width;
};

// Types that are not listed are unbounded (2147483647 / 0).
constexpr std::array<SizeRow, 19> kSizes{{
    {16, fixed, 1},            // bool
    {18, fixed, 1},            // "char"
    {20, fixed, 19},           // int8
    {21, fixed, 5},            // int2
    {23, fixed, 10},           // int4
    {26, fixed, 10},           // oid
    {700, floating, 8},        // float4
    {701, floating, 17},       // float8
    {1042, characters, 0},     // bpchar
    {1043, characters, 0},     // varchar
    {1082, fixed, 13},         // date
    {1083, temporal, 8},       // time
    {1114, temporal, 22},      // timestamp
    {1184, temporal, 28},      // timestamptz
    {1186, interval, 49},      // interval
    {1266, temporal, 14},      // timetz
    {1560, bits, 1},           // bit
    {1562, bits, kUnbounded},  // varbit
    {1700, numeric, 0},        // numeric
}};

Size size_of(Oid oid, std::int32_t typmod) {
  for (const SizeRow& row : kSizes) {
    if (row.oid == oid) return row.size(typmod, row.width);
  }
  return {kUnbounded, 0};
}

// JDBC's CHAR and VARCHAR families; enums are VARCHAR there.
constexpr std::array<Oid, 5> kCharacterTypes{18, 19, 25, 1042, 1043};

bool is_character_type(const TypeInfo& type) {
  if (type.kind == TypeKind::enumeration) return true;
  for (Oid oid : kCharacterTypes) {
    if (type.oid == oid) return true;
  }
  return false;
}

struct SerialName {
  Oid oid;
  std::string_view name;
};
constexpr std::array<SerialName, 3> kSerials{{{21, "SMALLSERIAL"}, {23, "SERIAL"}, {20, "BIGSERIAL"}}};

std::string spelled(const TypeInfo& type, std::string_view default_expression, Phase phase) {
  if (phase == Phase::stream) return upper_case(type.name);
  if (is_sequence_default(default_expression)) {
    for (const SerialName& serial : kSerials) {
      if (serial.oid == type.oid) return std::string(serial.name);
    }
  }
  if (type.visible) return upper_case(type.name);
  return upper_case("\"" + type.schema + "\".\"" + type.name + "\"");
}

}  // namespace

ColumnFacts column_facts(const TypeCatalog& catalog, Oid type_oid, std::int32_t typmod,
                         std::string_view default_expression, Phase phase) {
  ColumnFacts facts;
  const TypeInfo* declared = catalog.find(type_oid);
  if (declared == nullptr) return facts;
  facts.type_name = spelled(*declared, default_expression, phase);

  const auto resolved = catalog.resolve(type_oid, typmod);
  if (!resolved) return facts;
  facts.is_character = is_character_type(*resolved->type);

  Oid sized = resolved->type->oid;
  std::int32_t sized_typmod = resolved->typmod;
  if (resolved->type->kind == TypeKind::array) {
    sized = resolved->type->element;
    if (const auto element = catalog.resolve(sized, sized_typmod)) {
      sized = element->type->oid;
      sized_typmod = element->typmod;
    }
  }
  Size size = size_of(sized, sized_typmod);
  // Of a column that is numeric itself (no domain, no array) the snapshot knows no size at all.
  if (phase == Phase::snapshot && type_oid == kNumeric && typmod < 0) size = {0, std::nullopt};
  facts.length = size.length;
  facts.scale = size.scale;
  return facts;
}

}  // namespace cdc::pg
