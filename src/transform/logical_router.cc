// ByLogicalTableRouter: several tables into one topic (CORE-SMT-05).
#include "transform/debezium.h"

#include <fmt/format.h>

#include <unordered_map>

#include "event/naming.h"
#include "transform/schema_build.h"
#include "transform/schema_memo.h"

namespace cdc::transform {
namespace {

struct RouterOptions {
  text::Regex topic;
  std::string replacement;
  bool unique_keys = true;
  std::string key_field;
  std::optional<text::Regex> key_regex;
  std::string key_replacement;
  NameAdjustment names = NameAdjustment::none;
};

class LogicalRouter : public Transform {
 public:
  explicit LogicalRouter(const RouterOptions& options) : o_(options) {}

  Result<bool> apply(Record& record) override {
    CDC_TRY(Route* const route, route_of(record));
    if (route->topic.empty()) return true;
    if (!record.key.is_null() && record.key.is_struct()) {
      if (!split_struct(*record.key.schema, record.key.text, texts_))
        return record_error("the key is no object");
      if (o_.unique_keys) texts_.push_back(route->identifier);
      SchemaPtr type =
          route->keys.get(record.own_key_schema(), [&](const SchemaPtr& s) { return key_type(*s, *route); });
      const std::string_view text = record.build(*type, texts_, record.work.key_nulls);
      record.key = typed(std::move(type), text);
    }
    if (record.has_envelope())
      record.set_value_schema(route->envelopes.get(
          record.own_value_schema(), [&](const SchemaPtr& s) { return envelope_type(*s, *route); }));
    record.topic = route->topic;
    return true;
  }

 private:
  struct Route {
    std::string topic;       // empty: the old one stays
    std::string identifier;  // JSON text
    SchemaMemo<SchemaPtr> keys, envelopes;
  };

  Result<Route*> route_of(Record& record) {
    const std::string old(record.topic);
    if (const auto found = routes_.find(old); found != routes_.end()) return &found->second;
    Route route;
    CDC_TRY(const bool matches, o_.topic.matches(old));
    if (matches) {
      CDC_TRY(route.topic, o_.topic.replace_first(old, o_.replacement));
      if (route.topic.empty())
        record.work.log.warn_once(
            "logical router " + old,
            fmt::format("ByLogicalTableRouter: topic.replacement makes nothing of topic {}; it stays", old));
      std::string identifier = old;
      if (o_.key_regex) {
        CDC_TRY(const bool key_matches, o_.key_regex->matches(old));
        if (key_matches) {
          CDC_TRY(identifier, o_.key_regex->replace_first(old, o_.key_replacement));
        }
      }
      route.identifier = record.work.quoted(identifier);
    }
    return &routes_.emplace(old, std::move(route)).first->second;
  }

  std::string named(const Route& route, std::string_view suffix) const {
    return adjust_schema_name(o_.names, route.topic + std::string(suffix));
  }

  SchemaPtr key_type(const Schema& key, const Route& route) const {
    Schema s = basics_of(key);
    s.name = named(route, ".Key");
    s.fields = key.fields;
    if (o_.unique_keys) s.fields.push_back({o_.key_field, make(Type::string, false)});
    return share(std::move(s));
  }

  SchemaPtr envelope_type(const Schema& envelope, const Route& route) const {
    Schema s = basics_of(envelope);
    s.name = named(route, ".Envelope");
    for (const Field& field : envelope.fields) {
      const bool image =
          (field.name == "before" || field.name == "after") && field.schema->type == Type::structure;
      s.fields.push_back({field.name, image ? renamed(*field.schema, named(route, ".Value")) : field.schema});
    }
    return share(std::move(s));
  }

  const RouterOptions o_;
  std::unordered_map<std::string, Route> routes_;  // node-based: pointers stay
  Texts texts_;
};

}  // namespace

StepFactory make_logical_router(Options& options, const StepContext&) {
  auto topic = options.regex("topic.regex");
  if (!topic) return {};
  RouterOptions o{std::move(*topic),
                  options.text("topic.replacement"),
                  options.boolean("key.enforce.uniqueness"),
                  options.text("key.field.name"),
                  options.regex("key.field.regex"),
                  options.text("key.field.replacement"),
                  static_cast<NameAdjustment>(options.choice("schema.name.adjustment.mode"))};
  if (auto checked = o.topic.check_replacement(o.replacement); !checked)
    options.invalid("topic.replacement", checked.error().message);
  if (options.is_set("key.field.regex") != options.is_set("key.field.replacement"))
    options.invalid(options.is_set("key.field.regex") ? "key.field.replacement" : "key.field.regex",
                    "key.field.regex and key.field.replacement must be set together");
  if (o.key_regex)
    if (auto checked = o.key_regex->check_replacement(o.key_replacement); !checked)
      options.invalid("key.field.replacement", checked.error().message);
  return [o = std::move(o)] { return std::make_unique<LogicalRouter>(o); };
}

}  // namespace cdc::transform
