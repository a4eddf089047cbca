// Running the steps, and writing records back as events.
#include "transform/chain.h"

#include <fmt/format.h>

#include "event/compiled_table.h"

namespace cdc::transform {

Chain::Chain(std::shared_ptr<const ChainPlan> plan, Destinations& destinations, Runtime& runtime)
    : plan_(std::move(plan)), destinations_(destinations), work_(runtime.log), record_(work_) {
  work_.key_nulls = plan_->key_nulls;
  work_.value_nulls = plan_->value_nulls;
  for (const StepPlan& step : plan_->steps) steps_.push_back({&step, step.make()});
}

Result<void> Chain::apply(const Event& event, const Next& next) {
  work_.arena.reset();
  record_.start(event);
  for (const Step& step : steps_) {
    if (step.plan->predicate != nullptr) {
      CDC_TRY(const bool holds, step.plan->predicate->holds(record_));
      if (holds == step.plan->negate) continue;
    }
    auto kept = step.transform->apply(record_);
    if (!kept) return tl::unexpected<Error>(explained(std::move(kept).error(), *step.plan));
    if (!*kept) return {};
  }
  return next(to_event());
}

Error Chain::explained(Error error, const StepPlan& plan) const {
  if (error.kind == ErrorKind::event)
    error.message =
        fmt::format("The transform '{}' ({}) cannot process a record of topic {} with key {}: {}", plan.alias,
                    plan.class_name, record_.event->topic,
                    work_.log.enabled(Level::trace) ? record_.event->key : "[REDACTED]", error.message);
  return error;
}

std::uint32_t Chain::destination() {
  const Event& event = *record_.event;
  if (record_.topic == event.topic) return event.destination;
  route_.assign(record_.topic);
  route_ += '\0';
  route_ += std::to_string(event.destination);
  if (const auto found = rerouted_.find(route_); found != rerouted_.end()) return found->second;
  const Destination& old = destinations_.at(event.destination);
  const std::uint32_t number =
      destinations_.intern(std::string(record_.topic), old.database, old.schema, old.table).number;
  rerouted_.emplace(route_, number);
  return number;
}

std::string_view Chain::text_of(Typed& value, std::string_view known, const Schema* original) {
  if (value.schema == nullptr) return {};
  if (value.schema == original && !known.empty()) return known;
  return schema_texts_.get(record_.own(value), [](const SchemaPtr& s) { return schema_text(*s); });
}

Event Chain::to_event() {
  const Event& event = *record_.event;
  Event out = event;
  out.topic = record_.topic;
  out.destination = destination();
  out.partition = record_.partition;
  out.change = record_.change();
  out.key = record_.key.text;
  out.key_type = record_.key.schema;
  // The texts of schemas are copied: the memo may forget one while the next is looked up.
  const auto kept_text = [&](Typed& value, std::string_view known, const Schema* original, bool wanted) {
    if (!wanted) return value.schema == original ? known : std::string_view();
    const std::string_view text = text_of(value, known, original);
    return text.data() == known.data() ? text : work_.store(text);
  };
  out.key_schema = kept_text(record_.key, event.key_schema, event.key_type, plan_->key_schemas);
  out.value_type = record_.value_schema();
  if (!record_.pieces().empty()) {
    out.value = record_.pieces();
  } else {
    whole_value_[0] = record_.value().text;
    out.value = whole_value_[0].empty() ? std::span<const std::string_view>()
                                        : std::span<const std::string_view>(whole_value_);
  }
  Typed value_type;
  value_type.schema = out.value_type;
  if (out.value_type != nullptr && out.value_type != event.value_type)
    value_type.owner = record_.own_value_schema();
  out.value_schema = kept_text(value_type, event.value_schema, event.value_type, plan_->value_schemas);
  headers_.clear();
  for (Header& h : record_.headers) {
    std::string_view text = h.schema_text;
    if (text.empty() && plan_->header_schemas) text = kept_text(h.value, {}, nullptr, true);
    headers_.push_back({h.name, text, h.value.schema, h.value.text});
  }
  out.headers = headers_;
  return out;
}

}  // namespace cdc::transform
