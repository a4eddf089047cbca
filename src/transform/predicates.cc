// The three predicates.
#include "transform/predicates.h"

#include <fmt/format.h>

#include "text/list.h"
#include "text/regex.h"
#include "transform/options.h"
#include "transform/transform.h"

namespace cdc::transform {
namespace {

class TopicNameMatches : public Predicate {
 public:
  explicit TopicNameMatches(text::Regex pattern) : pattern_(std::move(pattern)) {}
  Result<bool> holds(const Record& record) const override { return pattern_.matches(record.topic); }

 private:
  text::Regex pattern_;
};

class HasHeaderKey : public Predicate {
 public:
  explicit HasHeaderKey(std::string name) : name_(std::move(name)) {}
  Result<bool> holds(const Record& record) const override { return record.last_header(name_) != nullptr; }

 private:
  std::string name_;
};

class RecordIsTombstone : public Predicate {
 public:
  Result<bool> holds(const Record& record) const override { return record.value_is_null(); }
};

using Made = std::shared_ptr<const Predicate>;

Made topic_name_matches(Options& options) {
  auto pattern = options.regex("pattern");
  return pattern ? std::make_shared<TopicNameMatches>(std::move(*pattern)) : nullptr;
}
Made has_header_key(Options& options) { return std::make_shared<HasHeaderKey>(options.text("name")); }
Made record_is_tombstone(Options&) { return std::make_shared<RecordIsTombstone>(); }

constexpr OptionRow kPattern[] = {{"pattern", OptionKind::regex, {}, {}, true}};
constexpr OptionRow kName[] = {{"name", OptionKind::text, {}, {}, true}};

struct PredicateRow {
  std::string_view class_name;
  Made (*make)(Options&);
  std::span<const OptionRow> options;
};
constexpr PredicateRow kRows[] = {
    {"org.apache.kafka.connect.transforms.predicates.TopicNameMatches", topic_name_matches, kPattern},
    {"org.apache.kafka.connect.transforms.predicates.HasHeaderKey", has_header_key, kName},
    {"org.apache.kafka.connect.transforms.predicates.RecordIsTombstone", record_is_tombstone, {}},
};

}  // namespace

Made make_predicate(const Config& config, const std::string& name, std::vector<std::string>& problems) {
  const std::string prefix = "predicates." + name + ".";
  std::string type;
  for (const ConfigEntry& entry : config.entries_with_prefix(prefix + "type"))
    if (entry.name == prefix + "type") type = text::trim(entry.value);
  for (const PredicateRow& row : kRows) {
    if (row.class_name != type && !text::equals_ignore_case(short_class_name(row.class_name), type)) continue;
    Options options(config, prefix, row.options, {"type"});
    auto made = options.ok() ? row.make(options) : nullptr;
    problems.insert(problems.end(), options.problems().begin(), options.problems().end());
    return made;
  }
  problems.push_back(
      type.empty()
          ? fmt::format("There is no predicate '{}': {}type says what it is", name, prefix)
          : fmt::format("The '{}type' value is invalid: there is no '{}' here; known are TopicNameMatches, "
                        "HasHeaderKey, RecordIsTombstone",
                        prefix, type));
  return nullptr;
}

}  // namespace cdc::transform
