// The property catalogue: what is known about every property, as rows of data. The rows stand in
// catalogue_*.cc, one file a topic; to let a property work that was `not_yet`, change that one word.
// Not here: values of a run (config.cc), rules between properties (rules.cc).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cdc::config {

enum class Kind : std::uint8_t {
  boolean,
  integer,
  milliseconds,  // a bare number is milliseconds; units: ms s m h d
  duration,      // a bare number is seconds; same units
  size,          // bytes; units K M G T (of 1024)
  port,          // one, or a comma list beside a list of hosts
  text,
  sql,         // text; shown on one line
  list,        // comma list (CORE-FLT-01)
  enum_list,   // comma list out of `allowed`
  regex_list,  // comma list of anchored regexes
  regex,
  semicolons,   // list written with ;
  enumeration,  // one of `allowed`
  class_name,   // a Java class or its short name, out of `allowed`
  path,
  secret,
};

enum class Disposition : std::uint8_t {
  implemented,
  adapted,    // works, in the way `remark` says
  no_effect,  // accepted; cannot matter here, `remark` says why; a warning when set to something else
  ignored_without_kafka,  // belongs to Kafka or Kafka Connect: one warning for all of them
  not_yet,                // known, but this version cannot: an error unless it is the default
  refused,                // never: an error, `remark` says why and what to use
};

// Bits: which sources know the property.
using Sources = std::uint8_t;
inline constexpr Sources postgresql = 1, mysql = 2, mariadb = 4, mongodb = 8, vitess = 16, oracle = 32;
inline constexpr Sources all_sources = 63;
inline constexpr Sources historized = mysql | mariadb | oracle;
inline constexpr Sources relational = postgresql | historized | vitess;

// Says what is wrong with a value that has the right kind; empty when it is fine.
using Check = std::string (*)(std::string_view value);

struct Property {
  std::string_view name;  // parts in <> stand for anything of their kind (see Pattern)
  Kind kind = Kind::text;
  std::string_view fallback;  // the default, as a user would write it; empty: none
  // enumeration, enum_list: "a|b|c"; numbers: "min..max", either may be missing; class_name:
  // "short=full.ClassName|full.OtherClass" (short name there: OtherClass)
  std::string_view allowed;
  Disposition disposition = Disposition::implemented;
  std::string_view doc;       // one line, no final period
  std::string_view remark{};  // belongs to the disposition
  Sources sources = all_sources;
  Check check = nullptr;
};

// One value of a property that is treated otherwise than the property.
struct ValueRule {
  std::string_view property;
  std::string_view value;  // compared without regard to case
  Disposition disposition = Disposition::refused;
  std::string_view remark;         // says why, and what to use
  std::string_view replacement{};  // adapted: the value that is used instead
};

// An old name. `new_name` takes over the value, or `value_map` ("true=avro|false=none") of it.
struct Alias {
  std::string_view old_name;  // may have a pattern part, which goes into the same place of new_name
  std::string_view new_name;
  std::string_view value_map{};
  bool silent = false;  // both names are current
};

// The tables, by topic.
std::span<const Property> connection_properties();
std::span<const Property> postgres_properties();
std::span<const Property> name_properties();
std::span<const Property> filter_properties();
std::span<const Property> type_properties();
std::span<const Property> snapshot_properties();
std::span<const Property> signal_properties();
std::span<const Property> runtime_properties();
std::span<const Property> state_properties();
std::span<const Property> converter_properties();
std::span<const Property> output_properties();
std::span<const Property> transform_properties();
std::span<const Property> foreign_properties();  // Kafka, Kafka Connect, the JVM
std::span<const ValueRule> value_rules();
std::span<const Alias> aliases();

// libpq's connection keywords that driver.<option> and URLs may set.
std::span<const std::string_view> driver_keywords();

struct Topic {
  std::string_view title;
  std::span<const Property> properties;
};
const std::vector<Topic>& topics();  // all tables in the order of the reference

// Names that stand in lists of the configuration and open a family of their own: `converters=isbn`
// makes `isbn.type` and `isbn.<option>` known.
struct Families {
  std::vector<std::string> converters;
  std::vector<std::string> processors;
};

struct Found {
  const Property* property = nullptr;
  std::vector<std::string> parts;  // what stands in the <places>
};
// The row of a name as users write it, or of a pattern as it stands in the catalogue.
std::optional<Found> find_property(std::string_view name, const Families& families = {});
// Only the row itself: literal names, and patterns in their own spelling.
const Property* find_row(std::string_view name);

// Matches a name against a pattern. <N> is a number, <ALG>, <alias>, <converter>, <processor> have no
// dot, everything else (<table>, <option>, <SALT>) takes the rest of the name.
std::optional<std::vector<std::string>> match_pattern(std::string_view pattern, std::string_view name);

struct Translated {
  std::string name;
  std::optional<std::string> value;  // set when the alias maps values
  bool silent = false;
};
std::optional<Translated> translate_alias(std::string_view name, std::string_view value);

// The nearest known name, or empty.
std::string suggest_property(std::string_view name);

std::string_view kind_text(Kind kind);
std::vector<std::string_view> split_bars(std::string_view text);

}  // namespace cdc::config
