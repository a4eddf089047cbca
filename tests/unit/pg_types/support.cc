// See support.h.
#include "support.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <unordered_map>

namespace cdc::pg::test {
namespace {

TypeRow base(Oid oid, std::string name, char delimiter = ',') {
  TypeRow row;
  row.oid = oid;
  row.schema = "public";
  row.name = std::move(name);
  row.delimiter = delimiter;
  return row;
}

TypeRow of_kind(Oid oid, std::string name, char typtype, char category) {
  TypeRow row = base(oid, std::move(name));
  row.typtype = typtype;
  row.category = category;
  return row;
}

TypeRow domain(Oid oid, std::string name, Oid over, std::int32_t typmod = -1, bool not_null = false) {
  TypeRow row = of_kind(oid, std::move(name), 'd', 'U');
  row.base = over;
  row.base_typmod = typmod;
  row.not_null = not_null;
  return row;
}

TypeRow hidden(TypeRow row) {
  row.schema = "s2";
  row.visible = false;
  return row;
}

TypeRow with_labels(TypeRow row, std::vector<std::string> labels) {
  row.labels = std::move(labels);
  return row;
}

std::vector<TypeRow> own_types() {
  return {
      base(kCitext, "citext"),
      base(kHstore, "hstore"),
      base(kLtree, "ltree"),
      base(kIsbn, "isbn"),
      base(kGeometry, "geometry", ':'),
      base(kGeography, "geography", ':'),
      base(kVector, "vector"),
      base(kHalfvec, "halfvec"),
      base(kSparsevec, "sparsevec"),
      with_labels(of_kind(kMood, "mood", 'e', 'E'), {"sad", "ok", "a,b"}),
      of_kind(kEmptyEnum, "nolabels", 'e', 'E'),
      of_kind(kAddress, "addr", 'c', 'C'),
      of_kind(kOwnRange, "frange", 'r', 'R'),
      base(kCube, "cube"),
      hidden(with_labels(of_kind(kEnumLtree, "ltree", 'e', 'E'), {"a", "b"})),
      hidden(domain(kIntCitext, "citext", 23)),
      hidden(domain(kTextDate, "date", 1043, 11)),
      domain(kPrice, "price", 1700, numeric_typmod(9, 3)),
      domain(kPrice2, "price2", kPrice),
      domain(kBareNumber, "bare", 1700),
      domain(kName20, "name20", 1043, 24, true),
      domain(kMoodDomain, "dmood", kMood),
      domain(kIntsDomain, "ints", 1007),
      domain(kBoolDomain, "dbool", 16),
  };
}

}  // namespace

TypeCatalog catalog() {
  TypeCatalog result;
  for (const TypeRow& type : own_types()) {
    TypeRow array = of_kind(type.oid + kArrayOf, "_" + type.name, 'b', 'A');
    array.schema = type.schema;
    array.visible = type.visible;
    array.element = type.oid;
    result.add(type);
    result.add(std::move(array));
  }
  return result;
}

Oid oid_of(std::string_view type_name) {
  static const std::unordered_map<std::string, Oid> known = [] {
    std::unordered_map<std::string, Oid> result;
    const TypeCatalog types = catalog();
    for (Oid oid = 1; oid < kCitext + 2 * kArrayOf; ++oid) {
      const TypeInfo* type = types.find(oid);
      if (type != nullptr && type->schema != "s2") result.emplace(type->name, oid);
    }
    return result;
  }();
  const auto it = known.find(std::string(type_name));
  return it == known.end() ? 0 : it->second;
}

MappedColumn mapped(const Column& column) {
  ColumnSpec spec;
  spec.name = "public.t.c";
  spec.type_oid = column.oid;
  spec.typmod = column.typmod;
  spec.nullable = column.nullable;
  if (!column.default_expression.empty()) spec.default_expression = column.default_expression;
  return make_codec(catalog(), spec, column.modes);
}

ColumnCodec codec(const Column& column) {
  MappedColumn result = mapped(column);
  REQUIRE_MESSAGE(result.codec.has_value(), "type ", column.oid, " is left out");
  return *std::move(result.codec);
}

std::string schema(const Column& column) { return schema_text(*codec(column).schema); }

std::string value(const Column& column, std::string_view text) {
  Buffer out(64);
  if (codec(column)(text, out) == encoded::failed) {
    CHECK(out.empty());
    return "FAILED";
  }
  return std::string(out.view());
}

std::uint32_t flags(const Column& column, std::string_view text) {
  Buffer out(64);
  return codec(column)(text, out);
}

std::string fallback(Column column) {
  column.nullable = false;
  return codec(column).fallback_json;
}

std::string unavailable(const Column& column) { return codec(column).unavailable_json.value_or("NONE"); }

void set_mode(TypeModes& modes, std::string_view property, std::string_view text) {
  bool known = true;
  const auto assign = [&known](auto& target, const auto& parsed) {
    known = parsed.has_value();
    if (known) target = *parsed;
  };
  if (property == "time.precision.mode") {
    assign(modes.time, time_mode(text));
  } else if (property == "decimal.handling.mode") {
    assign(modes.decimal, decimal_mode(text));
  } else if (property == "binary.handling.mode") {
    assign(modes.binary, binary_mode(text));
  } else if (property == "hstore.handling.mode") {
    assign(modes.hstore, hstore_mode(text));
  } else if (property == "interval.handling.mode") {
    assign(modes.interval, interval_mode(text));
  } else if (property == "value.converter.decimal.format") {
    assign(modes.decimal_form, decimal_format(text));
  } else if (property == "money.fraction.digits") {
    modes.money_fraction_digits = std::stoi(std::string(text));
  } else if (property == "include.unknown.datatypes") {
    modes.include_unknown = text == "true";
  } else {
    known = false;
  }
  REQUIRE_MESSAGE(known, property, "=", text);
}

}  // namespace cdc::pg::test
