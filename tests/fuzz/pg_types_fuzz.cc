// Any text as the value and as the default of a column of any type under any modes. Bytes: type, modes,
// more modes, typmod, then the text. What an encoder appends is one JSON value, or nothing when it failed.
#include <string>
#include <string_view>
#include <vector>

#include "input.h"
#include "source/postgres/types/column_codec.h"
#include "source/postgres/types/column_facts.h"

using namespace cdc;
using namespace cdc::pg;
using fuzz::require;

namespace {

constexpr std::string_view kExtensionTypes[] = {"citext",    "hstore", "ltree",   "isbn",      "geometry",
                                                "geography", "vector", "halfvec", "sparsevec", "cube"};
constexpr Oid kFirstOwn = 50000;
constexpr Oid kArrayOf = 500;

struct World {
  TypeCatalog catalog;
  std::vector<Oid> oids;

  void add(TypeRow type) {
    TypeRow array;
    array.oid = type.oid + kArrayOf;
    array.name = "_" + type.name;
    array.category = 'A';
    array.element = type.oid;
    catalog.add(std::move(type));
    catalog.add(std::move(array));
  }

  World() {
    Oid next = kFirstOwn;
    for (std::string_view name : kExtensionTypes) {
      TypeRow row;
      row.oid = next++;
      row.name = name;
      row.delimiter = name.starts_with("geo") ? ':' : ',';
      add(std::move(row));
    }
    TypeRow label;
    label.oid = next++;
    label.name = "mood";
    label.typtype = 'e';
    label.labels = {"sad", "ok"};
    add(std::move(label));
    TypeRow domain;
    domain.oid = next++;
    domain.name = "price";
    domain.typtype = 'd';
    domain.base = 1700;
    domain.base_typmod = (9 << 16 | 3) + 4;
    add(std::move(domain));
    for (Oid oid = 1; oid < kFirstOwn + 2 * kArrayOf; ++oid)
      if (catalog.find(oid) != nullptr) oids.push_back(oid);
  }
};

TypeModes modes_of(unsigned first, unsigned second) {
  TypeModes modes;
  modes.time = static_cast<TimeMode>(first % 6);
  modes.decimal = static_cast<DecimalMode>(first / 6 % 3);
  modes.binary = static_cast<BinaryForm>(first / 18 % 4);
  modes.hstore = static_cast<HstoreForm>(second & 1);
  modes.interval = static_cast<IntervalMode>(second >> 1 & 1);
  modes.decimal_form = static_cast<DecimalForm>(second >> 2 & 1);
  modes.include_unknown = (second >> 3 & 1) != 0;
  modes.money_fraction_digits = static_cast<int>(second >> 4 & 3);
  return modes;
}

constexpr std::int32_t kTypmods[] = {
    -1, 0, 1, 2, 3, 4, 5, 6, 9, 13, 64, (8 << 16 | 2) + 4, (5 << 16 | 2046) + 4, 0x7FFFFFFF};

void check_json(std::string_view value) { require(fuzz::is_json(value)); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const World world;
  if (size < 4) return 0;
  fuzz::Input input(data + 4, size - 4);
  ColumnSpec column;
  column.name = "public.t.c";
  column.type_oid = world.oids[data[0] % world.oids.size()];
  column.typmod = kTypmods[data[3] % std::size(kTypmods)];
  column.nullable = (data[3] & 0x80) == 0;
  const std::string_view text = input.rest();
  column.default_expression = std::string(text);

  const MappedColumn mapped = make_codec(world.catalog, column, modes_of(data[1], data[2]));
  column_facts(world.catalog, column.type_oid, column.typmod, *column.default_expression, Phase::snapshot);
  if (!mapped.codec) {
    require(!mapped.warnings.empty());
    return 0;
  }
  check_json(schema_text(*mapped.codec->schema));
  check_json(mapped.codec->fallback_json);
  if (mapped.codec->unavailable_json) check_json(*mapped.codec->unavailable_json);

  Buffer out;
  out.append("before");
  const std::uint32_t flags = (*mapped.codec)(text, out);
  require(out.view().starts_with("before"));
  if (flags == encoded::failed) {
    require(out.size() == 6);
    return 0;
  }
  require((flags & encoded::failed) == 0);
  check_json(out.view(6));
  return 0;
}
