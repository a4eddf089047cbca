// The chain: every record through all steps in their order, and back into an event.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "event/destinations.h"
#include "event/event.h"
#include "transform/predicates.h"
#include "transform/schema_memo.h"
#include "transform/transform.h"

namespace cdc::transform {

struct StepPlan {
  std::string alias;       // "unwrap"
  std::string class_name;  // short
  StepFactory make;
  std::shared_ptr<const Predicate> predicate;  // null: applies to all
  bool negate = false;
};

struct ChainPlan {
  std::vector<StepPlan> steps;
  Nulls key_nulls = Nulls::keep, value_nulls = Nulls::keep;
  bool key_schemas = false, value_schemas = false, header_schemas = false;  // their texts are needed
};

class Chain : public RecordTransform {
 public:
  Chain(std::shared_ptr<const ChainPlan> plan, Destinations& destinations, Runtime& runtime);
  Result<void> apply(const Event& event, const Next& next) override;

 private:
  struct Step {
    const StepPlan* plan;
    std::unique_ptr<Transform> transform;
  };
  Error explained(Error error, const StepPlan& plan) const;
  Event to_event();
  std::uint32_t destination();
  std::string_view text_of(Typed& value, std::string_view known, const Schema* original);

  std::shared_ptr<const ChainPlan> plan_;
  Destinations& destinations_;
  Workspace work_;
  Record record_;
  std::vector<Step> steps_;
  std::vector<EventHeader> headers_;
  std::string_view whole_value_[1];
  SchemaMemo<std::string> schema_texts_;
  std::unordered_map<std::string, std::uint32_t> rerouted_;  // topic and old destination -> new destination
  std::string route_;
};

}  // namespace cdc::transform
