// The factories of Kafka Connect's transforms that make sense without Kafka (CORE-SMT-15), and what
// they share. Their options are declared in connect_rows.cc.
#pragma once

#include "transform/transform.h"

namespace cdc::transform {

StepFactory make_replace_field(Options& options, const StepContext& context);
StepFactory make_extract_field(Options& options, const StepContext& context);
StepFactory make_hoist_field(Options& options, const StepContext& context);
StepFactory make_insert_field(Options& options, const StepContext& context);
StepFactory make_value_to_key(Options& options, const StepContext& context);
StepFactory make_schema_metadata(Options& options, const StepContext& context);
StepFactory make_mask_field(Options& options, const StepContext& context);
StepFactory make_cast(Options& options, const StepContext& context);
StepFactory make_flatten(Options& options, const StepContext& context);
StepFactory make_timestamp_converter(Options& options, const StepContext& context);
StepFactory make_insert_header(Options& options, const StepContext& context);
StepFactory make_header_from(Options& options, const StepContext& context);
StepFactory make_drop_headers(Options& options, const StepContext& context);
StepFactory make_regex_router(Options& options, const StepContext& context);
StepFactory make_timestamp_router(Options& options, const StepContext& context);
StepFactory make_drop_all(Options& options, const StepContext& context);  // Filter

// Takes the struct of an operand apart; an error that names the purpose when it is none.
Result<void> split_operand(const Typed& operand, std::string_view purpose, Texts& out);

// replace.null.with.default of Connect's transforms: their copies of fields take defaults for nulls.
inline Nulls copy_nulls(const Options& options) {
  return options.boolean("replace.null.with.default") ? Nulls::fill : Nulls::keep;
}
inline void fill_nulls(const Schema& schema, Texts& texts, Nulls nulls) {
  if (nulls == Nulls::fill)
    for (std::size_t i = 0; i < texts.size(); ++i)
      texts[i] = filled(*schema.fields[i].schema, texts[i], nulls);
}

}  // namespace cdc::transform
