// Compiling the configuration of a chain.
#include "transform/transforms.h"

#include <fmt/format.h>

#include <map>

#include "text/list.h"
#include "transform/chain.h"

namespace cdc {
namespace {

using namespace transform;

std::string value_of(const Config& config, const std::string& name) {
  for (const ConfigEntry& entry : config.entries_with_prefix(name))
    if (entry.name == name) return std::string(text::trim(entry.value));
  return {};
}

class PlanBuilder {
 public:
  PlanBuilder(const Config& config, Runtime& runtime, HypertableCatalogFactory hypertables)
      : config_(config), runtime_(runtime), hypertables_(hypertables) {}

  void add(const std::string& alias) {
    const std::string prefix = "transforms." + alias + ".";
    const std::string type = value_of(config_, prefix + "type");
    const TransformRow* row = find_transform(type);
    if (row == nullptr) {
      problems.push_back(
          type.empty() ? fmt::format("The transform '{}' has no {}type", alias, prefix)
                       : fmt::format("The '{}type' value is invalid: there is no '{}' here; known are {}",
                                     prefix, type, known_transforms()));
      return;
    }
    StepPlan step = compile(alias, prefix, *row);
    const std::string negate = text::lower(value_of(config_, prefix + "negate"));
    if (!negate.empty() && negate != "true" && negate != "false")
      problems.push_back(
          fmt::format("The '{}negate' value is invalid: '{}' is none of true, false", prefix, negate));
    step.negate = negate == "true";
    if (const std::string name = value_of(config_, prefix + "predicate"); !name.empty())
      step.predicate = predicate(name);
    plan.steps.push_back(std::move(step));
  }

  // A step that no list names: `flatten`.
  void add_unwrap() {
    plan.steps.push_back(compile("flatten", "flatten.", *find_transform("ExtractNewRecordState")));
  }

  ChainPlan plan;
  std::vector<std::string> problems;

 private:
  StepPlan compile(const std::string& alias, const std::string& prefix, const TransformRow& row) {
    Options options(config_, prefix, row.options, {"type", "predicate", "negate"});
    StepPlan step;
    step.alias = alias;
    step.class_name = short_class_name(row.class_name);
    if (options.ok()) step.make = row.make(options, {config_, runtime_, hypertables_, row.side});
    problems.insert(problems.end(), options.problems().begin(), options.problems().end());
    return step;
  }

  std::shared_ptr<const Predicate> predicate(const std::string& name) {
    const auto [at, is_new] = predicates_.emplace(name, nullptr);
    if (is_new) at->second = make_predicate(config_, name, problems);
    return at->second;
  }

  const Config& config_;
  Runtime& runtime_;
  const HypertableCatalogFactory hypertables_;
  std::map<std::string, std::shared_ptr<const Predicate>> predicates_;
};

}  // namespace

Result<std::function<std::unique_ptr<RecordTransform>()>> make_transforms(
    const Config& config, Destinations& destinations, Runtime& runtime,
    HypertableCatalogFactory hypertables) {
  PlanBuilder builder(config, runtime, hypertables);
  for (const std::string& alias : config.list("transforms")) builder.add(alias);
  // Last, because other transforms look into the envelope.
  if (config.boolean("flatten")) builder.add_unwrap();
  if (!builder.problems.empty())
    return fail(ErrorKind::usage, fmt::format("{}", fmt::join(builder.problems, "\n")));
  if (builder.plan.steps.empty()) return std::function<std::unique_ptr<RecordTransform>()>();
  auto plan = std::make_shared<ChainPlan>(std::move(builder.plan));
  const auto nulls = [&](const char* name) { return config.boolean(name) ? Nulls::fill : Nulls::keep; };
  plan->key_nulls = nulls("key.converter.replace.null.with.default");
  plan->value_nulls = prints_value_defaults(config) ? Nulls::fill : Nulls::keep;
  plan->key_schemas = config.boolean("key.converter.schemas.enable");
  plan->value_schemas = config.boolean("value.converter.schemas.enable");
  plan->header_schemas = config.boolean("header.converter.schemas.enable");
  return [plan = std::shared_ptr<const ChainPlan>(plan), &destinations,
          &runtime]() -> std::unique_ptr<RecordTransform> {
    return std::make_unique<Chain>(plan, destinations, runtime);
  };
}

}  // namespace cdc
