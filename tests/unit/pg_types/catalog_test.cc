// The type catalog and the spellings of modes.
#include <doctest/doctest.h>

#include "support.h"

namespace cdc::pg::test {

TEST_CASE("PG 4.13: built-in types and their arrays are known from the start") {
  const TypeCatalog types;
  REQUIRE(types.find(1700) != nullptr);
  CHECK(types.find(1700)->name == "numeric");
  REQUIRE(types.find(1231) != nullptr);
  CHECK(types.find(1231)->name == "_numeric");
  CHECK(types.find(1231)->kind == TypeKind::array);
  CHECK(types.find(1231)->element == 1700);
  CHECK(types.find(3904)->kind == TypeKind::range);
  CHECK(types.find(4451)->kind == TypeKind::multirange);
  CHECK(types.find(30)->kind == TypeKind::base);
  CHECK(types.find(603)->delimiter == ';');
  CHECK(types.find(99999) == nullptr);
}

TEST_CASE("PG 4.13: typelem alone does not make an array") {
  TypeCatalog types;
  TypeRow row;
  row.oid = 60000;
  row.name = "vec3";
  row.element = 701;
  types.add(row);
  CHECK(types.find(60000)->kind == TypeKind::base);
  row.category = 'A';
  CHECK(types.add(row));
  CHECK(types.find(60000)->kind == TypeKind::array);
  row.oid = 30;
  row.name = "oidvector";
  row.element = 26;
  types.add(row);
  CHECK(types.find(30)->kind == TypeKind::base);
}

TEST_CASE("PG-SCH-04: the next oid to ask for, through domains and arrays") {
  TypeCatalog types;
  CHECK(types.first_unknown(23) == std::nullopt);
  CHECK(types.first_unknown(60000) == 60000);
  TypeRow domain;
  domain.oid = 60000;
  domain.name = "d";
  domain.typtype = 'd';
  domain.base = 60001;
  types.add(domain);
  CHECK(types.first_unknown(60000) == 60001);
  TypeRow array;
  array.oid = 60001;
  array.name = "_e";
  array.category = 'A';
  array.element = 60002;
  types.add(array);
  CHECK(types.first_unknown(60000) == 60002);
  CHECK_FALSE(mapped({60000}).codec);
  TypeRow label;
  label.oid = 60002;
  label.name = "e";
  label.typtype = 'e';
  label.labels = {"x"};
  CHECK(types.add(label));
  CHECK(types.first_unknown(60000) == std::nullopt);
}

TEST_CASE("PG-SCH-04: refreshed labels are noticed, and what depends on them") {
  TypeCatalog types = catalog();
  const TypeInfo* mood = types.find(kMood);
  TypeRow row;
  row.oid = kMood;
  row.schema = "public";
  row.name = "mood";
  row.typtype = 'e';
  row.labels = {"sad", "ok", "a,b"};
  CHECK_FALSE(types.add(row));
  row.labels.insert(row.labels.begin() + 1, "new");
  CHECK(types.add(row));
  CHECK(types.find(kMood) == mood);
  CHECK(mood->labels[1] == "new");

  ColumnSpec spec;
  spec.type_oid = kMood + kArrayOf;
  const MappedColumn column = make_codec(types, spec, {});
  CHECK(column.codec->schema->items->parameters[0].second == "sad,new,ok,a,b");

  CHECK(types.depends_on(kMood, kMood));
  CHECK(types.depends_on(kMood + kArrayOf, kMood));
  CHECK(types.depends_on(kMoodDomain, kMood));
  CHECK_FALSE(types.depends_on(kEnumLtree, kMood));
  CHECK_FALSE(types.depends_on(23, kMood));
}

TEST_CASE("PG-SCH-06: domains that form a circle are no type") {
  TypeCatalog types;
  TypeRow row;
  row.typtype = 'd';
  row.oid = 60000;
  row.base = 60001;
  types.add(row);
  row.oid = 60001;
  row.base = 60000;
  types.add(row);
  CHECK_FALSE(types.resolve(60000, -1));
  CHECK(types.first_unknown(60000) == std::nullopt);
  CHECK_FALSE(types.depends_on(60000, 23));
}

TEST_CASE("PG-SCH-06: resolving takes the first typmod and any NOT NULL on the way") {
  const TypeCatalog types = catalog();
  const auto price = types.resolve(kPrice2, -1);
  REQUIRE(price);
  CHECK(price->type->oid == 1700);
  CHECK(price->typmod == numeric_typmod(9, 3));
  CHECK(price->through_domain);
  CHECK_FALSE(price->not_null);
  CHECK(types.resolve(kName20, -1)->not_null);
  CHECK(types.resolve(1043, 9)->typmod == 9);
  CHECK_FALSE(types.resolve(1043, 9)->through_domain);
}

TEST_CASE("PG 5.2: spellings of the modes") {
  CHECK(time_mode(" Adaptive_Time_Microseconds ") == TimeMode::adaptive_time_microseconds);
  CHECK(time_mode("isostring") == TimeMode::isostring);
  CHECK_FALSE(time_mode("micros"));
  CHECK_FALSE(time_mode(""));
  CHECK(decimal_mode("PRECISE") == DecimalMode::precise);
  CHECK(decimal_mode("double") == DecimalMode::as_double);
  CHECK(binary_mode("base64-url-safe") == BinaryForm::base64_url_safe);
  CHECK(hstore_mode("map") == HstoreForm::map);
  CHECK(interval_mode("string") == IntervalMode::as_string);
  CHECK(decimal_format("NUMERIC") == DecimalForm::numeric);
}

}  // namespace cdc::pg::test
