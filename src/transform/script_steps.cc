// Debezium's Filter and ContentBasedRouter, with expressions in place of scripts (CORE-SMT-07).
#include <fmt/format.h>

#include "transform/debezium.h"
#include "transform/expression.h"

namespace cdc::transform {
namespace {

enum class OfNull : std::uint8_t { keep, drop, evaluate };

struct ScriptOptions {
  Expression expression;
  std::optional<text::Regex> topics;
  OfNull nulls = OfNull::keep;
  bool routes = false;  // the answer is a topic; else whether the record stays
};

class ScriptStep : public Transform {
 public:
  explicit ScriptStep(const ScriptOptions& options) : o_(options) {}

  Result<bool> apply(Record& record) override {
    if (o_.topics) {
      CDC_TRY(const bool concerned, o_.topics->matches(record.topic));
      if (!concerned) return true;
    }
    if (record.value_is_null() && o_.nulls != OfNull::evaluate) return o_.nulls == OfNull::keep;
    CDC_TRY(const Answer answer, o_.expression.evaluate(record));
    if (!o_.routes) {
      if (const bool* keep = std::get_if<bool>(&answer)) return *keep;
      return record_error("the condition gives neither true nor false");
    }
    if (std::holds_alternative<Null>(answer)) return true;
    const auto* topic = std::get_if<std::string>(&answer);
    if (topic == nullptr || topic->empty()) return record_error("the expression gives no topic");
    record.topic = record.work.store(*topic);
    return true;
  }

 private:
  const ScriptOptions o_;
};

StepFactory make_script(Options& options, std::string_view name, bool routes) {
  const std::string& language = options.text("language");
  if (!language.empty() && !language.starts_with("jsr223."))
    options.invalid(
        "language",
        fmt::format(
            "'{}' cannot run here; the forms that Groovy and JavaScript share can be written (jsr223.groovy)",
            language));
  auto expression = Expression::parse(options.text(name));
  if (!expression) {
    options.invalid(name, fmt::format("{}. {}", expression.error().message, expression.error().hint));
    return {};
  }
  ScriptOptions o{std::move(*expression), options.regex("topic.regex"),
                  static_cast<OfNull>(options.choice("null.handling.mode")), routes};
  return [o] { return std::make_unique<ScriptStep>(o); };
}

}  // namespace

StepFactory make_script_filter(Options& options, const StepContext&) {
  return make_script(options, "condition", false);
}
StepFactory make_content_router(Options& options, const StepContext&) {
  return make_script(options, "topic.expression", true);
}

}  // namespace cdc::transform
