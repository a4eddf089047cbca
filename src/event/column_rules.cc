// Choosing the one rule that acts on a column.
#include "event/column_rules.h"

#include <charconv>

#include <fmt/format.h>

#include "event/column_masks.h"
#include "filter/collection_filter.h"

namespace cdc {
namespace {

std::size_t number(const std::string& text) {
  std::size_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

ColumnCodec with_parameters(const ColumnCodec& inner,
                            std::vector<std::pair<std::string, std::string>> parameters) {
  ColumnCodec codec = inner;
  auto schema = std::make_shared<Schema>(*inner.schema);
  for (auto& p : parameters) schema->parameters.push_back(std::move(p));
  codec.schema = std::move(schema);
  return codec;
}

ColumnCodec with_source_type(const ColumnShape& column) {
  std::vector<std::pair<std::string, std::string>> p;
  p.emplace_back("__debezium.source.column.type", column.type_name);
  if (column.length) p.emplace_back("__debezium.source.column.length", std::to_string(*column.length));
  if (column.scale) p.emplace_back("__debezium.source.column.scale", std::to_string(*column.scale));
  if (!column.comment.empty()) p.emplace_back("__debezium.source.column.comment", column.comment);
  p.emplace_back("__debezium.source.column.name", column.name);
  return with_parameters(column.codec, std::move(p));
}

}  // namespace

Result<ColumnRules> ColumnRules::make(const Config& config) {
  ColumnRules rules;
  struct Family {
    const char* pattern;
    Kind kind;
    int place;  // among Debezium's column mappers, of which the first that matches acts
  };
  // Masks go before everything that would switch them off (CORE-COL-05).
  static constexpr Family kFamilies[] = {
      {"column.mask.with.<N>.chars", Kind::mask, 2},
      {"column.mask.hash.<ALG>.with.salt.<SALT>", Kind::hash, 5},
      {"column.mask.hash.v2.<ALG>.with.salt.<SALT>", Kind::hash_v2, 6},
      {"column.truncate.to.<N>.chars", Kind::truncate, 1},
      {"column.propagate.source.type", Kind::propagate, 3},
      {"datatype.propagate.source.type", Kind::propagate_type, 4},
  };
  for (const Family& family : kFamilies) {
    for (const ConfigEntry& entry : config.entries_matching(family.pattern)) {
      Rule rule{family.kind, family.place, entry.name, 0, {}, {}, {}};
      if (family.kind == Kind::mask || family.kind == Kind::truncate) rule.length = number(entry.parts.at(0));
      if (family.kind == Kind::hash || family.kind == Kind::hash_v2) {
        rule.algorithm = entry.parts.at(0);
        rule.salt = entry.parts.at(1);
      }
      CDC_TRY(rule.names, text::RegexList::parse(entry.name, entry.value));
      rules.rules_.push_back(std::move(rule));
    }
  }
  return rules;
}

RuledColumn ColumnRules::apply(const TableId& table, const ColumnShape& column, Log& log) const {
  if (rules_.empty()) return {column.codec, false, {}, {}};
  const std::string id = collection_id(table);
  const std::string name = fmt::format("{}.{}", id, column.name);
  const std::string type = fmt::format("{}.{}", id, column.type_name);
  const Rule* acting = nullptr;
  const Rule* idle_mask = nullptr;
  int matching = 0;
  for (const Rule& rule : rules_) {
    const std::string& subject = rule.kind == Kind::propagate_type ? type : name;
    if (!rule.names.matches(subject).value_or(false)) continue;
    const bool masks = rule.kind == Kind::mask || rule.kind == Kind::hash || rule.kind == Kind::hash_v2;
    if (rule.kind == Kind::truncate && column.length && *column.length >= 0 &&
        rule.length >= static_cast<std::size_t>(*column.length))
      continue;
    ++matching;
    if (masks && !column.is_character && idle_mask == nullptr) idle_mask = &rule;
    // Where masks can act they stand first in the rules; where they cannot, Debezium's order decides.
    if (acting == nullptr || (!column.is_character && rule.place < acting->place)) acting = &rule;
  }
  if (idle_mask != nullptr)
    log.warn_once(
        fmt::format("mask {}", name),
        fmt::format(
            "{}: {} does not apply to this type: the value is written in clear (use column.exclude.list)",
            name, idle_mask->property));
  if (acting == nullptr) return {column.codec, false, {}, {}};
  if (matching > 1)
    log.warn_once(fmt::format("rules {}", name),
                  fmt::format("{}: several rules match, only {} acts", name, acting->property));
  // Debezium marks the schema of a column that it cannot mask all the same, and writes the value in clear.
  if (acting == idle_mask) return {with_parameters(column.codec, {{"masked", "true"}}), false, {}, {}};
  switch (acting->kind) {
    case Kind::mask: {
      ColumnCodec codec = with_parameters(column.codec, {{"masked", "true"}});
      return {masked_with_asterisks(codec, acting->length), true, acting->property, {}};
    }
    case Kind::hash:
    case Kind::hash_v2: {
      const std::size_t length =
          column.length && *column.length > 0 ? static_cast<std::size_t>(*column.length) : 0;
      const HashForm form = acting->kind == Kind::hash ? HashForm::java_serialized : HashForm::plain_utf8;
      const auto masked = [&](const ColumnCodec& inner) {
        return masked_with_hash(inner, form, acting->algorithm, acting->salt, length);
      };
      const ColumnCodec codec = with_parameters(column.codec, {{"masked", "true"}});
      return {masked(codec), false, acting->property, masked(as_json(codec))};
    }
    case Kind::truncate:
      return {truncated(column.codec, acting->length),
              false,
              {},
              truncated(as_json(column.codec), acting->length)};
    case Kind::propagate:
    case Kind::propagate_type:
      return {with_source_type(column), false, {}, {}};
  }
  return {column.codec, false, {}, {}};
}

}  // namespace cdc
