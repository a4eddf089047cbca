// The factories of Debezium's transforms; each stands in the file of its transform. Their options are
// declared in debezium_rows.cc.
#pragma once

#include "transform/transform.h"

namespace cdc::transform {

StepFactory make_unwrap(Options& options, const StepContext& context);
StepFactory make_changed_state(Options& options, const StepContext& context);
StepFactory make_source_schema(Options& options, const StepContext& context);
StepFactory make_logical_router(Options& options, const StepContext& context);
StepFactory make_outbox(Options& options, const StepContext& context);
StepFactory make_header_to_value(Options& options, const StepContext& context);
StepFactory make_timezone(Options& options, const StepContext& context);
StepFactory make_schema_change_filter(Options& options, const StepContext& context);
StepFactory make_record_size(Options& options, const StepContext& context);
StepFactory make_geometry_format(Options& options, const StepContext& context);
StepFactory make_swap_geometry(Options& options, const StepContext& context);
StepFactory make_vector_to_json(Options& options, const StepContext& context);
StepFactory make_read_to_insert(Options& options, const StepContext& context);
StepFactory make_partition_routing(Options& options, const StepContext& context);
StepFactory make_decode_message(Options& options, const StepContext& context);
StepFactory make_script_filter(Options& options, const StepContext& context);
StepFactory make_content_router(Options& options, const StepContext& context);
StepFactory make_timescale(Options& options, const StepContext& context);

}  // namespace cdc::transform
